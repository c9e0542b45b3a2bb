from __future__ import annotations

from datetime import UTC, datetime

import pytest

from wikiapi_plugins.query.changes.expiries import describe, describe_span, is_forever, moment_after

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
    ],
)
def test_moment_after(text: str, end: str) -> None:
    found = moment_after(text, START)
    assert found is not None
    assert found.isoformat() == f"{end}+00:00"


@pytest.mark.parametrize(
    "text", ["", "sometime", "3 parsecs", "3 days later", "999999999 years", "٣ days"]
)
def test_texts_without_a_moment(text: str) -> None:
    assert moment_after(text, START) is None


@pytest.mark.parametrize("text", ["infinity", "infinite", "indefinite", "never"])
def test_forever(text: str) -> None:
    assert is_forever(text)
    assert describe(text, START, "en") == "infinite"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("2 weeks", "2 weeks"),
        ("31 hours", "1 day and 7 hours"),
        ("90 minutes", "1 hour and 30 minutes"),
        ("20250201000000", "00:00, 1 February 2025"),
        ("sometime", "sometime"),
    ],
)
def test_describe(text: str, shown: str) -> None:
    assert describe(text, START, "en") == shown


def test_spans_are_counted_by_the_calendar() -> None:
    end = datetime(2026, 4, 2, 13, 0, 5, tzinfo=UTC)
    start = datetime(2025, 3, 1, 12, tzinfo=UTC)
    shown = "1 year, 1 month, 1 day, 1 hour and 5 seconds"
    assert describe_span(start, end, "en") == shown
    assert describe_span(end, start, "en") == shown
    assert describe_span(start, start, "en") == "0 seconds"


def test_spans_in_another_language() -> None:
    assert describe("31 hours", START, "de").startswith("1 Tag")
