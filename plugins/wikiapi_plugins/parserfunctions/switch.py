"""``{{#switch:text|a|b=x|#default=y}}``: one of many texts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wikiapi.wikitext.declarations import ParserFunction
from wikiapi.wikitext.expand.text import trim
from wikiapi.wikitext.html.entities import decode_references
from wikiapi_plugins.parserfunctions.conditions import is_equal

if TYPE_CHECKING:
    from wikiapi.wikitext.expand.call import FunctionCall
    from wikiapi.wikitext.preprocess.nodes import Content

_DEFAULT = "#default"


def switch(call: FunctionCall) -> str:
    """The value of the first case that is equal; cases without ``=`` share the next one's value."""
    wanted = trim(decode_references(call.first))
    found = default_next = False
    default: Content | None = None
    last = None
    for part in call.parts:
        if part.name is None:
            last = _expanded(part.value, call)
            case = trim(decode_references(last))
            found = found or is_equal(case, wanted)
            default_next = default_next or case.lower() == _DEFAULT
            continue
        last = None
        case = trim(decode_references(_expanded(part.name, call)))
        if found or is_equal(case, wanted):
            return _expanded(part.value, call)
        if default_next or case.lower() == _DEFAULT:
            default, default_next = part.value, False
    if last is not None:
        return last
    return _expanded(default, call) if default else ""


def _expanded(content: Content, call: FunctionCall) -> str:
    return trim(call.state.expander.expand(content, call.frame))


DECLARATIONS = (ParserFunction("#switch", switch, raw=True),)
