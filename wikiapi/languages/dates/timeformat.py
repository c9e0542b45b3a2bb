"""Formats times with the letters of ``{{#time:}}``."""

from __future__ import annotations

import re
from calendar import isleap, monthrange
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import IntEnum
from types import MappingProxyType

from wikiapi.languages.dates import calendars as timecalendars
from wikiapi.languages.dates.names import Messages, calendar_name, calendar_texts
from wikiapi.languages.numbers import localize_digits
from wikiapi.memoize import memoize


class Unit(IntEnum):
    """A unit of time, ordered from the shortest to the longest."""

    SECOND = 0
    MINUTE = 1
    HOUR = 2
    DAY = 3
    WEEK = 4
    MONTH = 5
    YEAR = 6


def seconds_left(unit: Unit, now: datetime) -> int:
    """Return the seconds until the next unit begins in the time zone of ``now``, at least 1."""
    begun = now.replace(second=0, microsecond=0)
    # Subtracting times of the same time zone ignores changes of its offset, so convert to UTC.
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


_ROMAN = tuple(
    zip(
        (1000, 900, 500, 400, 100, 90, 50, 40, 10, 9, 5, 4, 1),
        ["M", "CM", "D", "CD", "C", "XC", "L", "XL", "X", "IX", "V", "IV", "I"],
        strict=True,
    )
)
_MAX_ROMAN = 10000
_HEBREW = tuple(
    zip(
        (400, 300, 200, 100, 90, 80, 70, 60, 50, 40, 30, 20, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1),
        "תשרקצפעסנמלכיטחזוהדגבא",
        strict=True,
    )
)
_MAX_HEBREW = 9999
_AVOIDED = {15: "טו", 16: "טז"}
"""Replacements for numbers whose regular letters would spell a name of God."""
_GERESH, _GERSHAYIM = "'", '"'


def roman(number: int) -> str:
    """Return a number in Roman numerals, or in digits beyond 10,000."""
    if not 0 < number <= _MAX_ROMAN:
        return str(number)
    written = []
    for value, letters in _ROMAN:
        count, number = divmod(number, value)
        written.append(letters * count)
    return "".join(written)


def hebrew(number: int) -> str:
    """Return a number in Hebrew numerals, or in digits beyond 9999."""
    if not 0 < number <= _MAX_HEBREW:
        return str(number)
    thousands, rest = divmod(number, 1000)
    before = _letters(thousands) + _GERESH if thousands else ""
    letters = _letters(rest)
    if len(letters) == 1:
        return f"{before}{letters}{_GERESH}"
    return f"{before}{letters[:-1]}{_GERSHAYIM}{letters[-1]}" if letters else before


def _letters(number: int) -> str:
    written: list[str] = []
    for value, letter in _HEBREW:
        if number in _AVOIDED:
            return "".join(written) + _AVOIDED[number]
        count, number = divmod(number, value)
        written.append(letter * count)
    return "".join(written)


_MONTHS = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
]
_DAYS = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
_ENGLISH = "en"


def _offset(moment: datetime, colon: str) -> str:
    minutes = _seconds_east(moment) // 60
    sign = "-" if minutes < 0 else "+"
    return f"{sign}{abs(minutes) // 60:02d}{colon}{abs(minutes) % 60:02d}"


def _seconds_east(moment: datetime) -> int:
    offset = moment.utcoffset()
    return int(offset.total_seconds()) if offset else 0


def _long_month(moment: datetime) -> str:
    key = _MONTHS[moment.month - 1]
    return "may_long" if key == "may" else key


def _genitive(moment: datetime) -> str:
    return f"{_MONTHS[moment.month - 1]}-gen"


def _short_month(moment: datetime) -> str:
    return _MONTHS[moment.month - 1][:3]


def _day(moment: datetime) -> str:
    return _DAYS[moment.weekday()]


def _short_day(moment: datetime) -> str:
    return _DAYS[moment.weekday()][:3]


def _iso(moment: datetime) -> str:
    return f"{moment.year:04d}-{moment:%m-%dT%H:%M:%S}{_offset(moment, ':')}"


def _mail(moment: datetime) -> str:
    names = calendar_texts(_ENGLISH)
    day, month = names[_short_day(moment)], names[_short_month(moment)]
    return f"{day}, {moment:%d} {month} {moment.year:04d} {moment:%H:%M:%S} {_offset(moment, '')}"


