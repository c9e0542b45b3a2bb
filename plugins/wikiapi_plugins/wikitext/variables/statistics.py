"""Statistics of the wiki, such as ``{{NUMBEROFPAGES}}``; with ``:R`` without separators."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from types import MappingProxyType

from wikiapi.i18n.numbers import format_number
from wikiapi.wikitext import FunctionCall, ParserFunction, ParseState, Variable

ADMINISTRATORS = "sysop"
RAW = "R"
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


def shown(number: int, option: str, language: str) -> str:
    """Return a number formatted for a language, or plain digits with the option ``R``."""
    return str(number) if option == RAW else format_number(str(number), language)


def _variable(count: Callable[[ParseState], int], state: ParseState) -> str:
    return shown(count(state), "", state.page_language)


def _function(count: Callable[[ParseState], int], call: FunctionCall) -> str:
    return shown(count(call.state), call.first, call.state.page_language)


DECLARATIONS = tuple(
    Variable(word, partial(_variable, count), cache_seconds=_HOUR) for word, count in _WORDS.items()
)
FUNCTIONS = tuple(
    ParserFunction(word, partial(_function, count), case_sensitive=True)
    for word, count in _WORDS.items()
)
