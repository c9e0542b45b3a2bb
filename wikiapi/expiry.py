"""Expiries of blocks, protections and memberships: 14 digits, or a text for no expiry; in words.

Requests name them as durations such as ``3 days``, ``infinite``, or dates. The units are those that
MediaWiki's block form accepts; months and years are calendar ones.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta
from types import MappingProxyType

from wikiapi.errors import ApiError
from wikiapi.languages.catalog import MessageCatalog
from wikiapi.languages.dates import format_usual
from wikiapi.languages.filling import render_counts
from wikiapi.languages.message import Message, Plain
from wikiapi.timestamps import compact, parse_moment

__all__ = [
    "INFINITY",
    "describe_expiry",
    "describe_span",
    "expiry_moment",
    "future_expiry",
    "is_forever",
    "is_in_force",
    "moment_after",
]


INFINITY = "infinity"
"""The expiry of what is in force until it is removed."""
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
_DAY = re.compile(
    r"([0-9]{4})-([0-9]{1,2})-([0-9]{1,2})(?:[ T]([0-9]{1,2}):([0-9]{2}))?\Z", re.ASCII
)
_WORDS: Mapping[str, int] = MappingProxyType(
    {"yesterday": -1, "today": 0, "midnight": 0, "tomorrow": 1}
)
"""Words that stand for the start of a day, with its distance from today in days."""
_NEXT = re.compile(r"(?:next|\+)\s*+", re.IGNORECASE)
_AGO = " ago"


def is_in_force(expiry: str, now: str) -> bool:
    """Return whether an expiry is later than ``now``, which has 14 digits."""
    return expiry == INFINITY or expiry > now


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
            start = later(start, int(step[1]), step[2].lower())
    except (OverflowError, ValueError):
        return None
    return start


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
    word = text.lower()
    if word == "now":
        return now
    if word in _WORDS:
        midnight = now.replace(hour=0, minute=0, second=0, microsecond=0)
        return midnight + timedelta(days=_WORDS[word])
    if match := _DAY.match(text):
        return moment_after(
            f"{match[1]}-{int(match[2]):02}-{int(match[3]):02}"
            f"T{int(match[4] or 0):02}:{match[5] or '00'}:00Z",
            now,
        )
    if word.endswith(_AGO):
        after = moment_after(text[: -len(_AGO)], now)
        return None if after is None else now - (after - now)
    if match := _NEXT.match(text):
        rest = text[match.end() :]
        return moment_after(rest if rest[:1].isdigit() else f"1 {rest}", now)
    return moment_after(text, now)


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
    if moment < now:
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
    end = moment_after(text, start)
    if end is None:
        return text
    if parse_moment(text):
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
