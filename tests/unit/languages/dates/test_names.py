"""Names of months and days: a wiki's messages, else CLDR's."""

from __future__ import annotations

import pytest

from wikiapi.languages.catalog import MessageCatalog
from wikiapi.languages.dates import calendar_name
from wikiapi.languages.language import language_codes

MESSAGES = MessageCatalog({"de": {"mar": "Mrz"}, "en": {"mar": "M", "hebrew-calendar-m6a": "A1"}})


@pytest.mark.parametrize(
    ("language", "key", "name"),
    [
        ("de", "mar", "Mrz"),
        ("de", "january", "Januar"),
        ("fr", "mar", "mars"),
        ("ru", "march-gen", "марта"),
        ("en", "mar", "M"),
        ("en", "may_long", "May"),
        ("de", "hebrew-calendar-m6a", "A1"),
        ("fa", "iranian-calendar-m1", "فروردین"),
        ("de", "hebrew-calendar-m6-gen", "Adar"),
        ("pi", "march", "March"),
        ("ary", "march-gen", "مارس"),
    ],
)
def test_name(language: str, key: str, name: str) -> None:
    assert calendar_name(key, language, MESSAGES) == name


def test_without_messages() -> None:
    assert calendar_name("mar", "en", None) == "Mar"
    assert calendar_name("march", "pi", None) == "March"


def test_no_language_counts_its_months() -> None:
    for code in language_codes():
        assert calendar_name("march", code, MESSAGES) != "M03"
