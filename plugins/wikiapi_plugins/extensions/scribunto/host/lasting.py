"""The answers that are the same on every page: who was given one need not ask again."""

from __future__ import annotations

import re
from typing import Any

from wikiapi.i18n.languages import cldr_locale

_DATE = re.compile(r"[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}\Z", re.ASCII)
_FORMAT_DATE = "language.formatDate"
_ALWAYS = frozenset(
    {
        "address",
        "anchorEncode",
        "entity",
        "language.caseFold",
        "language.convertGrammar",
        "language.fetchLanguageName",
        "language.fetchLanguageNames",
        "language.formatNum",
        "language.getFallbacksFor",
        "language.isKnownLanguageTag",
        "language.isRTL",
        "language.isSupportedLanguage",
        "language.isValidBuiltInCode",
        "language.isValidCode",
        "language.parseFormattedNumber",
        "language.plural",
        "language.toBcp47Code",
        "site.interwikiMap",
        "title.make",
        "title.new",
        "title.partialUrl",
        "title.subject",
        "title.talk",
        "title.url",
    }
)
"""Operations whose answers come from the arguments and the wiki's configuration alone."""


def lasts(operation: str, arguments: list[Any]) -> bool:
    """Whether an answer depends neither on the page nor on what the database holds."""
    return operation in _ALWAYS or (operation == _FORMAT_DATE and _is_fixed(*arguments[:3]))


def _is_fixed(code: str, _pattern: str, moment: str) -> bool:
    """Whether a moment is the same whenever one asks, and its language known.

    Where a language is not known, that of the page takes its place.
    """
    return bool(_DATE.match(moment)) and cldr_locale(code) is not None
