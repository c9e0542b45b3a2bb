from __future__ import annotations

from datetime import UTC, datetime

import pytest

from wikiapi.expiry import is_forever, moment_after

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
