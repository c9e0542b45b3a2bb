"""``{{DEFAULTSORT:key}}``: where the page stands in its categories."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wikiapi.wikitext.declarations import ParserFunction

if TYPE_CHECKING:
    from wikiapi.wikitext.expand.call import FunctionCall

_NO_ERROR = "noerror"
_NO_REPLACE = "noreplace"


def defaultsort(call: FunctionCall) -> str:
    """Set the default sort key; a second, different one is noted as a mistake."""
    state, key, option = call.state, call.first, call.arg(1).lower()
    old = state.default_sort
    if not key or (old is not None and option == _NO_REPLACE):
        return ""
    state.default_sort = key
    state.output.properties["defaultsort"] = key
    if old is None or old == key or option in (_NO_ERROR, _NO_REPLACE):
        return ""
    state.warn("duplicate-defaultsort", old, key)
    return state.error("duplicate-defaultsort", old, key)


DECLARATIONS = (
    ParserFunction(
        "DEFAULTSORT",
        defaultsort,
        ("DEFAULTSORTKEY", "DEFAULTCATEGORYSORT"),
        case_sensitive=True,
    ),
)
