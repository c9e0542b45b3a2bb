from __future__ import annotations

import pytest

from wikiapi.languages.linktrails import split_prefix, trailing_letters


@pytest.mark.parametrize(
    ("language", "text", "letters"),
    [
        ("en", "s, and", "s"),
        ("en", "äb", ""),
        ("de", "häuser bauen", "häuser"),
        ("zh", "abc", ""),
        ("ca", "l'any ''x''", "l'any"),
        ("ca", "a''b''", "a"),
        ("ar", "ات ب", "ات"),
        ("hi", "ों में", "ों"),
        ("xx", "äb", ""),
    ],
)
def test_letters(language: str, text: str, letters: str) -> None:
    match = trailing_letters(language).match(text)
    assert (match[0] if match else "") == letters


@pytest.mark.parametrize(
    ("language", "text", "parts"),
    [
        ("ar", "an ات", ("an ", "ات")),
        ("ar", "an ", ("an ", "")),
        ("ar", "", ("", "")),
        ("uk", "a„", ("a", "„")),
        ("en", "pre", ("pre", "")),
    ],
)
def test_letters_before_a_link(language: str, text: str, parts: tuple[str, str]) -> None:
    assert split_prefix(text, language) == parts
