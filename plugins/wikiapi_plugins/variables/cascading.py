"""``{{CASCADINGSOURCES}}``: the pages whose protection reaches a page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wikiapi.wikitext.declarations import ParserFunction, Variable
from wikiapi_plugins.parserfunctions.pagewords import named_page

if TYPE_CHECKING:
    from wikiapi.title.title import Title
    from wikiapi.wikitext.expand.call import FunctionCall
    from wikiapi.wikitext.state import ParseState


def _sources(title: Title, state: ParseState) -> str:
    if not state.expensive():
        return ""
    now = f"{state.now:%Y%m%d%H%M%S}"
    names = {
        state.site.titles.make(source.namespace, source.title).prefixed_text: None
        for source in state.lookups.cascade_sources(title)
        if source.expiry == "infinity" or source.expiry > now
    }
    return "|".join(names)


def _variable(state: ParseState) -> str:
    return _sources(state.title, state)


def _function(call: FunctionCall) -> str:
    title = named_page(call)
    return _sources(title, call.state) if title else ""


DECLARATIONS = (Variable("CASCADINGSOURCES", _variable),)
FUNCTIONS = (ParserFunction("CASCADINGSOURCES", _function, case_sensitive=True),)
