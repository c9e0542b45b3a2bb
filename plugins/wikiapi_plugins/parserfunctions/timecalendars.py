"""Moments in calendars other than the Gregorian: the letters ``xi``, ``xj``, ``xm`` and others.

The Thai, Minguo and Japanese dates are Gregorian ones whose years are counted otherwise.
"""

from __future__ import annotations

import json
from functools import cache
from importlib import resources
from types import MappingProxyType
from typing import TYPE_CHECKING

from wikiapi_plugins.parserfunctions.calendardates import hebrew, hijri, iranian

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from datetime import date, datetime

_FILE = "calendarnames.json"
_ENGLISH = "en"
_THAI = 543
_MINGUO = -1911
_ERAS = (
    ((2019, 5, 1), 2019, "令和"),
    ((1989, 1, 8), 1989, "平成"),
    ((1926, 12, 25), 1926, "昭和"),
    ((1912, 7, 30), 1912, "大正"),
    ((1873, 1, 1), 1868, "明治"),
)
"""Japanese eras: from which day they are used here, first year, name.

The last is used since Japan counts its days as others do.
"""
_FIRST_YEAR = "元"


def _japanese(day: date) -> str:
    for first, begun, era in _ERAS:
        if (day.year, day.month, day.day) >= first:
            count = day.year - begun + 1
            return era + (_FIRST_YEAR if count == 1 else str(count))
    return str(day.year)


NUMBERS: Mapping[str, Callable[[datetime], object]] = MappingProxyType(
    {
        "xij": lambda when: iranian(when).day,
        "xin": lambda when: iranian(when).month,
        "xiY": lambda when: iranian(when).year,
        "xiy": lambda when: f"{iranian(when).year % 100:02d}",
        "xit": lambda when: iranian(when).length,
        "xiz": lambda when: iranian(when).elapsed,
        "xmj": lambda when: hijri(when).day,
        "xmn": lambda when: hijri(when).month,
        "xmY": lambda when: hijri(when).year,
        "xjj": lambda when: hebrew(when).day,
        "xjn": lambda when: hebrew(when).month,
        "xjt": lambda when: hebrew(when).length,
        "xjY": lambda when: hebrew(when).year,
        "xkY": lambda when: when.year + _THAI,
        "xoY": lambda when: when.year + _MINGUO,
        "xtY": lambda when: _japanese(when),
    }
)
"""By letters: the number or, for a Japanese year, its era and number."""


@cache
def _names() -> dict[str, dict[str, list[str]]]:
    text = resources.files(__package__).joinpath(_FILE).read_text(encoding="utf-8")
    names: dict[str, dict[str, list[str]]] = json.loads(text)
    return names


def _name(calendar: str, month: int, language: str) -> str:
    """A month's name, in English where it is not known in the language."""
    names = _names()
    known = names.get(language.partition("-")[0], {})
    return (known.get(calendar) or names[_ENGLISH][calendar])[month - 1]


NAMES: Mapping[str, Callable[[datetime, str], str]] = MappingProxyType(
    {
        "xiF": lambda when, language: _name("iranian", iranian(when).month, language),
        "xmF": lambda when, language: _name("hijri", hijri(when).month, language),
        "xjF": lambda when, language: _name("hebrew", hebrew(when).month, language),
        "xjx": lambda when, language: _name("hebrew", hebrew(when).month, language),
    }
)
"""By letters: a month's name. ``xjx`` is its genitive, which is the same in these languages."""
