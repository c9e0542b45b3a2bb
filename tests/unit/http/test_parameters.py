from __future__ import annotations

import tracemalloc

import pytest

from wikiapi.http.errors import Refused
from wikiapi.http.requests import Parameters, php_name


def parsed(text: str, most: int = 100) -> Parameters:
    parameters = Parameters(most)
    parameters.add_urlencoded(text)
    return parameters


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("", {}),
        ("&&", {}),
        ("a=1&b=2", {"a": "1", "b": "2"}),
        ("a", {"a": ""}),
        ("a=", {"a": ""}),
        ("=1", {}),
        ("a=b=c", {"a": "b=c"}),
        ("a=x+y%20z", {"a": "x y z"}),
        ("a=%2B%5C", {"a": "+\\"}),
        ("a=1;b=2", {"a": "1;b=2"}),
        ("a=%C3%9C", {"a": "Ü"}),
        ("a=\xc3\x9c", {"a": "Ü"}),
        ("a=%", {"a": "%"}),
        ("a=%zz", {"a": "%zz"}),
        ("a.b=1&c+d=2", {"a_b": "1", "c_d": "2"}),
        ("%C3%9C=1", {"Ü": "1"}),
    ],
)
def test_decoding(text: str, values: dict[str, str]) -> None:
    assert parsed(text).values == values


def test_last_of_repeated_parameters_wins() -> None:
    assert parsed("titles=A&titles=B").values == {"titles": "B"}


@pytest.mark.parametrize(
    ("text", "values", "arrays"),
    [
        ("titles[]=A", {}, {"titles"}),
        ("titles%5B%5D=A", {}, {"titles"}),
        ("titles[x][y]=A", {}, {"titles"}),
        ("titles=A&titles[]=B", {}, {"titles"}),
        ("titles[]=A&titles=B", {"titles": "B"}, set()),
        ("titles[=A", {"titles_": "A"}, set()),
    ],
)
def test_array_syntax(text: str, values: dict[str, str], arrays: set[str]) -> None:
    parameters = parsed(text)
    assert (parameters.values, parameters.arrays) == (values, arrays)


def test_bytes_that_are_not_utf8_stay_recognisable_in_values() -> None:
    assert parsed("a=%FF%FE").values["a"] == "\udcff\udcfe"


def test_bytes_that_are_not_utf8_are_replaced_in_names() -> None:
    assert parsed("%FF=1").values == {"\ufffd": "1"}


def test_too_many_fields_are_refused() -> None:
    assert len(parsed("a&b&c", most=3).values) == 3
    with pytest.raises(Refused) as caught:
        parsed("a&b&c&d", most=3)
    assert caught.value.status == 413


def test_names_that_need_no_change() -> None:
    assert php_name("gatfrom") == ("gatfrom", False)


@pytest.mark.parametrize("shift", range(4))
def test_long_values_are_decoded_as_short_ones_are(shift: int) -> None:
    parameters = Parameters(10)
    parameters.add_urlencoded("text=" + "a" * shift + "%E2%82%AC%%4+" * 20_000)
    assert parameters.values == {"text": "a" * shift + "\u20ac%%4 " * 20_000}


def test_decoding_takes_a_few_times_the_memory_of_a_form() -> None:
    form = "text=" + "%D0%B6" * 200_000
    tracemalloc.start()
    try:
        Parameters(10).add_urlencoded(form)
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert most < 10 * len(form)
