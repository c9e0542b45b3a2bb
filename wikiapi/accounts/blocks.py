"""Blocks: the addresses that they cover, those in force against a user, and what they forbid."""

from __future__ import annotations

import ipaddress
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import reduce
from ipaddress import IPv4Network, IPv6Network
from operator import or_
from types import MappingProxyType
from typing import Any, NamedTuple

from wikiapi.accounts.user import Performer
from wikiapi.site import Site
from wikiapi.store import BlockRow, CompiledQuery, Database, PageRow
from wikiapi.store.models import Block, BlockTarget, IpblocksRestrictions
from wikiapi.store.queries import users
from wikiapi.store.sql.bounds import following
from wikiapi.timestamps import compact
from wikiapi.title import USER_TALK, Title
from wikiapi.title.addresses import spell_address

ACTIONS: Mapping[str, int] = MappingProxyType({"upload": 1, "move": 2, "create": 3})
"""Actions that a partial block can forbid, with their numbers in the store."""
PAGE, NAMESPACE, ACTION = 1, 2, 3
"""The numbers of the kinds of restrictions of a partial block in the store."""


class Restriction(NamedTuple):
    """A page, namespace or action to which a partial block is restricted, by its number."""

    kind: int
    value: int


def blocks_on(performer: Performer) -> list[BlockRow]:
    """Return the blocks on a user or the user's address, sitewide ones first. One query.

    Autoblocks of the address do not count beside the block that they follow from.
    """
    site, user = performer.site, performer.user
    now = compact(site.clock())
    addresses = None if user.can("ipblock-exempt") else read_range(performer.address)
    if addresses is None:
        if user.is_anonymous:
            return []
        query = _ON_USER(now, user.id)
    else:
        bounds = _bounds(addresses)
        query = _ON_ADDRESS(now, *bounds) if user.is_anonymous else _ON_BOTH(now, user.id, *bounds)
    rows = [BlockRow(*row) for row in site.db.execute(query)]
    block_ids = {block.block_id for block in rows}
    rows = [block for block in rows if block.parent_id not in block_ids]
    # The first block is the one that is reported to its target, preferably a sitewide one.
    return sorted(rows, key=lambda block: not block.sitewide)


def restrictions_of(db: Database, block_ids: Iterable[int]) -> dict[int, set[Restriction]]:
    """Return the restrictions of partial blocks, by block id. One query."""
    table, restrictions = IpblocksRestrictions, dict[int, set[Restriction]]()
    query = table.select(table.ir_ipb_id, table.ir_type, table.ir_value)
    for block_id, kind, value in db.execute(query.where(table.ir_ipb_id.in_(list(block_ids)))):
        restrictions.setdefault(block_id, set()).add(Restriction(kind, value))
    return restrictions


class UserBlocks:
    """The blocks on a user, to ask for several actions and pages what they forbid."""

    def __init__(self, performer: Performer) -> None:
        """Read the blocks. At most two queries."""
        self._site, self._user = performer.site, performer.user.name
        self._blocks = blocks_on(performer)
        partial = [block.block_id for block in self._blocks if not block.sitewide]
        self._restrictions = restrictions_of(performer.site.db, partial) if partial else {}

    def against(
        self, action: str, title: Title | None = None, row: PageRow | None = None
    ) -> BlockRow | None:
        """Return the block that forbids an action; ``None`` if it is allowed.

        If there are several, it is composed of all of them, even if only one forbids the action.

        Without a ``title``, the action is not on a page, and only sitewide blocks forbid it.
        ``row`` is ``None`` if the page does not exist; an edit creates it then.
        """
        for block in self._blocks:
            own = self._restrictions.get(block.block_id, set())
            if _forbids(block, own, self._user, action, title, row):
                return composed(self._site, self._blocks)
        return None


def block_against(
    performer: Performer, action: str, title: Title | None = None, row: PageRow | None = None
) -> BlockRow | None:
    """Return the block that forbids an action, see :class:`UserBlocks`. At most two queries."""
    return UserBlocks(performer).against(action, title, row)


def composed(site: Site, blocks: Sequence[BlockRow]) -> BlockRow:
    """Return the block that several have the effect of; the only one as it is.

    Like MediaWiki's, it has neither an author nor an id (0), and begins now.
    """
    if len(blocks) == 1:
        return blocks[0]
    return BlockRow(
        0,
        None,
        None,
        None,
        0,
        "",
        site.messages.content_text("blockedtext-composite-reason"),
        compact(site.clock()),
        # Digits are before the letters of "infinity".
        max(block.expiry for block in blocks),
        sitewide=max(block.sitewide for block in blocks),
        anon_only=min(block.anon_only for block in blocks),
        create_account=max(block.create_account for block in blocks),
        enable_autoblock=0,
        block_email=max(block.block_email for block in blocks),
        allow_usertalk=min(block.allow_usertalk for block in blocks),
        deleted=max(block.deleted for block in blocks),
        auto=0,
        parent_id=None,
        components=tuple(blocks),
    )


