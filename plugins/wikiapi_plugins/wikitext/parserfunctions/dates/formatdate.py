"""``{{#formatdate:date|format}}``: reformats a date, and marks it up as a date."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from types import MappingProxyType

from wikiapi.languages.dates import format_moment
from wikiapi.memoize import memoize
from wikiapi.wikitext import FunctionCall, ParserFunction, ParseState, PluginState

_MONTHS = 12
_ANY_YEAR = 2000
_YEAR = r"(?P<year>[0-9]{1,4}(?:[ ]?BC)?)"
_PAUSE = r"(?:,[ ]*|[ ]+)"
_DAY = r"(?P<day>[0-9]{1,2})"
_PATTERNS: Mapping[str, str] = MappingProxyType(
    {
        "dmy": rf"{_DAY} {{names}}{_PAUSE}{_YEAR}",
        "ydm": rf"{_YEAR}, ?{_DAY} {{names}}",
        "mdy": rf"{{names}} {_DAY}{_PAUSE}{_YEAR}",
        "ymd": rf"{_YEAR},? ?{{names}} {_DAY}",
        "dm": rf"{_DAY} {{names}}",
        "md": rf"{{names}} {_DAY}",
        "iso": r"(?P<isoyear>-?[0-9]{4})-(?P<month>[0-9]{2})-(?P<isoday>[0-9]{2})",
    }
)
"""Patterns of dates by name; ``{names}`` is replaced by the names of months."""
_LAYOUTS: Mapping[str, str] = MappingProxyType(
    {
        "dmy": "{day} {month} {year}",
        "ydm": "{year}, {day} {month}",
        "mdy": "{month} {day}, {year}",
        "ymd": "{year} {month} {day}",
        "dm": "{day} {month}",
        "md": "{month} {day}",
    }
)
"""The layouts of dates by the names of their patterns; ``iso`` has no names of months."""
_FORMATS = MappingProxyType({"dmy": "dmy", "mdy": "mdy", "ymd": "ymd", "iso 8601": "iso"})
"""The layout that each format has for a date with a year."""
_WITHOUT_YEAR = MappingProxyType({"dmy": "dm", "mdy": "md"})
"""The layout that a format has for a date without a year; in others it keeps its own."""


@dataclass(frozen=True, slots=True)
class _Date:
    """A date. The year 1 BC is 0; ``year`` is ``None`` if none was given."""

    month: int
    day: int
    year: int | None

    @property
    def iso(self) -> str:
        """The date in ISO 8601 format, without the year if none was given."""
        end = f"{self.month:02d}-{self.day:02d}"
        if self.year is None:
            return end
        return f"{'-' if self.year < 0 else ''}{abs(self.year):04d}-{end}"


class _Months:
    """The names of months in the language of a page."""

    def __init__(self, state: ParseState) -> None:
        """Take the long and the short names from the messages."""
        language, messages = state.page_language, state.site.messages
        firsts = [datetime(_ANY_YEAR, month, 1) for month in range(1, _MONTHS + 1)]
        self.names = [format_moment("F", first, language, messages) for first in firsts]
        short = [format_moment("M", first, language, messages) for first in firsts]
        self._numbers = {
            name.lower(): number % _MONTHS + 1 for number, name in enumerate([*self.names, *short])
        }
        self._patterns = _compiled(tuple(self._numbers))

    def read(self, text: str) -> tuple[_Date, str] | None:
        """Return the date in a text, and the name of its pattern; ``None`` if it is not valid."""
        for name, pattern in self._patterns.items():
            if match := pattern.match(text):
                date = self._date(match.groupdict())
                return (date, name) if date else None
        return None

    def _date(self, parts: Mapping[str, str | None]) -> _Date | None:
        name = parts.get("name")
        month = self._numbers.get(name.lower(), 0) if name else int(parts.get("month") or 0)
        if not 1 <= month <= _MONTHS:
            return None
        day = int(parts.get("day") or parts.get("isoday") or 0)
        if parts.get("isoyear"):
            return _Date(month, day, int(parts["isoyear"] or 0))
        text = parts.get("year")
        if not text:
            return _Date(month, day, None)
        digits = text.upper().removesuffix("BC").strip()
        return _Date(month, day, int(digits) if digits == text else 1 - int(digits))


_NAMES = PluginState(_Months)


@memoize(64)
def _compiled(names: tuple[str, ...]) -> Mapping[str, re.Pattern[str]]:
    group = f"(?P<name>{'|'.join(map(re.escape, sorted(names, key=len, reverse=True)))})"
    return {
        name: re.compile(rf"{pattern.replace('{names}', group)}(?![a-z])\Z", re.IGNORECASE)
        for name, pattern in _PATTERNS.items()
    }


def formatdate(call: FunctionCall) -> str:
    """Return a date in the format ``dmy``, ``mdy``, ``ymd`` or ``ISO 8601``.

    Without a format, the date keeps its own, with the full name of the month. Text that is not a
    date is returned unchanged.
    """
    months = call.state.plugin(_NAMES)
    result = months.read(call.first)
    if result is None:
        return call.first
    date, own = result
    layouts = _WITHOUT_YEAR if date.year is None else _FORMATS
    layout = layouts.get(call.arg(1).lower(), own)
    if layout == "iso":
        text = date.iso
    else:
        year = str(date.year) if date.year and date.year > 0 else f"{1 - (date.year or 0)} BC"
        text = _LAYOUTS[layout].format(day=date.day, month=months.names[date.month - 1], year=year)
    return f'<span class="mw-formatted-date" title="{date.iso}">{text}</span>'


DECLARATIONS = (ParserFunction("#formatdate", formatdate, ("#dateformat",)),)
