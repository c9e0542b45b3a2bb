"""``{{PAGESIZE:page|R}}``: the length of a page's source in bytes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wikiapi.wikitext.declarations import ParserFunction
from wikiapi_plugins.parserfunctions.pagewords import current_revision, named_page
from wikiapi_plugins.variables.statistics import shown

if TYPE_CHECKING:
    from wikiapi.wikitext.expand.call import FunctionCall


def pagesize(call: FunctionCall) -> str:
    """The length, 0 for a page that does not exist."""
    title = named_page(call)
    row = current_revision(title, call.state) if title and title.ns >= 0 else None
    length = row.length if row else 0
    return shown(length or 0, call.arg(1), call.state.page_language)


DECLARATIONS = (ParserFunction("PAGESIZE", pagesize, case_sensitive=True),)
