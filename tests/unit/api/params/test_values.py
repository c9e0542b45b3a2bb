from __future__ import annotations

import unicodedata
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wikiapi.api.params.validate import Params, clean, clean_multi, split


@pytest.mark.parametrize(
    ("raw", "cleaned"),
    [
        ("", ""),
        ("abc", "abc"),
        ("a\tb\nc\rd", "a\tb\nc\rd"),
        ("a\x00b", "a\ufffdb"),
        ("\x1f", "\ufffd"),
        ("\x0b\x0c", "\ufffd\ufffd"),
        ("\x7f", "\x7f"),
        ("\ufffe\uffff", "\ufffd\ufffd"),
        ("\udcff", "\ufffd"),
        ("a\ud83d", "a\ufffd"),
        ("A\u030a", "Å"),
        ("Å", "Å"),
    ],
)
def test_clean(raw: str, cleaned: str) -> None:
    assert clean(raw) == (cleaned, raw != cleaned)


@given(st.text(st.characters(codec=None)))
def test_cleaned_text_is_sound(raw: str) -> None:
    cleaned, changed = clean(raw)
    cleaned.encode()
    assert unicodedata.is_normalized("NFC", cleaned)
    assert clean(cleaned) == (cleaned, False)
    assert changed == (cleaned != raw)


@pytest.mark.parametrize(
    ("raw", "cleaned"),
    [
        ("\x1fa\x1fb", "\x1fa\x1fb"),
        ("\x1fA\u030a\x1f\x00", "\x1fÅ\x1f\ufffd"),
        ("a\x1fb", "a\ufffdb"),
        ("\x1f", "\x1f"),
    ],
)
def test_clean_multi(raw: str, cleaned: str) -> None:
    assert clean_multi(raw) == (cleaned, raw != cleaned)


@pytest.mark.parametrize(
    ("raw", "limit", "parts"),
    [
        ("", 50, []),
        ("a", 50, ["a"]),
        ("a|b|", 50, ["a", "b", ""]),
        ("|", 50, ["", ""]),
        ("\x1f", 50, [""]),
        ("\x1fa|b", 50, ["a|b"]),
        ("\x1fa\x1f", 50, ["a", ""]),
        ("a\x1fb", 50, ["a\x1fb"]),
        ("a|b|c|d", 2, ["a", "b", "c|d"]),
        ("\x1fa\x1fb\x1fc\x1fd", 2, ["a", "b", "c\x1fd"]),
    ],
)
def test_split(raw: str, limit: int, parts: list[str]) -> None:
    assert split(raw, limit) == parts


VALUES = Params(
    {"text": "a", "number": 7, "flag": False, "texts": ("a", "b"), "numbers": (0,), "absent": None}
)


def test_values_have_their_types() -> None:
    assert VALUES.text("text") == VALUES.text_or_none("text") == "a"
    assert VALUES.number("number") == VALUES.number_or_none("number") == 7
    assert VALUES.flag("flag") is False
    assert VALUES.texts("texts") == ("a", "b")
    assert VALUES.numbers("numbers") == (0,)


def test_absent_values() -> None:
    assert VALUES.text_or_none("absent") is None
    assert VALUES.number_or_none("absent") is None
    assert VALUES.texts("absent") == VALUES.numbers("absent") == ()
    assert VALUES.is_given("flag")
    assert not VALUES.is_given("absent")


@pytest.mark.parametrize(
    ("method", "name", "message"),
    [
        (Params.text, "number", "'number' is 7, not a text"),
        (Params.text, "absent", "'absent' is None, not a text"),
        (Params.text_or_none, "texts", r"'texts' is \('a', 'b'\), not a text"),
        (Params.number, "text", "'text' is 'a', not a number"),
        (Params.number_or_none, "text", "'text' is 'a', not a number"),
        (Params.flag, "number", "'number' is 7, not a flag"),
        (Params.texts, "text", "'text' is 'a', not a list of values"),
        (Params.numbers, "number", "'number' is 7, not a list of values"),
    ],
)
def test_a_method_that_does_not_fit_the_declaration(
    method: Callable[[Params, str], object], name: str, message: str
) -> None:
    with pytest.raises(TypeError, match=message):
        method(VALUES, name)
