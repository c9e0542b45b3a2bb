"""The usual formats of dates. They agree with MediaWiki in tests/reference."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from wikiapi.languages.catalog import MessageCatalog
from wikiapi.languages.dates import format_usual

MOMENT = datetime(2026, 3, 5, 7, 8, tzinfo=UTC)


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "07:08, 5 March 2026"),
        ("en-xx", "07:08, 5 March 2026"),
        ("xx", "07:08, 5 March 2026"),
        ("fr", "5 mars 2026 à 07:08"),
        ("fi", "5. maaliskuuta 2026 kello 07.08"),
        ("ja", "2026年3月5日 (木) 07:08"),
        ("ru", "07:08, 5 марта 2026"),
        ("fa", "۵ مارس ۲۰۲۶، ساعت ۰۷:۰۸"),
        ("th", "07:08, 5 มีนาคม 2569"),
        ("pt-br", "07h08min de 5 de março de 2026"),
    ],
)
def test_time_and_date(language: str, text: str) -> None:
    assert format_usual("both", MOMENT, language) == text


def test_kinds() -> None:
    assert format_usual("date", MOMENT, "de") == "5. März 2026"
    assert format_usual("time", MOMENT, "se") == "7.08"
    assert format_usual("pretty", MOMENT, "hu") == "március 5"


def test_messages_name_the_months() -> None:
    messages = MessageCatalog({"en": {"march": "Lenten"}})
    assert format_usual("date", MOMENT, "en", messages) == "5 Lenten 2026"


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "07:08, March 5, 2026"),
        ("en-gb", "07:08, March 5, 2026"),
        ("fr", "mars 5, 2026 à 07:08"),
        ("ru", "07:08, марта 5, 2026"),
        ("tr", "07.08, Mart 5, 2026"),
        ("de", "07:08, 5. März 2026"),
        ("ja", "2026年3月5日 (木) 07:08"),
    ],
)
def test_american_dates(language: str, text: str) -> None:
    assert format_usual("both", MOMENT, language, american=True) == text


def test_american_dates_without_year() -> None:
    assert format_usual("pretty", MOMENT, "en", american=True) == "March 5"
    assert format_usual("date", MOMENT, "en", american=True) == "March 5, 2026"
    assert format_usual("time", MOMENT, "en", american=True) == "07:08"
