"""``{{PAGEID}}``: a page's number."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wikiapi.wikitext.declarations import ParserFunction, Variable
from wikiapi_plugins.parserfunctions.pagewords import named_page, page_row

if TYPE_CHECKING:
    from wikiapi.wikitext.expand.call import FunctionCall
    from wikiapi.wikitext.state import ParseState


def _variable(state: ParseState) -> str:
    row = state.lookups.page(state.title)
    return str(row.page_id) if row else ""


def _function(call: FunctionCall) -> str:
    """Any page's number, 0 for one that does not exist; the page then counts as linked."""
    title = named_page(call)
    if title is None:
        return ""
    if title.key == call.title.key:
        return _variable(call.state)
    if title.ns < 0:
        return "0"
    row = page_row(title, call.state)
    call.state.add_link(title)
    return str(row.page_id) if row else "0"


DECLARATIONS = (Variable("PAGEID", _variable, case_sensitive=False),)
FUNCTIONS = (ParserFunction("PAGEID", _function),)
