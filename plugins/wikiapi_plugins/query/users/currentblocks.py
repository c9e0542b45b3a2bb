"""The blocks in force against the user who sends a request."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from wikiapi.api import RequestContext, compact
from wikiapi.store import BlockRow, Database
from wikiapi.store.models import Block, BlockTarget, IpblocksRestrictions
from wikiapi.store.queries import users
from wikiapi_plugins.query.users.blocks import covering, read_range

PAGE, NAMESPACE, ACTION = 1, 2, 3
"""The numbers of the kinds of restrictions of a partial block in the store."""


class Restriction(NamedTuple):
    """A page, namespace or action to which a partial block is restricted, by its number."""

    kind: int
    value: int


def blocks_on(context: RequestContext) -> list[BlockRow]:
    """Return the blocks on the request's account and address, sitewide ones first. One query."""
    user = context.user
    targets = _on_address(context)
    if not user.is_anonymous:
        own = (BlockTarget.bt_user == user.id) & BlockTarget.bt_user.is_null(False)
        targets = own if targets is None else own | targets
    if targets is None:
        return []
    in_force = Block.bl_expiry > compact(context.now)
    query = users.SELECT_BLOCKS.where(targets, in_force, BlockTarget.bt_auto == 0)
    rows = [BlockRow(*row) for row in context.site.db.execute(query.order_by(Block.bl_id))]
    # The first block is the one that is reported to its target, preferably a sitewide one.
    return sorted(rows, key=lambda block: not block.sitewide)


def _on_address(context: RequestContext) -> Any:
    """Return the condition that a block is on the client's address; ``None`` for exempt users."""
    address = read_range(context.request.remote_address)
    if address is None or context.user.can("ipblock-exempt"):
        return None
    condition = covering(address)
    return condition if context.user.is_anonymous else condition & (Block.bl_anon_only == 0)


def restrictions_of(db: Database, block_ids: Iterable[int]) -> dict[int, set[Restriction]]:
    """Return the restrictions of partial blocks, by block id. One query."""
    table, found = IpblocksRestrictions, dict[int, set[Restriction]]()
    query = table.select(table.ir_ipb_id, table.ir_type, table.ir_value)
    for block_id, kind, value in db.execute(query.where(table.ir_ipb_id.in_(list(block_ids)))):
        found.setdefault(block_id, set()).add(Restriction(kind, value))
    return found
