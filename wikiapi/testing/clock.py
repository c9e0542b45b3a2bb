"""The clock of a wiki under test: it stands still until it is set or advanced."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

NOW = datetime(2026, 1, 1, 12, tzinfo=UTC)
"""The moment at which the clock of a made wiki stands."""

Moment = str | datetime
"""A moment: ISO 8601 (``2026-01-01T00:00:00Z``) or a datetime; without a zone it is UTC."""


class Clock:
    """Always returns the same time, in UTC, when it is called."""

    def __init__(self, start: Moment = NOW) -> None:
        """Stand at a moment.

        Raises:
            ValueError: the text is no moment in ISO 8601.
        """
        self.now = moment(start)

    def __call__(self) -> datetime:
        """Return the time it shows."""
        return self.now

    def set(self, to: Moment) -> None:
        """Show another time from now on, be it earlier or later."""
        self.now = moment(to)

    def advance(self, seconds: float = 0, *, minutes: float = 0, days: float = 0) -> None:
        """Show a later time from now on."""
        self.now += timedelta(days=days, minutes=minutes, seconds=seconds)


def moment(value: Moment) -> datetime:
    """Return a moment in UTC, however it was written."""
    read = datetime.fromisoformat(value) if isinstance(value, str) else value
    return read.astimezone(UTC) if read.tzinfo else read.replace(tzinfo=UTC)
