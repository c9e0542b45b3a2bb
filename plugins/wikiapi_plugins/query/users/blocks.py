"""``list=blocks``."""

from __future__ import annotations

import ipaddress
from collections.abc import Iterator, Mapping, Sequence
from ipaddress import IPv4Network, IPv6Network
from itertools import repeat
from typing import Any, NamedTuple

from wikiapi.api import (
    Arr,
    ListModule,
    Obj,
    RequestContext,
    compact,
    continuation,
    direction,
    enum,
    integer,
    iso,
    limit,
    moment_of,
    string,
    timestamp,
    title_data,
    user,
)
from wikiapi.errors import ApiError
from wikiapi.i18n import Message, plain_list
from wikiapi.i18n.dates import format_time_and_date
from wikiapi.site import Site
from wikiapi.store import BlockRow
from wikiapi.store.expiry import INFINITY
from wikiapi.store.models import Block, BlockTarget
from wikiapi.store.models import IpblocksRestrictions as Table
from wikiapi.store.queries import pages
from wikiapi.store.queries import users as store
from wikiapi.store.queries.visibility import not_hidden_user
from wikiapi.store.sql import bounds
from wikiapi.store.sql.bounds import with_prefix
from wikiapi.title.addresses import spell_address
from wikiapi.wikitext import format_comments
from wikiapi_plugins.query.changes.expiries import describe_span
from wikiapi_plugins.query.timeline import moment_part

_ORDER = (Block.bl_timestamp, Block.bl_id)
_IS_RANGE = BlockTarget.bt_range_end > BlockTarget.bt_range_start
_IS_NO_RANGE = BlockTarget.bt_range_end == BlockTarget.bt_range_start
_SHOW: Mapping[str, Any] = {
    "account": BlockTarget.bt_user.is_null(False),
    "!account": BlockTarget.bt_user.is_null(),
    "temp": Block.bl_expiry != INFINITY,
    "!temp": Block.bl_expiry == INFINITY,
    "ip": BlockTarget.bt_user.is_null() & (BlockTarget.bt_range_start.is_null() | _IS_NO_RANGE),
    "!ip": BlockTarget.bt_user.is_null(False) | _IS_RANGE,
    "range": _IS_RANGE,
    "!range": BlockTarget.bt_user.is_null() & (BlockTarget.bt_range_start.is_null() | _IS_NO_RANGE),
}


class _ListedBlock(NamedTuple):
    """A block, with both ends of the range if it is on IP addresses."""

    block: BlockRow
    range_start: str | None
    range_end: str | None


