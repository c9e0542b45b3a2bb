"""Dates and times in the notation of a language: names from CLDR, in MediaWiki's order."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from types import MappingProxyType
from typing import Any

from babel.dates import format_date as babel_format_date

from wikiapi.i18n.languages import locale_of as locale_of
from wikiapi.memoize import memoize

_DATE_PATTERNS = {
    "ar": "d MMMM y",
    "de": "d. MMMM y",
    "es": "d MMM y",
    "fi": "d. MMMM'ta' y",
    "hu": "y. MMMM d.",
    "ja": "y年M月d日 (EEE)",
    "ko": "y년 M월 d일 (EEE)",
    "pt": "d 'de' MMMM 'de' y",
    "zh": "y年M月d日 (EEE)",
}
"""The patterns of the languages whose usual date is not day, name of the month and year."""


def format_by(pattern: str, moment: datetime, language: str) -> str:
    """Return a date in a CLDR pattern; ``MMMM`` is a month within a date, ``LLLL`` one alone."""
    return babel_format_date(moment, pattern, locale=locale_of(language))


def format_usual_date(moment: datetime, language: str) -> str:
    """Return a date as in a signature."""
    pattern = _DATE_PATTERNS.get(language.partition("-")[0], "d MMMM y")
    return format_by(pattern, moment, language)


def format_time_and_date(moment: datetime, language: str) -> str:
    """Return a time and date as in a signature, in the order of the language."""
    date = format_usual_date(moment, language)
    if language.partition("-")[0] in ("ja", "ko", "zh"):
        return f"{date} {moment:%H:%M}"
    return f"{moment:%H:%M}, {date}"


@memoize(64)
def calendar_texts(language: str) -> Mapping[str, str]:
    """Return the names of months and days by message key: ``january``, ``jan``, ``sun``."""
    locale, english = locale_of(language), locale_of("en")
    texts: dict[str, str] = {}
    for number, name in english.months["stand-alone"]["wide"].items():
        key = name.lower()
        short = english.months["format"]["abbreviated"][number].lower()[:3]
        texts[short] = locale.months["format"]["abbreviated"][number]
        texts[key] = texts["may_long" if key == "may" else key] = _alone(locale.months, number)
        texts[f"{key}-gen"] = locale.months["format"]["wide"][number]
    texts["may"] = locale.months["format"]["abbreviated"][5]
    for number, name in english.days["format"]["wide"].items():
        texts[name.lower()] = _alone(locale.days, number)
        texts[name.lower()[:3]] = locale.days["format"]["abbreviated"][number]
    return MappingProxyType(texts)


def _alone(names: Any, number: int) -> str:
    return str(names["stand-alone"]["wide"][number])
