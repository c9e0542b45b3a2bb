"""``{{PROTECTIONLEVEL:action|page}}`` and ``PROTECTIONEXPIRY``: who may act on a page, how long."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wikiapi.title.namespaces import FILE
from wikiapi.wikitext.declarations import ParserFunction
from wikiapi_plugins.parserfunctions.pagewords import named_page

if TYPE_CHECKING:
    from wikiapi.store.protection import Restriction
    from wikiapi.title.title import Title
    from wikiapi.wikitext.expand.call import FunctionCall

_INFINITE = "infinity"


def _page(call: FunctionCall) -> Title | None:
    return named_page(call, 1) if call.arg(1) else call.title


def _restrictions(title: Title, call: FunctionCall) -> list[Restriction] | None:
    """Those in force; ``None`` where looking them up would be one look-up too many."""
    state = call.state
    if title.key != state.title.key and not state.expensive():
        return None
    now = f"{state.now:%Y%m%d%H%M%S}"
    found = state.lookups.restrictions(title)
    return [each for each in found if each.expiry == _INFINITE or each.expiry > now]


def level(call: FunctionCall) -> str:
    """The user group or right that an action on the page takes; nothing if anybody may."""
    title = _page(call)
    rows = _restrictions(title, call) if title else None
    return ",".join(row.level for row in rows or () if row.type == call.first.lower())


def expiry(call: FunctionCall) -> str:
    """Until when the page is protected, 14 digits or ``infinity``."""
    title, action = _page(call), call.first.lower()
    rows = _restrictions(title, call) if title else None
    if title is None or rows is None or action not in _actions(title, call):
        return ""
    return next((row.expiry for row in rows if row.type == action), _INFINITE)


def _actions(title: Title, call: FunctionCall) -> tuple[str, ...]:
    """What a page can be protected against."""
    if call.state.lookups.page(title) is None:
        return ("create",)
    return ("edit", "move", "upload") if title.ns == FILE else ("edit", "move")


DECLARATIONS = (
    ParserFunction("PROTECTIONLEVEL", level, case_sensitive=True),
    ParserFunction("PROTECTIONEXPIRY", expiry, case_sensitive=True),
)
