"""``{{NUMBERINGROUP:group|R}}``: how many accounts are in a user group."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wikiapi.wikitext.declarations import ParserFunction
from wikiapi_plugins.variables.statistics import count_in_group, shown

if TYPE_CHECKING:
    from wikiapi.wikitext.expand.call import FunctionCall


def numberingroup(call: FunctionCall) -> str:
    """The count; group names are in lower case."""
    count = count_in_group(call.first.lower(), call.state)
    return shown(count, call.arg(1), call.state.page_language)


DECLARATIONS = (
    ParserFunction("NUMBERINGROUP", numberingroup, ("NUMINGROUP",), case_sensitive=True),
)
