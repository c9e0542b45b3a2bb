"""``PAGESIZE``, ``PROTECTIONLEVEL``, ``PROTECTIONEXPIRY`` and ``#contentmodel``.

The helpers at the top, which find and look up the page that such a function is about, are also used
by other functions and variables.
"""

from __future__ import annotations

from wikiapi.expiry import INFINITY, is_in_force
from wikiapi.store import PageRow, RevisionRow
from wikiapi.store.queries import Restriction
from wikiapi.title import FILE, Title, default_model
from wikiapi.wikitext import FunctionCall, ParserFunction, ParseState, Variable
from wikiapi_plugins.wikitext.variables.statistics import counted


def named_page(call: FunctionCall, index: int = 0) -> Title | None:
    """Return the page of this wiki that an argument names, or ``None``."""
    title = call.site.titles.try_parse(call.arg(index))
    return title if title and not title.interwiki else None


def may_look_up(title: Title, state: ParseState) -> bool:
    """Return whether a page may be looked up within the limit of expensive functions."""
    return state.lookups.knows_page(title) or state.expensive()


def page_row(title: Title, state: ParseState) -> PageRow | None:
    """Return a page's row; ``None`` if it does not exist or may not be looked up."""
    return state.lookups.page(title) if may_look_up(title, state) else None


def current_revision(title: Title, state: ParseState) -> RevisionRow | None:
    """Return a page's current revision, and record the page as transcluded."""
    row = page_row(title, state)
    if row is None:
        state.output.add_template(title)
        return None
    state.output.add_template(title, row.page_id, row.latest)
    return state.lookups.revision(title)


def pagesize(call: FunctionCall) -> str:
    """Return the size of a page in bytes, 0 for a page that does not exist."""
    title = named_page(call)
    row = current_revision(title, call.state) if title and title.ns >= 0 else None
    length = row.length if row else 0
    return counted(length or 0, call.arg(1), call.state)


_FORMS = (_CANONICAL, _LOCAL) = ("contentmodel_canonical", "contentmodel_local")


def _model(title: Title, state: ParseState) -> str:
    row = page_row(title, state) if title.ns >= 0 else None
    return (row and row.content_model) or default_model(title)


def _local_name(model: str, state: ParseState) -> str:
    """Return the localised name of a content model, or its identifier if there is none."""
    key = f"content-model-{model}"
    template = state.messages.template(key, state.site.language)
    return state.messages.text(key) if template else model


def contentmodel(call: FunctionCall) -> str:
    """Return the localised name of a page's content model; with ``canonical``, its identifier."""
    form = call.site.magic_words.which(_FORMS, call.first) if call.first else _LOCAL
    title = call.title
    if call.arg(1):
        named = named_page(call, 1)
        if named is None:
            return ""
        title = named
    if form is None:
        return ""
    model = _model(title, call.state)
    return model if form == _CANONICAL else _local_name(model, call.state)


def _page(call: FunctionCall) -> Title | None:
    return named_page(call, 1) if call.arg(1) else call.title


def _restrictions(title: Title, call: FunctionCall) -> list[Restriction] | None:
    """Return the current restrictions; ``None`` if there were too many expensive functions."""
    state = call.state
    if title.key != state.title.key and not state.expensive():
        return None
    now = f"{state.now:%Y%m%d%H%M%S}"
    restrictions = state.lookups.restrictions(title)
    return [each for each in restrictions if is_in_force(each.expiry, now)]


def level(call: FunctionCall) -> str:
    """Return the user group or right that an action on the page requires, or ""."""
    title = _page(call)
    rows = _restrictions(title, call) if title else None
    return ",".join(row.level for row in rows or () if row.type == call.first.lower())


def expiry(call: FunctionCall) -> str:
    """Return when the protection of the page ends: a timestamp of 14 digits or ``infinity``."""
    title, action = _page(call), call.first.lower()
    rows = _restrictions(title, call) if title else None
    if title is None or rows is None or action not in _actions(title, call):
        return ""
    return next((row.expiry for row in rows if row.type == action), INFINITY)


def _actions(title: Title, call: FunctionCall) -> tuple[str, ...]:
    """Return the actions that a page can be protected against."""
    if call.state.lookups.page(title) is None:
        return ("create",)
    return ("edit", "move", "upload") if title.ns == FILE else ("edit", "move")


DECLARATIONS = (
    ParserFunction("PAGESIZE", pagesize, case_sensitive=True),
    ParserFunction("#contentmodel", contentmodel, case_sensitive=True),
    ParserFunction("PROTECTIONLEVEL", level, case_sensitive=True),
    ParserFunction("PROTECTIONEXPIRY", expiry, case_sensitive=True),
)

VARIABLES = (
    Variable("#contentmodel", lambda state: _local_name(_model(state.title, state), state)),
)
