"""Expiries of blocks, which are durations such as ``3 days``, ``infinite``, or dates.

The units are those that MediaWiki's block form accepts; months and years are calendar ones.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime, timedelta

from babel.units import format_unit

from wikiapi.api.params.types.timestamp import parse_moment
from wikiapi.i18n import plain_list
from wikiapi.i18n.catalog import render_param
from wikiapi.i18n.dates import format_time_and_date, locale_of

_FOREVER = frozenset({"infinite", "indefinite", "infinity", "never"})
_STEP = re.compile(
    r"(?<!\s)\s*+([0-9]{1,9})\s*+(sec(?:ond)?|min(?:ute)?|hour|day|week|fortnight|month|year)s?\b",
    re.IGNORECASE | re.ASCII,
)
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
_SUGGESTED = frozenset(
    {"2 hours", "1 day", "3 days", "1 week", "2 weeks", "1 month", "3 months", "6 months", "1 year"}
)
"""The durations that the block form offers, which are shown as they are written."""


def is_forever(text: str) -> bool:
    """Return whether a text stands for no expiry."""
    return text in _FOREVER


def moment_after(text: str, start: datetime) -> datetime | None:
    """Return the end of a duration that begins at ``start``, or a date; ``None`` if invalid."""
    steps = list(_STEP.finditer(text.strip()))
    if not steps or "".join(step[0] for step in steps) != text.strip():
        return parse_moment(text) if text else None
    try:
        for step in steps:
            start = _after(start, int(step[1]), step[2].lower())
    except (OverflowError, ValueError):
        return None
    return start


def describe(text: str, start: datetime, language: str) -> str:
    """Return a duration or date in the form that readers see."""
    if is_forever(text):
        return "infinite"
    if text in _SUGGESTED and language == "en":
        return text
    end = moment_after(text, start)
    if end is None:
        return text
    if parse_moment(text):
        return format_time_and_date(end, language)
    return describe_span(start, end, language)


def describe_span(start: datetime, end: datetime, language: str) -> str:
    """Return the time between two moments in words, such as ``1 month and 2 days``."""
    locale = locale_of(language)
    parts = [
        format_unit(number, f"duration-{unit}", length="long", locale=locale)
        for unit, number in _units(*sorted((start, end)))
    ]
    return render_param(plain_list(parts), language)


def _units(start: datetime, end: datetime) -> Iterator[tuple[str, int]]:
    """Yield units with their numbers, largest first, without zeros."""
    months = (end.year - start.year) * 12 + end.month - start.month
    # It may take two rounds if the last day of a long month falls beyond the next, shorter month.
    while _after(start, months, "month") > end:
        months -= 1
    rest = end - _after(start, months, "month")
    minutes, seconds = divmod(rest.seconds, 60)
    numbers = {
        "year": months // 12,
        "month": months % 12,
        "day": rest.days,
        "hour": minutes // 60,
        "minute": minutes % 60,
        "second": seconds,
    }
    found = {unit: number for unit, number in numbers.items() if number}
    yield from (found or {"second": 0}).items()


def _after(start: datetime, number: int, unit: str) -> datetime:
    if unit in _FIXED:
        return start + number * _FIXED[unit]
    years, month = divmod(start.month - 1 + number * _CALENDAR[unit], 12)
    first = start.replace(year=start.year + years, month=month + 1, day=1)
    # A day that the month does not have falls into the next month.
    return first + timedelta(days=start.day - 1)