class Blocks(ListModule):
    """List the blocks in force, of users, IP addresses and ranges."""

    name = "blocks"
    prefix = "bk"
    element = "block"
    params = (
        timestamp("start", "The time to begin with."),
        timestamp("end", "The time to end with."),
        direction(),
        integer("ids", "Only the blocks with these ids.", multi=True),
        user("users", "Only blocks of these users.", kinds=("name", "ip", "temp", "cidr"),
             multi=True),
        string("ip", "Only blocks that apply to this address or range, also of wider ranges."),
        limit(),
        enum("prop", "id", "user", "userid", "by", "byid", "timestamp", "expiry", "reason",
             "parsedreason", "range", "flags", "restrictions", multi=True,
             default="id|user|by|timestamp|expiry|reason|flags", help="Properties to include.",
             value_help=(("id", "The block's id."), ("user", "Who is blocked."),
                         ("userid", "Who is blocked, by id."), ("by", "Who has blocked."),
                         ("byid", "Who has blocked, by id."), ("timestamp", "When."),
                         ("expiry", "Until when."), ("reason", "Why."),
                         ("parsedreason", "Why, as HTML."), ("range", "The addresses blocked."),
                         ("flags", "What the block forbids."),
                         ("restrictions", "The scope of a partial block."))),
        enum("show", *_SHOW, multi=True, help="Only blocks of these kinds."),
        continuation(),
    )  # fmt: skip
    examples = (
        ("action=query&list=blocks", "The last blocks"),
        ("action=query&list=blocks&bkusers=Alice|Bob", "The blocks of two users"),
    )
    help_urls = ("https://www.mediawiki.org/wiki/Special:MyLanguage/API:Blocks",)

    def execute(self) -> None:
        """List the blocks in force."""
        rows = self._found()
        self.emit(self._items(rows[: self.limit]), rows, _continue_value)

    def _found(self) -> list[_ListedBlock]:
        conditions = self._conditions()
        query = store.SELECT_BLOCKS.select_extend(
            BlockTarget.bt_range_start, BlockTarget.bt_range_end
        )
        conditions.append(Block.bl_expiry > compact(self.context.now))
        if not self.context.user.can("hideuser"):
            # All blocks of a hidden account are hidden, and those of addresses that it has used.
            conditions += [Block.bl_deleted == 0, not_hidden_user(BlockTarget.bt_user)]
        query = query.where(*conditions)
        query = bounds.ordered(query, *_ORDER, descending=self._descending)
        rows, width = self.rows(query.limit(self.p.number("limit") + 1)), len(BlockRow._fields)
        return [_ListedBlock(BlockRow(*row[:width]), *row[width:]) for row in rows]

    @property
    def _descending(self) -> bool:
        return self.p.text("dir") != "newer"

    def _conditions(self) -> list[Any]:
        if self.p.is_given("users") and self.p.is_given("ip"):
            names = plain_list([self.full("users"), self.full("ip")])
            raise ApiError(Message("apierror-invalidparammix", (names,)), "invalidparammix")
        ends = (self.p.text_or_none("start"), self.p.text_or_none("end"))
        conditions = bounds.between(Block.bl_timestamp, *ends, descending=self._descending)
        if parts := self.continue_parts(2):
            values = [moment_part(parts[0]), self.continue_int(parts[1])]
            conditions.append(bounds.starting_at(_ORDER, values, descending=self._descending))
        if self.p.numbers("ids"):
            conditions.append(Block.bl_id.in_(self.p.numbers("ids")))
        return conditions + self._targets() + self._kinds()

    def _targets(self) -> list[Any]:
        users = self.p.texts("users")
        if users:
            addresses = [name for name in users if spell_address(name)]
            names = [name for name in users if not spell_address(name)]
            target = BlockTarget.bt_address.in_(addresses) | BlockTarget.bt_user_text.in_(names)
            return [target, BlockTarget.bt_auto == 0]
        if not self.p.is_given("ip"):
            return []
        found = read_range(self.p.text("ip"))
        if found is None:
            raise ApiError(Message("apierror-badip"), "param_ip")
        if found.is_too_wide:
            message = Message("apierror-cidrtoobroad", (found.version, found.least_bits))
            raise ApiError(message, "cidrtoobroad")
        return [covering(found), BlockTarget.bt_auto == 0]

    def _kinds(self) -> list[Any]:
        kinds = self.p.texts("show")
        if any(f"!{kind}" in kinds for kind in kinds):
            raise ApiError(Message("apierror-show"), "show")
        return [_SHOW[kind] for kind in kinds]

    def _items(self, rows: list[_ListedBlock]) -> Iterator[Obj]:
        """Yield the item of each block."""
        props, language = self.p.texts("prop"), self.context.language
        blocks = [row.block for row in rows]
        reasons = [(block.reason, None) for block in blocks]
        html = format_comments(self.site.parser, reasons) if "parsedreason" in props else repeat("")
        partial = [block.block_id for block in blocks if not block.sitewide]
        restricted = restrictions_by_block(self.site, partial) if "restrictions" in props else {}
        for (block, start, end), markup in zip(rows, html, strict=False):
            item = Obj()
            by_name, by_id = block.author(shows_hidden=self.context.user.can("hideuser"))
            if "id" in props:
                item["id"] = block.block_id
            if "user" in props and not block.auto:
                item["user"] = block.address or block.user_name
            if "userid" in props and not block.auto:
                item["userid"] = block.user_id or 0
            if "by" in props:
                item["by"] = by_name
            if "byid" in props:
                item["byid"] = by_id
            if "timestamp" in props:
                item["timestamp"] = iso(block.timestamp)
            if "expiry" in props:
                item["expiry"] = expiry_of(block.expiry)
            if "reason" in props:
                item["reason"] = block.reason
            if "parsedreason" in props:
                item["parsedreason"] = markup
            if "restrictions" in props:
                item["restrictions"] = restricted.get(block.block_id) or Arr()
            if "expiry" in props:
                item["duration-l10n"] = duration(block.timestamp, block.expiry, language)
            if "range" in props and not block.auto and start is not None and end is not None:
                item |= {"rangestart": shown_address(start), "rangeend": shown_address(end)}
            if "flags" in props:
                item |= _flags(block)
            yield item


