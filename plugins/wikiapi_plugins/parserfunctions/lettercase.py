"""``lc``, ``uc``, ``lcfirst``, ``ucfirst``: letter case; strip markers stay as they are."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from wikiapi.wikitext.declarations import ParserFunction
from wikiapi.wikitext.expand.strip import MARKER

if TYPE_CHECKING:
    from collections.abc import Callable

    from wikiapi.wikitext.expand.call import FunctionCall


def _outside_markers(change: Callable[[str], str], call: FunctionCall) -> str:
    text = call.first
    if "\x7f" not in text:
        return change(text)
    out: list[str] = []
    position = 0
    for match in MARKER.finditer(text):
        out += (change(text[position : match.start()]), match[0])
        position = match.end()
    return "".join([*out, change(text[position:])])


def _first(change: Callable[[str], str], call: FunctionCall) -> str:
    text = call.first
    changed = change(text[:1])
    return changed + text[1:] if len(changed) == 1 else text


DECLARATIONS = (
    ParserFunction("lc", partial(_outside_markers, str.lower)),
    ParserFunction("uc", partial(_outside_markers, str.upper)),
    ParserFunction("lcfirst", partial(_first, str.lower)),
    ParserFunction("ucfirst", partial(_first, str.upper)),
)
