from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wikiapi.api.params.validate import clean, clean_multi, split


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
