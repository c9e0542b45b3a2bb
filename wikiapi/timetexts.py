"""Parses times such as ``15 January 2001``, ``last day of next month`` or ``@86400``.

The syntax is a part of that of PHP's ``strtotime``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta, timezone, tzinfo
from functools import cache
from types import MappingProxyType
from zoneinfo import ZoneInfo, available_timezones

from wikiapi.memoize import memoize

__all__ = ["time_of"]

_MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
_DAYS = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]
_ORDINALS = (
    "first",
    "second",
    "third",
    "fourth",
    "fifth",
    "sixth",
    "seventh",
    "eighth",
    "ninth",
    "tenth",
)
_COUNTS = {"last": -1, "previous": -1, "this": 0, "next": 1}
_COUNTS |= {word: number for number, word in enumerate(_ORDINALS, 1)}
_HOURS_EAST = {"utc": 0, "gmt": 0, "z": 0, "est": -5, "edt": -4, "cst": -6, "cdt": -5, "mst": -7}
_HOURS_EAST |= {"mdt": -6, "pst": -8, "pdt": -7, "bst": 1, "cet": 1, "cest": 2, "eet": 2, "eest": 3}

_MONTH = (
    r"(?P<month>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|"
    r"sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\b\.?"
)
_DAY = r"(?P<day>[0-2]?[0-9]|3[01])"
_NUMBER = r"(?P<number>0?[1-9]|1[0-2])"
_YEAR = r"(?P<year>[0-9]{4})"
_END = r"(?![0-9])"
_SUFFIX = r"(?:st|nd|rd|th)?"
_CLOCK = r"(?P<hour>[01]?[0-9]|2[0-4]):(?P<minute>[0-5][0-9])(?::(?P<second>[0-5][0-9]|60))?"
_HALF = r"(?P<half>[ap])\.?m\b\.?"
_STAMP = (
    rf"{_YEAR}(?P<number>[0-9]{{2}})(?P<day>[0-9]{{2}})t?(?P<hour>[0-9]{{2}})"
    rf"(?P<minute>[0-9]{{2}})(?P<second>[0-9]{{2}}){_END}"
)
_WEEKDAY = r"(?P<weekday>mon|tues?|wed(?:nes)?|thu(?:rs?)?|fri|sat(?:ur)?|sun)(?:day)?\b"
_COUNT = (
    r"(?:(?P<signs>[+-]{0,8})[ \t]{0,8}(?P<count>[0-9]{1,12})"
    rf"|(?P<word>{'|'.join(_COUNTS)})\b)"
)
_UNIT = r"(?P<unit>sec|second|min|minute|hour|day|week|fortnight|month|year)s?\b"


@cache
def _zones() -> Mapping[str, str]:
    return MappingProxyType({name.lower(): name for name in available_timezones()})


def _date(moment: Moment, match: re.Match[str]) -> None:
    parts = match.groupdict()
    if parts.get("year"):
        moment.year = int(parts["year"])
    if parts.get("month"):
        moment.month = _MONTHS.index(parts["month"][:3]) + 1
    elif parts.get("number"):
        moment.month = int(parts["number"])
    if parts.get("day"):
        moment.day = int(parts["day"])
    elif parts.get("year") and "day" not in parts and moment.month:
        moment.day = 1


def _clock(moment: Moment, match: re.Match[str]) -> None:
    parts = match.groupdict()
    hour = int(parts["hour"])
    if parts.get("half"):
        hour = hour % 12 + (12 if parts["half"] == "p" else 0)
    minutes = hour * 60 + int(parts.get("minute") or 0)
    moment.seconds = minutes * 60 + int(parts.get("second") or 0)


def _stamp(moment: Moment, match: re.Match[str]) -> None:
    _date(moment, match)
    _clock(moment, match)


def _unix(moment: Moment, match: re.Match[str]) -> None:
    moment.start = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(seconds=int(match[1]))
    moment.zone = UTC


def _word(moment: Moment, match: re.Match[str]) -> None:
    word = match[0]
    if word != "now":
        moment.seconds = 43200 if word == "noon" else 0
    moment.move("day", {"tomorrow": 1, "yesterday": -1}.get(word, 0))


def _count(match: re.Match[str]) -> int:
    if match["count"] is None:
        return _COUNTS[match["word"]]
    # As in PHP, each minus reverses the direction.
    count = int(match["count"])
    return -count if match["signs"].count("-") % 2 else count


def _relative(moment: Moment, match: re.Match[str]) -> None:
    moment.move(match["unit"], _count(match) * (-1 if match["ago"] else 1))


def _weekday(moment: Moment, match: re.Match[str]) -> None:
    moment.weekday = _DAYS.index(match["weekday"][:3])
    if "word" in match.re.groupindex:
        moment.weeks = _count(match)


def _ordinal(moment: Moment, match: re.Match[str]) -> None:
    moment.ordinal = (_count(match), _DAYS.index(match["weekday"][:3]))


def _edge(moment: Moment, match: re.Match[str]) -> None:
    moment.edge = match[1]


def _offset(moment: Moment, match: re.Match[str]) -> None:
    minutes = int(match["hours"]) * 60 + int(match["minutes"] or 0)
    moment.zone = timezone(timedelta(minutes=-minutes if match["sign"] == "-" else minutes))


def _zone(moment: Moment, match: re.Match[str]) -> None:
    name = match[1]
    if name in _HOURS_EAST:
        moment.zone = timezone(timedelta(hours=_HOURS_EAST[name]), name.upper())
        return
    if name not in _zones():
        raise ValueError(name)
    moment.zone = ZoneInfo(_zones()[name])


def _year(moment: Moment, match: re.Match[str]) -> None:
    moment.year = int(match["year"])


_RULES: tuple[tuple[re.Pattern[str], Callable[[Moment, re.Match[str]], None]], ...] = tuple(
    (re.compile(pattern, re.ASCII), read)
    for pattern, read in (
        (
            _STAMP,
            _stamp,
        ),
        (rf"{_YEAR}(?P<number>0[1-9]|1[0-2])(?P<day>[0-2][0-9]|3[01]){_END}", _date),
        (rf"@(-?[0-9]{{1,15}}){_END}", _unix),
        (rf"{_YEAR}[-/]{_NUMBER}[-/]{_DAY}{_END}t?", _date),
        (rf"{_NUMBER}/{_DAY}/{_YEAR}{_END}", _date),
        (rf"{_DAY}[-.]{_NUMBER}[-.]{_YEAR}{_END}", _date),
        (rf"{_YEAR}-{_NUMBER}{_END}", _date),
        (rf"{_YEAR}[ -]?{_MONTH}[ -]?{_DAY}{_END}", _date),
        (rf"{_DAY}{_SUFFIX}[ .-]{{0,3}}{_MONTH}(?:[ ,.-]{{0,3}}{_YEAR}(?![0-9:]))?", _date),
        (rf"{_MONTH} {{0,2}}{_DAY}{_SUFFIX}(?:,? {{1,2}}|, ?){_YEAR}(?![0-9:])", _date),
        (rf"{_MONTH}[ ,-]{{0,2}}{_YEAR}{_END}", _date),
        (rf"{_YEAR} {{0,2}}{_MONTH}", _date),
        (rf"{_MONTH} {{0,2}}{_DAY}{_SUFFIX}(?![0-9:])", _date),
        (rf"{_MONTH}", _date),
        (rf"{_CLOCK}(?:[.,][0-9]{{1,9}})?(?: ?{_HALF})?{_END}", _clock),
        (rf"(?P<hour>0?[1-9]|1[0-2]) ?{_HALF}", _clock),
        (r"(?:now|today|midnight|noon|tomorrow|yesterday)\b", _word),
        (r"(first|last) day of\b", _edge),
        (rf"{_COUNT} {_WEEKDAY} of\b", _ordinal),
        (rf"{_COUNT} ?{_UNIT}(?P<ago> ago\b)?", _relative),
        (rf"{_COUNT} {_WEEKDAY}", _weekday),
        (_WEEKDAY, _weekday),
        (r"(?P<sign>[+-])(?P<hours>[01]?[0-9]|2[0-3]):?(?P<minutes>[0-5][0-9])?" + _END, _offset),
        (rf"{_YEAR}{_END}", _year),
        (r"\(?([a-z][a-z_]{0,30}(?:/[a-z0-9_+-]{1,30}){0,2})(?![a-z0-9_])\)?", _zone),
    )
)
_PAUSE = re.compile(r"[\s,]*", re.ASCII)
_BLANKS = re.compile(r"(?:\s|(?<![A-Za-z])_|_(?![A-Za-z]))+")
"""Matches blanks and underscores, but not those within names of zones (``America/New_York``)."""


def time_of(text: str, now: datetime) -> datetime:
    """Return the time that a text stands for, in its own zone. Four digits alone are a year.

    Raises:
        ValueError: the text is not a valid time.
        OverflowError: the time is out of range.
    """
    return _moment_of(text).resolved(now)


@memoize(1024)
def _moment_of(text: str) -> Moment:
    """Return the parts of a time. Cached, since citation templates check each date repeatedly."""
    text, position = _BLANKS.sub(" ", text.strip()).lower(), 0
    moment = Moment()
    while position < len(text):
        for pattern, read in _RULES:
            if match := pattern.match(text, position):
                read(moment, match)
                position = _PAUSE.match(text, match.end()).end()  # type: ignore[union-attr]
                break
        else:
            raise ValueError(text)
    return moment


_SECONDS = {"sec": 1, "second": 1, "min": 60, "minute": 60, "hour": 3600}
_DAYS_IN = {"day": 1, "week": 7, "fortnight": 14}
_MONTHS_IN = {"month": 1, "year": 12}


@dataclass(slots=True)
class Moment:
    """The parts of a time that have been parsed so far; ``None`` for missing ones."""

    start: datetime | None = None
    """The time that missing parts are taken from; ``None`` for the current time."""
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
        """Add a number of units."""
        self.moved[unit] = self.moved.get(unit, 0) + count

    def resolved(self, now: datetime) -> datetime:
        """Return the time, in its own time zone."""
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
            after = _first_day(year, month + 1)
            count, weekday = self.ordinal
            if count < 0:
                day = after - timedelta((after.weekday() - weekday - 1) % 7 + 1)
            else:
                day = first + timedelta((weekday - first.weekday()) % 7 + 7 * (count - 1))
        day += timedelta(sum(self.moved.get(unit, 0) * size for unit, size in _DAYS_IN.items()))
        # Move to the weekday.
        if self.weekday is not None:
            ahead = (self.weekday - day.weekday()) % 7
            if self.weeks > 0:
                day = day + timedelta((ahead or 7) + 7 * (self.weeks - 1))
            elif self.weeks < 0:
                day = day + timedelta((ahead or 7) - 7 if ahead else -7)
            else:
                day = day + timedelta(ahead)
        seconds = sum(self.moved.get(unit, 0) * size for unit, size in _SECONDS.items())
        start = datetime(day.year, day.month, day.day, tzinfo=zone)
        return start + timedelta(seconds=self._clock(now) + seconds)

    def _clock(self, now: datetime) -> int:
        if self.seconds is not None:
            return self.seconds
        dated = any(part is not None for part in (self.year, self.month, self.day, self.weekday))
        has_present_time = not dated and not self.ordinal
        return now.hour * 3600 + now.minute * 60 + now.second if has_present_time else 0


def _first_day(year: int, months: int) -> date:
    return date(year + months // 12, months % 12 + 1, 1)
