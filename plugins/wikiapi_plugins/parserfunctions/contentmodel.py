"""``{{#contentmodel:canonical|page}}``: what kind of content a page has."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wikiapi.title.contentmodel import default_model
from wikiapi.wikitext.declarations import ParserFunction, Variable
from wikiapi_plugins.parserfunctions.pagewords import named_page, page_row

if TYPE_CHECKING:
    from wikiapi.title.title import Title
    from wikiapi.wikitext.expand.call import FunctionCall
    from wikiapi.wikitext.state import ParseState

_CANONICAL = "canonical"
_LOCAL = "local"


def _model(title: Title, state: ParseState) -> str:
    row = page_row(title, state) if title.ns >= 0 else None
    return (row and row.content_model) or default_model(title)


def _local_name(model: str, state: ParseState) -> str:
    """The name as people read it, from a message."""
    key = f"content-model-{model}"
    known = state.parser.messages.template(key, state.site.language)
    return state.message(key) if known else model


def contentmodel(call: FunctionCall) -> str:
    """The model's name, by default as people read it; ``canonical`` asks for its identifier."""
    form, title = call.first or _LOCAL, call.title
    if call.arg(1):
        named = named_page(call, 1)
        if named is None:
            return ""
        title = named
    if form not in (_CANONICAL, _LOCAL):
        return ""
    model = _model(title, call.state)
    return model if form == _CANONICAL else _local_name(model, call.state)


VARIABLES = (
    Variable("#contentmodel", lambda state: _local_name(_model(state.title, state), state)),
)
DECLARATIONS = (ParserFunction("#contentmodel", contentmodel, case_sensitive=True),)
