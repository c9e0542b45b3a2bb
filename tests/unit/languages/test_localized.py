from __future__ import annotations

import pytest

from wikiapi.languages.filling import fill
from wikiapi.languages.localized import localized_texts
from wikiapi.languages.message import Num
from wikiapi.languages.plural import plural_categories

LANGUAGES = ("en", "de", "fr", "he", "ar", "fa", "ru", "pl", "ja", "zh-hant", "th", "my", "xx")


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_every_text(language: str) -> None:
    texts = localized_texts(language)
    assert texts.keys() == localized_texts("en").keys()
    assert texts["hours-ago"].count("|") == len(plural_categories(language))
    assert "{0}" not in "".join(texts.values())


@pytest.mark.parametrize(
    ("language", "key", "number", "text"),
    [
        ("en", "days", 1, "1 day"),
        ("de", "days-ago", 3, "vor 3 Tagen"),
        ("ru", "duration-hours", 5, "5 часов"),
        ("pl", "weeks", 2, "2 tygodnie"),
        ("ja", "years", 1, "1 年"),
    ],
)
def test_durations(language: str, key: str, number: int, text: str) -> None:
    assert fill(localized_texts(language)[key], (Num(number),), language) == text


@pytest.mark.parametrize(
    ("language", "joined"),
    [
        ("en", "a, b and c"),
        ("de", "a, b und c"),
        ("ar", "a، b و c"),
        ("zh-hans", "a、b和c"),
    ],
)
def test_separators_join_a_list(language: str, joined: str) -> None:
    texts = localized_texts(language)
    last = texts["and"] + texts["word-separator"]
    assert f"a{texts['comma-separator']}b{last}c" == joined