def _forbids(
    block: BlockRow,
    restrictions: Collection[Restriction],
    user: str,
    action: str,
    title: Title | None,
    row: PageRow | None,
) -> bool:
    is_own_talk = title is not None and title.ns == USER_TALK and title.text == user
    if block.sitewide:
        return not (is_own_talk and block.allow_usertalk)
    done = {action, "create"} if action == "edit" and title and row is None else {action}
    if any(Restriction(ACTION, ACTIONS[name]) in restrictions for name in done & ACTIONS.keys()):
        return True
    if title is None:
        return False
    if row is not None and Restriction(PAGE, row.page_id) in restrictions:
        return True
    in_namespace = Restriction(NAMESPACE, title.ns) in restrictions
    return in_namespace and not (is_own_talk and block.allow_usertalk)


_LEAST_BITS = {"IPv4": 16, "IPv6": 19}
"""Ranges with fewer fixed bits are too wide to be requested."""
_SHARED = {"IPv4": 4, "IPv6": 7}
"""How many leading characters the ends of any stored range share; those of IPv6 include ``v6-``."""


class AddressRange(NamedTuple):
    """A range of IP addresses: the first and the last one, in hexadecimal digits."""

    first: str
    last: str
    bits: int
    version: str

    @property
    def least_bits(self) -> int:
        """How many bits a range must fix."""
        return _LEAST_BITS[self.version]

    @property
    def is_too_wide(self) -> bool:
        """Whether it fixes fewer bits."""
        return self.bits < self.least_bits


def read_range(text: str) -> AddressRange | None:
    """Return the range given in CIDR notation, or that of one address; None if it is neither."""
    spelled = spell_address(text)
    if spelled is None:
        return None
    network = ipaddress.ip_network(spelled, strict=False)
    ends = (_hex(network, network.network_address), _hex(network, network.broadcast_address))
    return AddressRange(*ends, network.prefixlen, f"IPv{network.version}")


def _hex(network: IPv4Network | IPv6Network, address: Any) -> str:
    number = int(address)
    return f"{number:08X}" if network.version == 4 else f"v6-{number:032X}"


def covering(addresses: AddressRange) -> Any:
    """Return the condition that a block is on this address, or on a range that contains all."""
    bounds = _bounds(addresses)
    return _covers(*bounds) if addresses.first == addresses.last else _contains(*bounds)


def _bounds(addresses: AddressRange) -> tuple[str, str, str, str]:
    """Return the bounds of the starts of ranges that can contain all addresses, and their ends."""
    shared = addresses.first[: _SHARED[addresses.version]]
    return shared, following(shared) or "", addresses.first, addresses.last


def _contains(least: Any, end: Any, first: Any, last: Any) -> Any:
    """Return the condition that a block is on a range that contains all of some addresses."""
    start = BlockTarget.bt_range_start
    is_near = (start >= least) & (start < end)
    return is_near & (start <= first) & (BlockTarget.bt_range_end >= last)


def _covers(least: Any, end: Any, first: Any, last: Any) -> Any:
    """Return the condition that a block is on one address, which is the first and the last."""
    return _contains(least, end, first, last) | (BlockTarget.bt_ip_hex == first)


def _in_force(now: Any, *targets: Any) -> Any:
    """Return the query for the blocks in force on any of some targets."""
    is_in_force = Block.bl_expiry > now
    return users.SELECT_BLOCKS.where(reduce(or_, targets), is_in_force).order_by(Block.bl_id)


def _is_user(user_id: Any) -> Any:
    return (BlockTarget.bt_user == user_id) & BlockTarget.bt_user.is_null(False)


_ON_USER = CompiledQuery(lambda now, user_id: _in_force(now, _is_user(user_id)))
_ON_ADDRESS = CompiledQuery(lambda now, *bounds: _in_force(now, _covers(*bounds)))
_ON_BOTH = CompiledQuery(
    lambda now, user_id, *bounds: _in_force(
        now, _is_user(user_id), _covers(*bounds) & (Block.bl_anon_only == 0)
    )
)


def address_of_hex(digits: str) -> str:
    """Return an address in its usual notation."""
    if digits.startswith("v6-"):
        return spell_address(str(ipaddress.IPv6Address(int(digits[3:], 16)))) or ""
    return str(ipaddress.IPv4Address(int(digits, 16)))
