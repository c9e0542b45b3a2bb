"""To what partial blocks are restricted."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wikiapi.api.query.output import title_data
from wikiapi.api.result import Arr, Obj
from wikiapi.store import pages
from wikiapi.store.models import IpblocksRestrictions as Table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from wikiapi.site import Site

_PAGE, _NAMESPACE, _ACTION = 1, 2, 3
_ACTIONS = {1: "upload", 2: "move", 3: "create", 4: "thanks"}
_NAMES = {_PAGE: "pages", _NAMESPACE: "namespaces", _ACTION: "actions"}
_ELEMENTS = {_PAGE: "page", _NAMESPACE: "ns", _ACTION: "action"}


def extents(site: Site, block_ids: Sequence[int]) -> dict[int, Obj]:
    """The pages, namespaces and actions of each block that has some. At most two queries."""
    if not block_ids:
        return {}
    query = Table.select(Table.ir_ipb_id, Table.ir_type, Table.ir_value)
    query = query.where(Table.ir_ipb_id.in_(list(block_ids)))
    rows = site.db.rows(query.order_by(Table.ir_ipb_id, Table.ir_type, Table.ir_value))
    found = pages.by_ids(site.db, [value for _, kind, value in rows if kind == _PAGE])
    told: dict[int, Obj] = {}
    for block_id, kind, value in rows:
        if kind not in _NAMES or (kind == _PAGE and value not in found):
            continue
        shown: object = value
        if kind == _PAGE:
            title = site.titles.make(found[value].namespace, found[value].title)
            shown = Obj({"id": value} | title_data(title))
        elif kind == _ACTION:
            shown = _ACTIONS.get(value, str(value))
        kinds = told.setdefault(block_id, Obj())
        kinds.setdefault(_NAMES[kind], Arr(element=_ELEMENTS[kind])).append(shown)
    return told
