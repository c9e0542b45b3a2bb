"""Statistics of the wiki, such as ``{{NUMBEROFPAGES}}``; with ``:R`` without separators."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import partial
from types import MappingProxyType

from wikiapi.languages import format_number
from wikiapi.title import MAIN
from wikiapi.wikitext import FunctionCall, ParserFunction, ParseState, Variable

ADMINISTRATORS = "sysop"
RAW = "rawsuffix"
_HOUR = 3600


def count_in_group(group: str, state: ParseState) -> int:
    """Return the current number of accounts in a user group."""
    return state.lookups.members_of_group(group, f"{state.now:%Y%m%d%H%M%S}")


_WORDS: Mapping[str, Callable[[ParseState], int]] = MappingProxyType(
    {
        "NUMBEROFARTICLES": lambda state: state.lookups.statistics.articles,
        "NUMBEROFFILES": lambda state: state.lookups.statistics.images,
        "NUMBEROFUSERS": lambda state: state.lookups.statistics.users,
        "NUMBEROFACTIVEUSERS": lambda state: state.lookups.statistics.active_users,
        "NUMBEROFPAGES": lambda state: state.lookups.statistics.pages,
        "NUMBEROFADMINS": partial(count_in_group, ADMINISTRATORS),
        "NUMBEROFEDITS": lambda state: state.lookups.statistics.edits,
    }
)


def counted(number: int, option: str, state: ParseState) -> str:
    """Return a number in the page's language, or plain digits with the option ``R``."""
    return count_text(number, state, is_raw=state.site.magic_words.matches(RAW, option))


def count_text(number: int, state: ParseState, *, is_raw: bool = False) -> str:
    """Return a number in the page's language, or plain digits."""
    return str(number) if is_raw else format_number(str(number), state.page_language)


def _variable(count: Callable[[ParseState], int], state: ParseState) -> str:
    return count_text(count(state), state)


def _function(count: Callable[[ParseState], int], call: FunctionCall) -> str:
    return counted(count(call.state), call.first, call.state)


_INTEGER = re.compile(r"\s*[+-]?[0-9]{1,9}", re.ASCII)


def pages_in_namespace(call: FunctionCall) -> str:
    """Return the number of pages in the namespace with a number, or in the main namespace."""
    match = _INTEGER.match(call.first)
    number = call.state.lookups.pages_in_namespace(int(match[0]) if match else MAIN)
    return counted(number, call.arg(1), call.state)


DECLARATIONS = tuple(
    Variable(word, partial(_variable, count), cache_seconds=_HOUR) for word, count in _WORDS.items()
)
FUNCTIONS = tuple(
    ParserFunction(word, partial(_function, count), case_sensitive=True)
    for word, count in _WORDS.items()
)
SLOW_FUNCTIONS = (
    ParserFunction("PAGESINNAMESPACE", pages_in_namespace, ("PAGESINNS",), case_sensitive=True),
)
"""The functions that count pages each time, which a wiki allows in its settings."""
