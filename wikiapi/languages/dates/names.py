"""The names of months and days by MediaWiki's message keys, such as ``january-gen`` and ``sun``.

A wiki's messages win. Else the names are CLDR's, and those of the months of other calendars are in
``calendarnames.json``.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from importlib import resources
from types import MappingProxyType
from typing import Any, Protocol

from wikiapi.languages.codes import cldr_locale, locale_of
from wikiapi.languages.message import Template
from wikiapi.memoize import memoize

_UNNAMED = "M01"
"""What CLDR has in place of the name of January."""
_ROOT = "en"
_CALENDARS = "calendarnames.json"
_ADARS = {13: "6a", 14: "6b"}
"""The numbers in keys of the two months of a leap year that stand for the sixth."""
_HEBREW = "hebrew"


class Messages(Protocol):
    """Messages by key and language."""

    def find(self, key: str, language: str) -> Template | None:
        """Return the text of a message in a language or a fallback of it, or ``None``."""


def calendar_name(key: str, language: str, messages: Messages | None) -> str:
    """Return the name of a month or a day, by the key of its message."""
    message = messages.find(key, language) if messages else None
    is_english = message is not None and message.language == _ROOT != language
    if message and not (is_english and cldr_locale(language)):
        return message.text
    own = calendar_texts(language).get(key) or _months_of_other_calendars(language).get(key)
    if own is not None:
        return own
    if message:
        return message.text
    return {**calendar_texts(_ROOT), **_months_of_other_calendars(_ROOT)}[key]


@memoize(64)
def calendar_texts(language: str) -> Mapping[str, str]:
    """Return the names of months and days by message key: ``january``, ``jan``, ``sun``.

    It is empty for a language of which CLDR has no names, but only numbers such as ``M01``.
    """
    locale, english = locale_of(language), locale_of(_ROOT)
    texts: dict[str, str] = {}
    if locale.months["format"]["wide"][1] == _UNNAMED:
        return texts
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


def month_key(calendar: str, month: int, *, genitive: bool = False) -> str:
    """Return the key of the message that names a month of another calendar than the Gregorian."""
    number = _ADARS.get(month, month) if calendar == _HEBREW else month
    return f"{calendar}-calendar-m{number}{'-gen' if genitive else ''}"


@memoize(64)
def _months_of_other_calendars(language: str) -> Mapping[str, str]:
    calendars = _calendars().get(language.partition("-")[0], {})
    return {
        month_key(calendar, number, genitive=genitive): name
        for calendar, names in calendars.items()
        for number, name in enumerate(names, 1)
        for genitive in ((False, True) if calendar == _HEBREW else (False,))
    }


@cache
def _calendars() -> Mapping[str, Mapping[str, list[str]]]:
    text = resources.files(__package__).joinpath(_CALENDARS).read_text(encoding="utf-8")
    names: dict[str, dict[str, list[str]]] = json.loads(text)
    return names
