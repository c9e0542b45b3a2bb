"""Counts of the wiki: ``{{NUMBEROFPAGES}}`` and the like; with ``|R`` without separators."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from wikiapi.store import sitestats
from wikiapi.wikitext.declarations import ParserFunction, Variable
from wikiapi.wikitext.numbers import group_digits

if TYPE_CHECKING:
    from wikiapi.wikitext.expand.call import FunctionCall
    from wikiapi.wikitext.state import ParseState

_WORDS = {
    "NUMBEROFARTICLES": "articles",
    "NUMBEROFPAGES": "pages",
    "NUMBEROFEDITS": "edits",
    "NUMBEROFFILES": "images",
    "NUMBEROFUSERS": "users",
    "NUMBEROFACTIVEUSERS": "active_users",
}
_HOUR = 3600


def _count(field: str, state: ParseState) -> int:
    return int(getattr(sitestats.statistics(state.site.db), field) or 0)


def _variable(field: str, state: ParseState) -> str:
    return group_digits(str(_count(field, state)), state.site.language)


def _function(field: str, call: FunctionCall) -> str:
    number = str(_count(field, call.state))
    return number if call.first.upper() == "R" else group_digits(number, call.site.language)


DECLARATIONS = tuple(
    Variable(word, partial(_variable, field), cache_seconds=_HOUR) for word, field in _WORDS.items()
)
FUNCTIONS = tuple(
    ParserFunction(word, partial(_function, field), case_sensitive=True)
    for word, field in _WORDS.items()
)
