"""How long a part of the time stays as it is: what was written with it is good until then."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from enum import IntEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable


class Unit(IntEnum):
    """A unit of time, from the one that changes most often."""

    SECOND = 0
    MINUTE = 1
    HOUR = 2
    DAY = 3
    WEEK = 4
    MONTH = 5
    YEAR = 6


def seconds_left(unit: Unit, now: datetime) -> int:
    """Seconds until the next unit begins in the time zone of ``now``, at least one."""
    begun = now.replace(second=0, microsecond=0)
    # The same time zone tells the hour of both moments, so the distance is taken elsewhere.
    left = _NEXT[unit](begun).astimezone(UTC) - now.replace(microsecond=0).astimezone(UTC)
    return max(int(left.total_seconds()), 1)


def _next_hour(begun: datetime) -> datetime:
    return (begun.astimezone(UTC) + timedelta(minutes=60 - begun.minute)).astimezone(begun.tzinfo)


def _midnight(begun: datetime, days: int = 0) -> datetime:
    return begun.replace(hour=0, minute=0) + timedelta(days=days)


_NEXT: dict[Unit, Callable[[datetime], datetime]] = {
    Unit.SECOND: lambda begun: begun,
    Unit.MINUTE: lambda begun: begun + timedelta(minutes=1),
    Unit.HOUR: _next_hour,
    Unit.DAY: lambda begun: _midnight(begun, 1),
    Unit.WEEK: lambda begun: _midnight(begun, 7 - begun.weekday()),
    Unit.MONTH: lambda begun: _midnight(begun.replace(day=1) + timedelta(days=31)).replace(day=1),
    Unit.YEAR: lambda begun: _midnight(begun.replace(year=begun.year + 1, month=1, day=1)),
}