def _continue_value(row: _ListedBlock) -> str:
    return f"{row.block.timestamp}|{row.block.block_id}"


def _flags(block: BlockRow) -> dict[str, bool]:
    return {
        "automatic": bool(block.auto),
        "anononly": bool(block.anon_only),
        "nocreate": bool(block.create_account),
        "autoblock": bool(block.enable_autoblock),
        "noemail": bool(block.block_email),
        "hidden": bool(block.deleted),
        "allowusertalk": bool(block.allow_usertalk),
        "partial": not block.sitewide,
    }


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
    table = BlockTarget
    shared = addresses.first[: _SHARED[addresses.version]]
    near = with_prefix(table.bt_range_start, shared)
    ranges = near[0] & near[1]
    ranges &= (table.bt_range_start <= addresses.first) & (table.bt_range_end >= addresses.last)
    if addresses.first != addresses.last:
        return ranges
    return ranges | (table.bt_ip_hex == addresses.first)


def shown_address(digits: str) -> str:
    """Return an address in its usual notation."""
    if digits.startswith("v6-"):
        return spell_address(str(ipaddress.IPv6Address(int(digits[3:], 16)))) or ""
    return str(ipaddress.IPv4Address(int(digits, 16)))


_PAGE, _NAMESPACE, _ACTION = 1, 2, 3
_ACTIONS = {1: "upload", 2: "move", 3: "create", 4: "thanks"}
_NAMES = {_PAGE: "pages", _NAMESPACE: "namespaces", _ACTION: "actions"}
_ELEMENTS = {_PAGE: "page", _NAMESPACE: "ns", _ACTION: "action"}


def restrictions_by_block(site: Site, block_ids: Sequence[int]) -> dict[int, Obj]:
    """Return by id the pages, namespaces and actions to which blocks are restricted.

    At most two queries.
    """
    if not block_ids:
        return {}
    query = Table.select(Table.ir_ipb_id, Table.ir_type, Table.ir_value)
    query = query.where(Table.ir_ipb_id.in_(list(block_ids)))
    rows = site.db.execute(query.order_by(Table.ir_ipb_id, Table.ir_type, Table.ir_value))
    found = pages.by_ids(site.db, [value for _, kind, value in rows if kind == _PAGE])
    restricted: dict[int, Obj] = {}
    for block_id, kind, value in rows:
        if kind not in _NAMES or (kind == _PAGE and value not in found):
            continue
        shown: object = value
        if kind == _PAGE:
            title = site.titles.make(found[value].namespace, found[value].title)
            shown = Obj({"id": value} | title_data(title))
        elif kind == _ACTION:
            shown = _ACTIONS.get(value, str(value))
        kinds = restricted.setdefault(block_id, Obj())
        kinds.setdefault(_NAMES[kind], Arr(element=_ELEMENTS[kind])).append(shown)
    return restricted


_INFINITE = "infinite"


def block_details(
    block: BlockRow, context: RequestContext, language: str | None = None
) -> dict[str, Any]:
    """Return the data of a block in the form of items about users.

    ``language`` is that of times, by default the request's.
    """
    ends, language = {}, language or context.language
    by_name, by_id = block.author(shows_hidden=context.user.can("hideuser"))
    if block.expiry[:1].isdigit():
        shown = format_time_and_date(moment_of(block.expiry), language)
        ends = {"blockexpiryformatted": shown, "blockexpiryrelative": shown}
    return {
        "blockid": block.block_id,
        "blockedby": by_name,
        "blockedbyid": by_id,
        "blockreason": block.reason,
        "blockedtimestamp": iso(block.timestamp),
        "blockexpiry": expiry_of(block.expiry, _INFINITE),
        "blockpartial": not block.sitewide,
        "blocknocreate": bool(block.create_account),
        "blockanononly": bool(block.anon_only),
        "blockemail": bool(block.block_email),
        "blockowntalk": not block.allow_usertalk,
        "blockedtimestampformatted": format_time_and_date(moment_of(block.timestamp), language),
        **ends,
    }


def expiry_of(stored: str, never: str = INFINITY) -> str:
    """Return a stored expiry in the form of answers."""
    return iso(stored) if stored[:1].isdigit() else never


def duration(start: str, end: str, language: str) -> str:
    """Return how long a block lasts in words, such as ``1 month and 3 days``."""
    if not end[:1].isdigit():
        return _INFINITE
    return describe_span(moment_of(start), moment_of(end), language)
