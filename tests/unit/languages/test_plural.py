from __future__ import annotations

import pytest

from wikiapi.languages.plural import plural_categories, plural_form, plural_index


@pytest.mark.parametrize(
    ("language", "number", "index"),
    [
        ("en", "1", 0),
        ("en", "0", 1),
        ("en", "1.5", 1),
        ("en", "1.0", 0),
        ("en-au", "1", 0),
        ("fr", "0", 0),
        ("fr", "2", 1),
        ("fr", "1000000", 1),
        ("ru", "1", 0),
        ("ru", "3", 1),
        ("ru", "5", 2),
        ("ru", "1.5", 3),
        ("ja", "1", 0),
        ("ja", "2", 1),
        ("ar", "0", 0),
        ("ar", "2", 2),
        ("ksh", "0", 2),
        ("ksh", "2", 1),
        ("be-x-old", "3", 1),
        ("de-x-formal", "1", 0),
        ("lag", "0", 0),
        ("no-such-language", "1", 0),
        ("no-such-language", "2", 1),
        ("en", "not a number", 1),
        ("en", "inf", 1),
    ],
)
def test_index(language: str, number: str, index: int) -> None:
    assert plural_index(number, language) == index


def test_categories_are_in_the_order_of_the_forms() -> None:
    assert plural_categories("lt") == ("one", "few", "many", "other")
    assert plural_categories("ksh") == ("one", "other", "zero")


@pytest.mark.parametrize(
    ("number", "forms", "form"),
    [
        ("1", ["a", "b"], "a"),
        ("5", ["a", "b"], "b"),
        ("12", ["a", "12=dozen", "b"], "dozen"),
        ("2", ["a", "12=dozen", "b"], "b"),
        ("2", ["x=y"], "x=y"),
        ("2", ["1=y"], ""),
        ("2", [], ""),
        ("01", ["1=x", "y"], "x"),
        ("1.0", ["1=x", "y"], "x"),
        ("2", ["a", "b 3=c"], "a"),
    ],
)
def test_form(number: str, forms: list[str], form: str) -> None:
    assert plural_form(number, forms, "en") == form
