from __future__ import annotations

import math

import pytest

from wikiapi.attach.php.values import (
    PhpArray,
    PhpValue,
    as_number,
    as_text,
    copied,
    is_true,
    key_of,
    next_key,
    size_of,
)


@pytest.mark.parametrize(
    ("value", "key"),
    [
        ("8", 8),
        ("-8", -8),
        ("08", "08"),
        ("-0", "-0"),
        ("9" * 30, "9" * 30),
        (True, 1),
        (8.9, 8),
        (None, ""),
        ("", ""),
        ("٣", "٣"),
    ],
)
def test_keys_are_numbers_or_texts(value: PhpValue, key: int | str) -> None:
    assert key_of(value) == key
    assert type(key_of(value)) is type(key)


def test_an_array_is_no_key() -> None:
    with pytest.raises(ValueError):
        key_of({})


def test_elements_are_added_after_the_greatest_number() -> None:
    assert next_key({}) == 0
    assert next_key({5: "a", "k": "b", -3: "c"}) == 6
    assert next_key({-5: "a"}) == -4


@pytest.mark.parametrize(
    ("value", "text"),
    [(5, "5"), (5.0, "5"), (True, "1"), (False, ""), (None, ""), ("x", "x"), (-0.0, "0")],
)
def test_values_in_texts(value: PhpValue, text: str) -> None:
    assert as_text(value) == text


@pytest.mark.parametrize("value", [0.1, math.inf, math.nan, {}, 1e300])
def test_values_whose_text_is_not_known(value: PhpValue) -> None:
    with pytest.raises(ValueError):
        as_text(value)


@pytest.mark.parametrize(
    ("value", "number"),
    [("5 apples", 5), (" 1.5e3x", 1500.0), ("-2", -2), (True, 1), (None, 0), ("9" * 400, math.inf)],
)
def test_numbers(value: PhpValue, number: float) -> None:
    assert as_number(value) == number


@pytest.mark.parametrize("value", ["apples", "", {}])
def test_what_is_no_number(value: PhpValue) -> None:
    with pytest.raises(ValueError):
        as_number(value)


def test_what_is_true() -> None:
    assert [is_true(each) for each in ("0", "", 0, None, {}, 0.0, False)] == [False] * 7
    assert [is_true(each) for each in ("00", "x", -1, {0: 0}, " ")] == [True] * 5


def test_copies_are_independent() -> None:
    inner: PhpArray = {"x": 1}
    array: PhpArray = {"inner": inner}
    copy = copied(array)
    inner["x"] = 2
    assert copy == {"inner": {"x": 1}}
    assert size_of(copy) == (1 + len("inner") + 1 + len("x") + 1, 2)
