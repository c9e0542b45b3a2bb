"""Dates and times as a language usually writes them, in signatures and by ``{{#timef:}}``.

``dateformats.json`` has the formats of MediaWiki's languages, in the letters of ``{{#time:}}``, and
``monthfirst.json`` the languages in which a wiki can choose to write the month before the day.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import datetime
from functools import cache
from typing import Literal

from wikiapi.languages.dates.names import Messages
from wikiapi.languages.dates.timeformat import format_moment
from wikiapi.languages.declared import nearest, same_language, tables
from wikiapi.memoize import memoize

Kind = Literal["both", "date", "time", "pretty"]
"""Time and date, one of them, or a date without its year where that is usual."""
_ROOT = "en"


def format_usual(
    kind: Kind,
    moment: datetime,
    language: str,
    messages: Messages | None = None,
    *,
    american: bool = False,
) -> str:
    """Return a time in a usual format of a language, with names from messages if they have them.

    With ``american``, the month comes before the day in languages that have this choice.
    """
    pattern = (american_format if american else usual_format)(kind, language)
    return format_moment(pattern, moment, language, messages)


@memoize(256)
def usual_format(kind: Kind, language: str) -> str:
    """Return a usual format of a language, or the English one."""
    formats = _formats()[kind]
    return nearest(formats, language) or formats[_ROOT]


_DAY_FIRST = re.compile(r"\bj(\.?) (F|M|xg) Y\b|\bj (F|M|xg)\b")
_ARABIC_COMMA = "\u060c"


@memoize(256)
def american_format(kind: Kind, language: str) -> str:
    """Return a usual format of a language with the month first, if it is one of those that can."""
    pattern = usual_format(kind, language)
    if same_language(tables("monthfirst.json")["american"], language) is None:
        return pattern
    comma = _ARABIC_COMMA if _ARABIC_COMMA in usual_format("both", language) else ","

    def month_first(match: re.Match[str]) -> str:
        dot, month, month_without_year = match.groups()
        if month is None:
            return f"{month_without_year} j"
        return f"{month} j{dot or comma} Y"

    return _DAY_FIRST.sub(month_first, pattern)


@cache
def _formats() -> Mapping[str, Mapping[str, str]]:
    return tables("dateformats.json")
