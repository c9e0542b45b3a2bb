"""The clock of a wiki under test, which stands still until it is set or advanced."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

NOW = datetime(2026, 1, 1, 12, tzinfo=UTC)
"""The default time of the clock of a wiki under test."""

Moment = str | datetime
"""A time as ISO 8601 (``2026-01-01T00:00:00Z``) or a datetime; without a time zone it is UTC."""


class Clock:
    """A callable that returns the same time, in UTC, until it is changed."""

    def __init__(self, start: Moment = NOW) -> None:
        """Create a clock that shows a time.

        Raises:
            ValueError: the text is not a time in ISO 8601.
        """
        self.now = moment(start)

    def __call__(self) -> datetime:
        """Return the time of the clock."""
        return self.now

    def set(self, to: Moment) -> None:
        """Set the clock to a time, earlier or later."""
        self.now = moment(to)

    def advance(self, seconds: float = 0, *, minutes: float = 0, days: float = 0) -> None:
        """Advance the clock."""
        self.now += timedelta(days=days, minutes=minutes, seconds=seconds)


def moment(value: Moment) -> datetime:
    """Return a time as a datetime in UTC."""
    read = datetime.fromisoformat(value) if isinstance(value, str) else value
    return read.astimezone(UTC) if read.tzinfo else read.replace(tzinfo=UTC)
