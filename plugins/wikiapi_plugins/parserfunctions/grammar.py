"""``grammar``, ``#formal`` and ``bidi``: what a language asks of the words in it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wikiapi.wikitext.declarations import ParserFunction
from wikiapi.wikitext.html.direction import isolated

if TYPE_CHECKING:
    from wikiapi.wikitext.expand.call import FunctionCall

_FORMAL = ("-formal", "-x-formal")


def grammar(call: FunctionCall) -> str:
    """The word as it is: its other forms are for each wiki to configure, and none is."""
    return call.arg(1)


def formal(call: FunctionCall) -> str:
    """The informal form, or the formal one on pages in the formal variety of a language."""
    index = 1 if call.state.page_language.endswith(_FORMAL) else 0
    return call.arg(index, call.first)


def bidi(call: FunctionCall) -> str:
    """The text kept from changing the direction of what is around it."""
    return isolated(call.first)


DECLARATIONS = (
    ParserFunction("grammar", grammar),
    ParserFunction("#FORMAL", formal, case_sensitive=True),
    ParserFunction("bidi", bidi),
)
