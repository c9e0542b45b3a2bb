"""``lc``, ``uc``, ``lcfirst``, ``ucfirst``: letter case; strip markers stay as they are."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from wikiapi.wikitext.declarations import ParserFunction
from wikiapi.wikitext.expand.strip import outside_markers

if TYPE_CHECKING:
    from collections.abc import Callable

    from wikiapi.wikitext.expand.call import FunctionCall


def _all(change: Callable[[str], str], call: FunctionCall) -> str:
    return outside_markers(lambda text: _simple(change, text), call.first)


def _first(change: Callable[[str], str], call: FunctionCall) -> str:
    return _simple(change, call.first[:1]) + call.first[1:]


def _simple(change: Callable[[str], str], text: str) -> str:
    """The changed text; a letter that has no single letter as its other case stays."""
    changed = change(text)
    if len(changed) == len(text):
        return changed
    return "".join(other if len(other := change(letter)) == 1 else letter for letter in text)


DECLARATIONS = (
    ParserFunction("lc", partial(_all, str.lower)),
    ParserFunction("uc", partial(_all, str.upper)),
    ParserFunction("lcfirst", partial(_first, str.lower)),
    ParserFunction("ucfirst", partial(_first, str.upper)),
)
