from __future__ import annotations

from datetime import UTC, datetime

import pytest

from wikiapi.expiry import describe_expiry, describe_span, expiry_moment, is_forever
from wikiapi.languages.catalog import MessageCatalog

CATALOG = MessageCatalog(
    {
        "en": {"infiniteblock": "infinite", "ipboptions": "2 weeks:2 weeks,1 day:1 day"},
        "de": {"infiniteblock": "unbeschränkt", "ipboptions": "zwei Wochen:2 weeks"},
    }
)
"""Texts of blocks; CLDR has those of durations."""
START = datetime(2025, 1, 31, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "end"),
    [
        ("3 days", "2025-02-03T12:00:00"),
        ("1 week 2 hours", "2025-02-07T14:00:00"),
        ("31 hours", "2025-02-01T19:00:00"),
        ("1 month", "2025-03-03T12:00:00"),
        ("1 year", "2026-01-31T12:00:00"),
        ("90 seconds", "2025-01-31T12:01:30"),
        ("20250201000000", "2025-02-01T00:00:00"),
        ("2025-02-01T00:00:00Z", "2025-02-01T00:00:00"),
        ("2025-02-01T00:00:00+02:00", "2025-01-31T22:00:00"),
        ("2025-02-31", "2025-03-03T00:00:00"),
        ("+1 day", "2025-02-01T12:00:00"),
        ("1 day ago", "2025-01-30T12:00:00"),
        ("2 weeks, 1 day", "2025-02-15T12:00:00"),
        ("2025-02-01 +1 day", "2025-02-02T00:00:00"),
        ("23:59", "2025-01-31T23:59:00"),
        ("2030", "2025-01-31T20:30:00"),
        ("tomorrow noon", "2025-02-01T12:00:00"),
        ("next friday", "2025-02-07T00:00:00"),
        ("1 Feb 2025", "2025-02-01T00:00:00"),
        ("@1738368000", "2025-02-01T00:00:00"),
    ],
)
def test_moments(text: str, end: str) -> None:
    moment = expiry_moment(text, START)
    assert moment is not None
    assert moment.isoformat() == f"{end}+00:00"


@pytest.mark.parametrize(
    "text",
    ["", "sometime", "3 parsecs", "3 days later", "999999999 years", "٣ days", "1738368000", "0"],
)
def test_texts_without_a_moment(text: str) -> None:
    assert expiry_moment(text, START) is None


@pytest.mark.parametrize("text", ["infinity", "infinite", "indefinite", "never"])
def test_forever(text: str) -> None:
    assert is_forever(text)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("2 weeks", "2 weeks"),
        ("31 hours", "1 day and 7 hours"),
        ("90 minutes", "1 hour and 30 minutes"),
        ("20250201000000", "00:00, 1 February 2025"),
        ("tomorrow", "00:00, 1 February 2025"),
        ("+1 week", "7 days"),
        ("sometime", "sometime"),
        ("never", "infinite"),
    ],
)
def test_describe(text: str, words: str) -> None:
    assert describe_expiry(text, START, "en", CATALOG) == words


def test_spans_are_counted_by_the_calendar() -> None:
    end = datetime(2026, 4, 2, 13, 0, 5, tzinfo=UTC)
    start = datetime(2025, 3, 1, 12, tzinfo=UTC)
    words = "1 year, 1 month, 1 day, 1 hour and 5 seconds"
    assert describe_span(start, end, "en", CATALOG) == words
    assert describe_span(end, start, "en", CATALOG) == words
    assert describe_span(start, start, "en", CATALOG) == "0 seconds"


def test_spans_in_another_language() -> None:
    assert describe_expiry("31 hours", START, "de", CATALOG).startswith("1 Tag")
    assert describe_expiry("2 weeks", START, "de", CATALOG) == "zwei Wochen"
    assert describe_expiry("never", START, "de", CATALOG) == "unbeschränkt"


@pytest.mark.parametrize(
    ("start", "end", "words"),
    [
        ("2024-01-31T00:00", "2024-02-03T00:00", "3 days"),
        ("2024-01-31T00:00", "2024-02-29T01:00", "29 days and 1 hour"),
        ("2021-01-31T00:00", "2021-03-01T00:00", "29 days"),
        ("2021-01-30T00:00", "2021-03-02T00:00", "1 month"),
        ("2024-01-31T12:00", "2025-01-31T11:00", "11 months, 30 days and 23 hours"),
    ],
)
def test_spans_at_the_ends_of_months(start: str, end: str, words: str) -> None:
    moments = datetime.fromisoformat(start), datetime.fromisoformat(end)
    assert describe_span(*moments, "en", CATALOG) == words