_NAMES: Mapping[str, Callable[[datetime], str]] = MappingProxyType(
    {
        "D": _short_day,
        "l": _day,
        "F": _long_month,
        "M": _short_month,
        "xg": _genitive,
        **timecalendars.NAMES,
    }
)
"""Functions by letter that return the key of a name."""
_NUMBERS: Mapping[str, Callable[[datetime], object]] = MappingProxyType(
    {
        "d": lambda when: f"{when.day:02d}",
        "j": lambda when: when.day,
        "N": lambda when: when.isoweekday(),
        "w": lambda when: when.isoweekday() % 7,
        "z": lambda when: when.timetuple().tm_yday - 1,
        "W": lambda when: f"{when.isocalendar().week:02d}",
        "m": lambda when: f"{when.month:02d}",
        "n": lambda when: when.month,
        "t": lambda when: monthrange(when.year, when.month)[1],
        "L": lambda when: int(isleap(when.year)),
        "o": lambda when: when.isocalendar().year,
        "Y": lambda when: when.year,
        "y": lambda when: f"{when.year % 100:02d}",
        "g": lambda when: when.hour % 12 or 12,
        "h": lambda when: f"{when.hour % 12 or 12:02d}",
        "G": lambda when: when.hour,
        "H": lambda when: f"{when.hour:02d}",
        "i": lambda when: f"{when.minute:02d}",
        "s": lambda when: f"{when.second:02d}",
        "U": lambda when: int(when.timestamp()),
        **timecalendars.NUMBERS,
    }
)
_TEXTS: Mapping[str, Callable[[datetime], str]] = MappingProxyType(
    {
        "a": lambda when: "am" if when.hour < 12 else "pm",
        "A": lambda when: "AM" if when.hour < 12 else "PM",
        "e": lambda when: str(getattr(when.tzinfo, "key", when.tzname())),
        "I": lambda when: str(int(bool(when.dst()))),
        "O": lambda when: _offset(when, ""),
        "P": lambda when: _offset(when, ":"),
        "T": lambda when: when.tzname() or "",
        "Z": lambda when: str(_seconds_east(when)),
        "c": _iso,
        "r": _mail,
    }
)
_TOKEN = re.compile(r'"(?P<quoted>[^"]*)"|\\(?P<plain>.)|x[ijkmot].|x.|.', re.DOTALL)
_WRITTEN: Mapping[str, Callable[[int], str]] = MappingProxyType({"xr": roman, "xh": hebrew})
"""Functions that format the number after these letters."""


@dataclass(slots=True)
class _Writer:
    moment: datetime
    language: str
    messages: Messages | None
    raw: bool = False
    once: str = ""

    def write(self, match: re.Match[str]) -> str:
        """Return the text of one letter, quotation or escape of the format."""
        letter = match[0]
        if match["quoted"] is not None:
            return match["quoted"] or ('"' if letter == '"' else "")
        if match["plain"] is not None:
            return match["plain"]
        if letter in ("xn", "xr", "xh", "xN"):
            self.raw ^= letter == "xN"
            self.once = letter if letter != "xN" else self.once
            return ""
        if letter == "xx":
            return "x"
        if name := _NAMES.get(letter):
            return calendar_name(name(self.moment), self.language, self.messages)
        if text := _TEXTS.get(letter):
            return text(self.moment)
        number = _NUMBERS.get(letter)
        return self._number(str(number(self.moment))) if number else letter

    def _number(self, text: str) -> str:
        once, self.once = self.once, ""
        if once in _WRITTEN and text.isdecimal():
            return _WRITTEN[once](int(text))
        # The year of a Japanese era, which is no number, keeps its digits.
        plain = once or self.raw or not text.lstrip("-").isdecimal()
        return text if plain else localize_digits(text, self.language)


def format_moment(
    pattern: str, moment: datetime, language: str, messages: Messages | None = None
) -> str:
    """Return a time in a format such as ``j F Y``, with the names and digits of a language.

    Args:
        pattern: the format.
        moment: the time.
        language: the code of the language.
        messages: the messages that name months and days; without them, CLDR does.
    """
    return _TOKEN.sub(_Writer(moment, language, messages).write, pattern)


_UNITS: Mapping[str, Unit] = MappingProxyType(
    {
        letter: unit
        for letters, unit in (
            ("sUcr", Unit.SECOND),
            ("i", Unit.MINUTE),
            ("gGhH", Unit.HOUR),
            ("aAdjDlNwz", Unit.DAY),
            # The ISO year ``o`` begins with a week.
            ("Wo", Unit.WEEK),
            ("FMmnt", Unit.MONTH),
            ("yYL", Unit.YEAR),
        )
        for letter in letters
    }
    # Months and years of other calendars may begin on any Gregorian day.
    | dict.fromkeys((*timecalendars.NAMES, *timecalendars.NUMBERS), Unit.DAY)
    | {"xg": Unit.MONTH}
)


@memoize(256)
def finest_unit(pattern: str) -> Unit | None:
    """Return the finest unit on which a format depends; ``None`` if it depends on none."""
    letters = (match[0] for match in _TOKEN.finditer(pattern))
    return min((_UNITS[letter] for letter in letters if letter in _UNITS), default=None)
