"""A moment as the parts that were said of it, and what they come to."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta, tzinfo

_SECONDS = {"sec": 1, "second": 1, "min": 60, "minute": 60, "hour": 3600}
_DAYS_IN = {"day": 1, "week": 7, "fortnight": 14}
_MONTHS_IN = {"month": 1, "year": 12}


@dataclass(slots=True)
class Moment:
    """What has been read so far; ``None`` for what was not said."""

    start: datetime | None = None
    """What is not said is taken from here; ``None`` for the present."""
    year: int | None = None
    month: int | None = None
    day: int | None = None
    seconds: int | None = None
    zone: tzinfo | None = None
    weekday: int | None = None
    weeks: int = 0
    edge: str = ""
    ordinal: tuple[int, int] | None = None
    moved: dict[str, int] = field(default_factory=dict)

    def move(self, unit: str, count: int) -> None:
        """Later by so many of a unit."""
        self.moved[unit] = self.moved.get(unit, 0) + count

    def resolved(self, now: datetime) -> datetime:
        """The moment, in its own time zone; changes nothing here."""
        zone = self.zone or UTC
        now = (self.start or now).astimezone(zone)
        months = sum(self.moved.get(unit, 0) * size for unit, size in _MONTHS_IN.items())
        year = now.year if self.year is None else self.year
        month = (now.month if self.month is None else self.month) - 1 + months
        first = _first_day(year, month)
        day = first + timedelta((now.day if self.day is None else self.day) - 1)
        if self.edge:
            day = first if self.edge == "first" else _first_day(year, month + 1) - timedelta(1)
        if self.ordinal:
            day = _nth(self.ordinal, first, _first_day(year, month + 1))
        day += timedelta(sum(self.moved.get(unit, 0) * size for unit, size in _DAYS_IN.items()))
        day = self._on_weekday(day)
        seconds = sum(self.moved.get(unit, 0) * size for unit, size in _SECONDS.items())
        start = datetime(day.year, day.month, day.day, tzinfo=zone)
        return start + timedelta(seconds=self._clock(now) + seconds)

    def _clock(self, now: datetime) -> int:
        if self.seconds is not None:
            return self.seconds
        dated = any(part is not None for part in (self.year, self.month, self.day, self.weekday))
        kept = not dated and not self.ordinal
        return now.hour * 3600 + now.minute * 60 + now.second if kept else 0

    def _on_weekday(self, day: date) -> date:
        if self.weekday is None:
            return day
        ahead = (self.weekday - day.weekday()) % 7
        if self.weeks > 0:
            return day + timedelta((ahead or 7) + 7 * (self.weeks - 1))
        if self.weeks < 0:
            return day + timedelta((ahead or 7) - 7 if ahead else -7)
        return day + timedelta(ahead)


def _first_day(year: int, months: int) -> date:
    return date(year + months // 12, months % 12 + 1, 1)


def _nth(ordinal: tuple[int, int], first: date, after: date) -> date:
    count, weekday = ordinal
    if count < 0:
        return after - timedelta((after.weekday() - weekday - 1) % 7 + 1)
    return first + timedelta((weekday - first.weekday()) % 7 + 7 * (count - 1))
