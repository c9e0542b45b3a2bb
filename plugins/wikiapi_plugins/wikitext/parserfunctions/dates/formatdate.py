"""``{{#formatdate:date|format}}``: reformats a date, and marks it up as a date."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType

from wikiapi.i18n.dates import locale_of
from wikiapi.wikitext import FunctionCall, ParserFunction

_MONTHS = 12
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
_LAYOUTS: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        "dmy": ("{day} {month} {year}", "{day} {month}"),
        "mdy": ("{month} {day}, {year}", "{month} {day}"),
        "ymd": ("{year} {month} {day}", "{month} {day}"),
    }
)
"""The layouts of a date with and without its year, by format."""


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


@cache
def _month_names(language: str) -> Mapping[str, int]:
    """Return the numbers of months by their long and short names in lower case."""
    months = locale_of(language).months
    names: dict[str, int] = {}
    for context in ("format", "stand-alone"):
        for width in ("wide", "abbreviated"):
            for number, name in months[context][width].items():
                names.setdefault(name.lower().rstrip("."), number)
    return names


@cache
def _readers(language: str) -> tuple[re.Pattern[str], ...]:
    names = sorted(_month_names(language), key=len, reverse=True)
    group = f"(?P<name>{'|'.join(map(re.escape, names))})"
    return tuple(
        re.compile(rf"{pattern.replace('{names}', group)}(?![a-z])\Z", re.IGNORECASE)
        for pattern in _PATTERNS.values()
    )


def _read(text: str, language: str) -> tuple[_Date, bool] | None:
    """Return the date in a text, and whether it is in ISO 8601 format; ``None`` if invalid."""
    for reader in _readers(language):
        match = reader.match(text)
        if match:
            date = _date(match.groupdict(), language)
            return (date, "isoyear" in match.re.groupindex) if date else None
    return None


def _date(parts: Mapping[str, str | None], language: str) -> _Date | None:
    name = parts.get("name")
    month = _month_names(language)[name.lower()] if name else int(parts.get("month") or 0)
    if not 1 <= month <= _MONTHS:
        return None
    day = int(parts.get("day") or parts.get("isoday") or 0)
    if parts.get("isoyear"):
        return _Date(month, day, int(parts["isoyear"] or 0))
    return _Date(month, day, _year(parts.get("year")))


def _year(text: str | None) -> int | None:
    if not text:
        return None
    digits = text.upper().removesuffix("BC").strip()
    return 1 - int(digits) if digits != text else int(digits)


def _shown(date: _Date, layout: str, language: str) -> str:
    month = locale_of(language).months["stand-alone"]["wide"][date.month]
    with_year, without = _LAYOUTS[layout]
    if date.year is None:
        return without.format(day=date.day, month=month)
    year = str(date.year) if date.year > 0 else f"{1 - date.year} BC"
    return with_year.format(day=date.day, month=month, year=year)


def formatdate(call: FunctionCall) -> str:
    """Return a date in the format ``dmy``, ``mdy``, ``ymd`` or ``ISO 8601``.

    Text that is not a date is returned unchanged.
    """
    language = call.state.page_language
    found = _read(call.first, language)
    if found is None:
        return call.first
    date, is_iso = found
    layout = call.arg(1).lower()
    text = call.first
    if layout in _LAYOUTS:
        text = _shown(date, layout, language)
    elif layout == "iso 8601" and date.year is not None and not is_iso:
        text = date.iso
    return f'<span class="mw-formatted-date" title="{date.iso}">{text}</span>'


DECLARATIONS = (ParserFunction("#formatdate", formatdate, ("#dateformat",)),)
