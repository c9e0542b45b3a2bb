"""``list=blocks``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import repeat
from typing import Any, NamedTuple

from wikiapi.accounts import address_of_hex, covering, read_range
from wikiapi.api import (
    Arr,
    ListModule,
    Obj,
    at_most_one_of,
    compact,
    continuation,
    enum,
    expiry_of,
    integer,
    iso,
    limit,
    moment_of,
    string,
    title_data,
    user,
)
from wikiapi.errors import ApiError
from wikiapi.expiry import INFINITY, describe_span
from wikiapi.languages import Message, MessageCatalog
from wikiapi.site import Site
from wikiapi.store import BlockRow
from wikiapi.store.models import Block, BlockTarget
from wikiapi.store.models import IpblocksRestrictions as Table
from wikiapi.store.queries import pages, visibility
from wikiapi.store.queries import users as store
from wikiapi.title import spell_address
from wikiapi.wikitext import format_comments
from wikiapi_plugins.query.timeline import Timeline, timeline_params

_TIMELINE = Timeline(Block.bl_timestamp, Block.bl_id)
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
        *timeline_params(),
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
        at_most_one_of(self, "users", "ip")
        conditions = _TIMELINE.conditions(self)
        if self.p.numbers("ids"):
            conditions.append(Block.bl_id.in_(self.p.numbers("ids")))
        conditions += self._target_conditions()
        kinds = self.p.texts("show")
        if any(f"!{kind}" in kinds for kind in kinds):
            raise ApiError("show", "apierror-show")
        conditions += [_SHOW[kind] for kind in kinds]
        conditions.append(Block.bl_expiry > compact(self.context.now))
        if not self.context.user.can("hideuser"):
            # All blocks of a hidden account are hidden, and those of addresses that it has used.
            conditions.append(Block.bl_deleted == 0)
            conditions.append(visibility.user_is_not_hidden(BlockTarget.bt_user))
        query = store.SELECT_BLOCKS.select_extend(
            BlockTarget.bt_range_start, BlockTarget.bt_range_end
        ).where(*conditions)
        selected = self.rows(_TIMELINE.ordered(query, self).limit(self.p.number("limit") + 1))
        width = len(store.BLOCK_COLUMNS)
        rows = [_ListedBlock(BlockRow(*row[:width]), *row[width:]) for row in selected]
        self.emit(
            self._items(rows[: self.limit]),
            rows,
            lambda row: f"{row.block.timestamp}|{row.block.block_id}",
        )

    def _target_conditions(self) -> list[Any]:
        """Return the conditions of ``users`` or ``ip``."""
        if users := self.p.texts("users"):
            addresses = [name for name in users if spell_address(name)]
            names = [name for name in users if not spell_address(name)]
            target = BlockTarget.bt_address.in_(addresses) | BlockTarget.bt_user_text.in_(names)
            return [target, BlockTarget.bt_auto == 0]
        if not self.p.is_given("ip"):
            return []
        address_range = read_range(self.p.text("ip"))
        if address_range is None:
            raise ApiError("param_ip", "apierror-badip")
        if address_range.is_too_wide:
            message = Message(
                "apierror-cidrtoobroad", (address_range.version, address_range.least_bits)
            )
            raise ApiError("cidrtoobroad", message)
        return [covering(address_range), BlockTarget.bt_auto == 0]

    def _items(self, rows: list[_ListedBlock]) -> Iterator[Obj]:
        """Yield the item of each block."""
        props, language = self.p.texts("prop"), self.context.language
        catalog = self.site.messages.catalog
        blocks = [row.block for row in rows]
        reasons = [(block.reason, None) for block in blocks]
        html = format_comments(self.site.parser, reasons) if "parsedreason" in props else repeat("")
        partial = [block.block_id for block in blocks if not block.sitewide]
        restricted = _restrictions_by_block(self.site, partial) if "restrictions" in props else {}
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
                item["duration-l10n"] = _duration_in_words(block, language, catalog)
            if "range" in props and not block.auto and start is not None and end is not None:
                item |= {"rangestart": address_of_hex(start), "rangeend": address_of_hex(end)}
            if "flags" in props:
                item |= {
                    "automatic": bool(block.auto),
                    "anononly": bool(block.anon_only),
                    "nocreate": bool(block.create_account),
                    "autoblock": bool(block.enable_autoblock),
                    "noemail": bool(block.block_email),
                    "hidden": bool(block.deleted),
                    "allowusertalk": bool(block.allow_usertalk),
                    "partial": not block.sitewide,
                }
            yield item


def _duration_in_words(block: BlockRow, language: str, catalog: MessageCatalog) -> str:
    """Return how long a block lasts in words, such as ``1 month and 3 days``."""
    if not block.expiry[:1].isdigit():
        return catalog.text(Message("infiniteblock"), language)
    return describe_span(moment_of(block.timestamp), moment_of(block.expiry), language, catalog)


_PAGE, _NAMESPACE, _ACTION = 1, 2, 3
_ACTIONS = {1: "upload", 2: "move", 3: "create", 4: "thanks"}
_NAMES = {_PAGE: "pages", _NAMESPACE: "namespaces", _ACTION: "actions"}
_ELEMENTS = {_PAGE: "page", _NAMESPACE: "ns", _ACTION: "action"}


def _restrictions_by_block(site: Site, block_ids: Sequence[int]) -> dict[int, Obj]:
    """Return by id the pages, namespaces and actions to which blocks are restricted.

    At most two queries.
    """
    if not block_ids:
        return {}
    query = Table.select(Table.ir_ipb_id, Table.ir_type, Table.ir_value)
    query = query.where(Table.ir_ipb_id.in_(list(block_ids)))
    rows = site.db.execute(query.order_by(Table.ir_ipb_id, Table.ir_type, Table.ir_value))
    existing = pages.by_ids(site.db, [value for _, kind, value in rows if kind == _PAGE])
    restricted: dict[int, Obj] = {}
    for block_id, kind, value in rows:
        if kind not in _NAMES or (kind == _PAGE and value not in existing):
            continue
        target: object = value
        if kind == _PAGE:
            title = site.titles.make(existing[value].namespace, existing[value].title)
            target = Obj({"id": value} | title_data(title))
        elif kind == _ACTION:
            target = _ACTIONS.get(value, str(value))
        kinds = restricted.setdefault(block_id, Obj())
        kinds.setdefault(_NAMES[kind], Arr(element=_ELEMENTS[kind])).append(target)
    return restricted
