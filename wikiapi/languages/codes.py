"""Language codes, and facts about languages from CLDR."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from babel import Locale, UnknownLocaleError, localedata
from babel.core import get_global
from babel.localedata import locale_identifiers

from wikiapi.memoize import memoize

MAX_LOCALES = 16
"""The number of locales kept in memory, some 200 kB each; CLDR has more than a thousand."""

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
"""MediaWiki's codes that differ from those of BCP 47."""


def is_language_code(code: str) -> bool:
    """Return whether a text has the form of a language code, whether or not that is known."""
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
    """Return MediaWiki's code for a BCP 47 code."""
    return _INTERNAL_CODES.get(code.lower(), code.lower())


def _subtag(before: str, part: str) -> str:
    if before == "x":
        return part
    if len(part) == 2 and part.isalpha():
        return part.upper()
    return part.capitalize() if len(part) == 4 and part.isalpha() else part


@memoize(MAX_LOCALES)
def cldr_locale(code: str) -> Locale | None:
    """Return the CLDR data of a language by its code, or None if CLDR does not have it.

    Do not keep a reference to the locale, since it contains all data of the language.
    """
    # Checked first, because Babel is slow for unknown codes: it compares them with all known ones.
    if _AFTER_LANGUAGE.split(code, 1)[0].lower() not in _cldr_languages():
        return None
    with localedata._cache_lock:
        # Remove the oldest of Babel's cached locales, which it never removes itself.
        cached = localedata._cache
        for name in [*cached][: max(0, len(cached) - MAX_LOCALES)]:
            del cached[name]
        try:
            return _OwnLocale.parse(code, sep="-")
        except (UnknownLocaleError, ValueError):
            return None


def locale_of(language: str) -> Locale:
    """Return the CLDR data of a language, or of English for one that CLDR does not know."""
    return cldr_locale(language) or _OwnLocale.parse("en")


class _OwnLocale(Locale):
    """A locale that does not share dictionaries with other locales.

    Babel shares inherited dictionaries between languages, and stores resolved aliases in them. The
    language used first therefore affects others: Dutch could get the Hebrew names of months.
    """

    _own: localedata.LocaleDataDict | None = None

    @property
    def _data(self) -> localedata.LocaleDataDict:
        if self._own is None:
            self._own = localedata.LocaleDataDict(_copied(localedata.load(str(self))))
        return self._own


def _copied(data: Mapping[Any, Any]) -> dict[Any, Any]:
    """Return a copy of nested dictionaries, with the same values."""
    return {key: _copied(value) if type(value) is dict else value for key, value in data.items()}


@lru_cache(maxsize=1)
def _cldr_languages() -> frozenset[str]:
    """Return the first parts of the codes that CLDR knows, and of their aliases, in lower case."""
    own = {identifier.partition("_")[0].lower() for identifier in locale_identifiers()}
    meant = {
        alias
        for alias, name in get_global("language_aliases").items()
        if name.partition("_")[0].lower() in own
    }
    return frozenset({*own, *meant, "und"})


@memoize(2048)
def is_known_language(code: str) -> bool:
    """Return whether a code is in lower case and CLDR knows its language."""
    return code == code.lower() and cldr_locale(code) is not None


_UNNAMED = frozenset({
    "aae", "abr", "abs", "acf", "acm", "aig", "aii", "ami", "ayh", "azb", "bat-smg", "bci", "bcl",
    "bdr", "bft", "blk", "btm", "bto", "cbk-zam", "cdo", "cpx", "dag", "dga", "diq", "dlg", "dty",
    "eml", "fiu-vro", "fvr", "gcf", "gcr", "gld", "gpe", "guw", "hke", "hno", "hoc", "hyw", "igl",
    "kai", "kbp", "kge", "kjh", "kjp", "knc", "ksw", "kus", "lbe", "ljp", "lki", "luz", "map-bms",
    "mey", "mhr", "mnw", "mui", "nah", "nit", "nmz", "nod", "nrm", "nup", "nys", "olo", "phr",
    "pih", "pnb", "prs", "pwn", "qqq", "qqx", "rki", "rmc", "rmy", "roa-rup", "roa-tara", "rsk",
    "ruq", "rut", "ryu", "shy", "simple", "sro", "sty", "syl", "szy", "tay", "tdd", "tmr", "ttj",
    "wls", "wlx", "xsy", "yua",
})  # fmt: skip
"""Codes of MediaWiki for which CLDR has neither data nor a name."""


def is_existing_language(code: str) -> bool:
    """Return whether a code is one of MediaWiki's, or CLDR has at least a name for its language."""
    if not is_language_code(code):
        return False
    parts = (code, code.partition("-")[0])
    if is_known_language(code) or not _UNNAMED.isdisjoint(parts):
        return True
    names = _OwnLocale.parse("en").languages
    return code == code.lower() and any(part.replace("-", "_") in names for part in parts)


@memoize(1024)
def autonym(code: str) -> str:
    """Return the name of a language in that language, or "" if CLDR does not know the code."""
    if not is_language_code(code):
        return ""
    locale = cldr_locale(code)
    return (locale and locale.get_display_name(locale)) or ""
