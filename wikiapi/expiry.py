"""Expiries of blocks, protections and memberships: 14 digits, or a text for no expiry; in words.

Requests name them as durations such as ``3 days``, ``infinite``, or dates; months and years are
those of the calendar.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta

from wikiapi.errors import ApiError
from wikiapi.languages.catalog import MessageCatalog
from wikiapi.languages.dates import format_usual
from wikiapi.languages.filling import render_counts
from wikiapi.languages.message import Message, Plain
from wikiapi.timestamps import compact
from wikiapi.timetexts import time_of

__all__ = [
    "INFINITY",
    "describe_expiry",
    "describe_span",
    "expiry_moment",
    "future_expiry",
    "is_forever",
    "is_in_force",
]


INFINITY = "infinity"
"""The expiry of what is in force until it is removed."""
_FOREVER = frozenset({"infinite", "indefinite", "infinity", "never"})
_CALENDAR = {"month": 1, "year": 12}
_FIXED = {
    "sec": timedelta(seconds=1),
    "second": timedelta(seconds=1),
    "min": timedelta(minutes=1),
    "minute": timedelta(minutes=1),
    "hour": timedelta(hours=1),
    "day": timedelta(days=1),
    "week": timedelta(weeks=1),
    "fortnight": timedelta(weeks=2),
}
_CLOCK = re.compile(r"([0-9]{2})([0-9]{2})", re.ASCII)
"""Matches an hour and a minute."""


def is_in_force(expiry: str, now: str) -> bool:
    """Return whether an expiry is later than ``now``, which has 14 digits."""
    return expiry == INFINITY or expiry > now


def is_forever(text: str) -> bool:
    """Return whether a text stands for no expiry."""
    return text in _FOREVER


def later(start: datetime, number: int, unit: str) -> datetime:
    """Return the time that is some units, such as ``month``, after another."""
    if unit in _FIXED:
        return start + number * _FIXED[unit]
    years, month = divmod(start.month - 1 + number * _CALENDAR[unit], 12)
    first = start.replace(year=start.year + years, month=month + 1, day=1)
    # A day that the month does not have falls into the next month.
    return first + timedelta(days=start.day - 1)


def expiry_moment(text: str, now: datetime) -> datetime | None:
    """Return the end of a duration from now, or the moment that a date names.

    Texts are read as by PHP's ``strtotime``. Returns ``None`` for those that are not understood.
    """
    text = text.strip()
    if match := _CLOCK.fullmatch(text):
        text = f"{match[1]}:{match[2]}"
    try:
        return time_of(text, now).astimezone(UTC) if text else None
    except (ValueError, OverflowError):
        return None


def future_expiry(text: str, now: datetime) -> str:
    """Return ``infinity``, or an expiry in the future as 14 digits.

    Raises:
        ApiError: ``invalidexpiry``, or ``pastexpiry`` for a moment before ``now``.
    """
    if is_forever(text):
        return INFINITY
    moment = expiry_moment(text, now)
    if moment is None:
        raise ApiError("invalidexpiry", "apierror-invalidexpiry", Plain(text))
    if compact(moment) < compact(now):
        raise ApiError("pastexpiry", "apierror-pastexpiry", Plain(text))
    return compact(moment)


def describe_expiry(
    text: str, start: datetime, language: str, catalog: MessageCatalog, *, american: bool = False
) -> str:
    """Return a duration or date in the form that readers see.

    ``american`` is whether the wiki has American dates.
    """
    if is_forever(text):
        return catalog.text(Message("infiniteblock"), language)
    if name := _suggested(catalog.template("ipboptions", language) or "").get(text):
        return name
    end = expiry_moment(text, start)
    if end is None:
        return text
    if end == expiry_moment(text, start + timedelta(seconds=1)):
        return format_usual("both", end, language, catalog, american=american)
    return describe_span(start, end, language, catalog)


def _suggested(options: str) -> Mapping[str, str]:
    """Return the names of the durations that a wiki suggests, such as ``1 week:1 week``."""
    pairs = (option.partition(":")[::2] for option in options.split(","))
    return {duration: name for name, duration in pairs}


def describe_span(start: datetime, end: datetime, language: str, catalog: MessageCatalog) -> str:
    """Return the time between two moments in words, such as ``1 month and 2 days``."""
    units = _units(*sorted((start, end)))
    counts = [(f"duration-{unit}s", number) for unit, number in units]
    return render_counts(counts, language, catalog.words(language))


def _units(start: datetime, end: datetime) -> Iterator[tuple[str, int]]:
    """Yield units with their numbers, largest first, without zeros."""
    months = (end.year - start.year) * 12 + end.month - start.month
    # It may take two rounds if the last day of a long month falls beyond the next, shorter month.
    while later(start, months, "month") > end:
        months -= 1
    rest = end - later(start, months, "month")
    minutes, seconds = divmod(rest.seconds, 60)
    numbers = {
        "year": months // 12,
        "month": months % 12,
        "day": rest.days,
        "hour": minutes // 60,
        "minute": minutes % 60,
        "second": seconds,
    }
    used = {unit: number for unit, number in numbers.items() if number}
    yield from (used or {"second": 0}).items()
