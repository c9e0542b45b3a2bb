"""Languages: which codes are sound, how each is written, in which direction."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from babel import Locale, UnknownLocaleError, localedata
from babel.core import get_global
from babel.localedata import locale_identifiers

from wikiapi.memoize import memoize

MOST_LOCALES = 16
"""Locales whose data stay in memory, some 200 kB each; CLDR has more than a thousand."""

_CODE = re.compile(r"[A-Za-z][A-Za-z0-9]*(?:-[A-Za-z0-9]+)*\Z", re.ASCII)

_AFTER_LANGUAGE = re.compile(r"[-.@]")

_HTML_CODES = {
    "als": "gsw",
    "bat-smg": "sgs",
    "be-x-old": "be-tarask",
    "cbk-zam": "cbk",
    "crh-ro": "crh-Latn-RO",
    "de-formal": "de-x-formal",
    "eml": "egl",
    "en-rtl": "en-x-rtl",
    "es-formal": "es-x-formal",
    "fiu-vro": "vro",
    "hu-formal": "hu-x-formal",
    "kk-cn": "kk-Arab-CN",
    "kk-tr": "kk-Latn-TR",
    "map-bms": "jv-x-bms",
    "mo": "ro-Cyrl-MD",
    "nl-informal": "nl-x-informal",
    "nrm": "nrf",
    "roa-rup": "rup",
    "roa-tara": "nap-x-tara",
    "simple": "en-simple",
    "sr-ec": "sr-Cyrl",
    "sr-el": "sr-Latn",
    "zh-classical": "lzh",
    "zh-cn": "zh-Hans-CN",
    "zh-hk": "zh-Hant-HK",
    "zh-min-nan": "nan",
    "zh-mo": "zh-Hant-MO",
    "zh-my": "zh-Hans-MY",
    "zh-sg": "zh-Hans-SG",
    "zh-tw": "zh-Hant-TW",
    "zh-yue": "yue",
}
"""MediaWiki codes that BCP 47 spells otherwise."""


def is_language_code(code: str) -> bool:
    """Return whether a text can be a language code at all; it need not be one that is known."""
    return len(code) <= 63 and bool(_CODE.match(code))


def html_code(code: str) -> str:
    """Return the BCP 47 form of a MediaWiki language code, for the ``lang`` attribute."""
    code = code.lower()
    if code in _HTML_CODES:
        return _HTML_CODES[code]
    parts = code.split("-")
    return "-".join([parts[0], *map(_subtag, parts, parts[1:])])


_INTERNAL_CODES = {bcp47.lower(): code for code, bcp47 in _HTML_CODES.items()} | {
    "be-tarask": "be-tarask",
    "egl": "eml",
    "gsw": "als",
}


def internal_code(code: str) -> str:
    """Return MediaWiki's code for a language with another code in BCP 47."""
    return _INTERNAL_CODES.get(code.lower(), code.lower())


def _subtag(before: str, part: str) -> str:
    if before == "x":
        return part
    if len(part) == 2 and part.isalpha():
        return part.upper()
    return part.capitalize() if len(part) == 4 and part.isalpha() else part


@memoize(MOST_LOCALES)
def cldr_locale(code: str) -> Locale | None:
    """Return the CLDR data of a language by its code; None for what CLDR does not know.

    Not to be kept: a locale holds all of its language's data.
    """
    # Babel compares an unknown code with every known one, in every form that it might be meant as.
    if _AFTER_LANGUAGE.split(code, 1)[0].lower() not in _cldr_languages():
        return None
    with localedata._cache_lock:
        _forget_old_data()
        try:
            return _OwnLocale.parse(code, sep="-")
        except (UnknownLocaleError, ValueError):
            return None


def locale_of(language: str) -> Locale:
    """Return the CLDR data of a language, or of English for one that CLDR does not know."""
    return cldr_locale(language) or _OwnLocale.parse("en")


class _OwnLocale(Locale):
    """A locale with dictionaries of its own.

    Babel lets languages share what they inherit, and writes into it what an alias stands for in
    the one that is asked first: Dutch would have the Hebrew names of months.
    """

    _own: localedata.LocaleDataDict | None = None

    @property
    def _data(self) -> localedata.LocaleDataDict:
        if self._own is None:
            self._own = localedata.LocaleDataDict(_copied(localedata.load(str(self))))
        return self._own


def _copied(data: Mapping[Any, Any]) -> dict[Any, Any]:
    """Return a copy of nested dictionaries; the values in them are never changed."""
    return {key: _copied(value) if type(value) is dict else value for key, value in data.items()}


def _forget_old_data() -> None:
    """Remove the oldest of Babel's cached locales, which it never removes itself."""
    cached = localedata._cache
    for name in [*cached][: max(0, len(cached) - MOST_LOCALES)]:
        del cached[name]


@lru_cache(maxsize=1)
def _cldr_languages() -> frozenset[str]:
    """Return the beginnings of codes of languages that CLDR knows, in lower case."""
    own = {identifier.partition("_")[0].lower() for identifier in locale_identifiers()}
    meant = {
        alias
        for alias, name in get_global("language_aliases").items()
        if name.partition("_")[0].lower() in own
    }
    return frozenset({*own, *meant, "und"})


@memoize(2048)
def direction(code: str) -> str:
    """Return the text direction of a language by CLDR: ``ltr`` or ``rtl``."""
    locale = cldr_locale(code)
    return "rtl" if locale and locale.character_order == "right-to-left" else "ltr"


@memoize(2048)
def is_known_language(code: str) -> bool:
    """Return whether CLDR knows the language of a code."""
    return code == code.lower() and cldr_locale(code) is not None


@memoize(1024)
def autonym(code: str) -> str:
    """Return a language's name in itself, empty for what is no language code known to CLDR."""
    if not is_language_code(code):
        return ""
    locale = cldr_locale(code)
    return (locale and locale.get_display_name(locale)) or ""
