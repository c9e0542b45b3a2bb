"""Calendars other than the Gregorian, for the letters ``xi``, ``xj``, ``xm`` and others.

Thai, Minguo and Japanese dates are Gregorian dates with differently counted years.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from itertools import accumulate
from types import MappingProxyType

from wikiapi.languages.dates.names import month_key

_THAI = 543
_MINGUO = -1911
_ERAS = (
    ((2019, 5, 1), 2019, "令和"),
    ((1989, 1, 8), 1989, "平成"),
    ((1926, 12, 25), 1926, "昭和"),
    ((1912, 7, 30), 1912, "大正"),
    ((1873, 1, 1), 1868, "明治"),
)
"""Japanese eras: first day, first year, name.

The last one is used from the day on which Japan adopted the Gregorian calendar.
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
"""Functions by format letters that return a number or, for a Japanese year, its era and number."""


NAMES: Mapping[str, Callable[[datetime], str]] = MappingProxyType(
    {
        "xiF": lambda when: month_key("iranian", iranian(when).month),
        "xmF": lambda when: month_key("hijri", hijri(when).month),
        "xjF": lambda when: month_key("hebrew", hebrew(when).month),
        "xjx": lambda when: month_key("hebrew", hebrew(when).month, genitive=True),
    }
)
"""Functions by format letters that return the key of a month's name; ``xjx`` is the genitive."""


# All three calendars are arithmetical, as in MediaWiki: the Iranian one has eight leap years in 33
# years (which agrees with the equinox from 1898 to 2123), the Hijri one follows the civil tables,
# and the Hebrew one the fixed molad. The formulas are those of Reingold and Dershowitz's
# *Calendrical Calculations*. Days are numbered as by ``date.toordinal``.

_IRANIAN_EPOCH = 226_895
_HIJRI_EPOCH = 227_015
_HEBREW_EPOCH = -1_373_427
_ADAR = 6
_ADAR_I, _ADAR_II = 13, 14


@dataclass(frozen=True, slots=True)
class CalendarDate:
    """A date, with the ``length`` of its month and the ``elapsed`` days of its year before it."""

    year: int
    month: int
    day: int
    length: int
    elapsed: int


def _dated(
    day: int, year: int, first: Callable[[int], int], lengths: Sequence[int]
) -> CalendarDate:
    elapsed = day - first(year)
    starts = [0, *accumulate(lengths[:-1])]
    month = bisect_right(starts, elapsed)
    return CalendarDate(year, month, elapsed - starts[month - 1] + 1, lengths[month - 1], elapsed)


def _year_of(day: int, guess: int, first: Callable[[int], int]) -> int:
    """Return the year of a day, given a guess that is wrong by at most one year."""
    if day < first(guess):
        return guess - 1
    return guess + (day >= first(guess + 1))


def _iranian_first(year: int) -> int:
    return _IRANIAN_EPOCH + 365 * (year - 1) + (8 * year + 21) // 33


def iranian(moment: date) -> CalendarDate:
    """Return the Iranian date. Month 1 is Farvardin."""
    day = moment.toordinal()
    year = _year_of(day, (day - _IRANIAN_EPOCH) * 33 // 12053 + 1, _iranian_first)
    is_leap = _iranian_first(year + 1) - _iranian_first(year) == 366
    return _dated(day, year, _iranian_first, [31] * 6 + [30] * 5 + [29 + is_leap])


def _hijri_first(year: int) -> int:
    return _HIJRI_EPOCH + (year - 1) * 354 + (3 + 11 * year) // 30


def hijri(moment: date) -> CalendarDate:
    """Return the Hijri date. Month 1 is Muharram."""
    day = moment.toordinal()
    year = (30 * (day - _HIJRI_EPOCH) + 10646) // 10631
    is_leap = _hijri_first(year + 1) - _hijri_first(year) == 355
    return _dated(day, year, _hijri_first, [30, 29] * 5 + [30, 29 + is_leap])


def _molad_day(year: int) -> int:
    months = (235 * year - 234) // 19
    day = 29 * months + (12084 + 13753 * months) // 25920
    # A year cannot begin on a Sunday, Wednesday or Friday.
    return day + (3 * (day + 1) % 7 < 3)


def _hebrew_first(year: int) -> int:
    before, this, after = (_molad_day(each) for each in (year - 1, year, year + 1))
    delay = 2 if after - this == 356 else int(this - before == 382)
    return _HEBREW_EPOCH + this + delay


def hebrew(moment: date) -> CalendarDate:
    """Return the Hebrew date. Month 1 is Tishrei; the two Adars of a leap year are 13 and 14."""
    day = moment.toordinal()
    year = _year_of(day, (day - _HEBREW_EPOCH) * 98496 // 35975351 + 1, _hebrew_first)
    length = _hebrew_first(year + 1) - _hebrew_first(year)
    is_leap = length > 380
    adar = [30, 29] if is_leap else [29]
    autumn = [30, 29 + (length % 10 == 5), 30 - (length % 10 == 3), 29, 30]
    dated = _dated(day, year, _hebrew_first, [*autumn, *adar, 30, 29, 30, 29, 30, 29])
    if not is_leap or dated.month < _ADAR:
        return dated
    month = {_ADAR: _ADAR_I, _ADAR + 1: _ADAR_II}.get(dated.month, dated.month - 1)
    return CalendarDate(year, month, dated.day, dated.length, dated.elapsed)
