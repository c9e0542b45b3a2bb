from __future__ import annotations

import re

import pytest

from wikiapi.languages.language import language_codes
from wikiapi.languages.magicwords import MagicWords


@pytest.mark.parametrize(
    ("language", "name", "text", "matches"),
    [
        ("en", "rawsuffix", "R", True),
        ("en", "rawsuffix", "r", False),
        ("en", "nocommafysuffix", "NoSep", True),
        ("ru", "rawsuffix", "Н", True),
        ("ru", "rawsuffix", "R", True),
        ("en", "rawsuffix", "Н", False),
        ("fr", "default", "#DÉFAUT", True),
    ],
)
def test_matches(language: str, name: str, text: str, matches: bool) -> None:
    assert MagicWords(language).matches(name, text) is matches


def test_which() -> None:
    names = ("url_path", "url_wiki")
    assert MagicWords("es").which(names, "ruta") == "url_path"
    assert MagicWords("es").which(names, "QUERY") is None


def test_pattern_prefers_longer_words() -> None:
    words = MagicWords("ru")
    match = re.match(words.pattern("subst"), "подстановка:x")
    assert match is not None
    assert match[0] == "подстановка:"


def test_own_words_come_first() -> None:
    assert list(MagicWords("de"))[-1] == "userlanguage"
    assert next(iter(MagicWords("de"))) != next(iter(MagicWords("en")))
    assert set(MagicWords("de")) == set(MagicWords("en"))


@pytest.mark.parametrize("language", sorted(language_codes()))
def test_english_words_work_in_every_language(language: str) -> None:
    words, english = MagicWords(language), MagicWords("en")
    for name in english:
        assert all(words.matches(name, word) for word in english[name].words), name
