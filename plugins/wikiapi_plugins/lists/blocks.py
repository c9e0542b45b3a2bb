"""``list=blocks``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from wikiapi.api.params.declaration import (
    continuation,
    direction,
    enum,
    integer,
    limit,
    string,
    timestamp,
    user,
)
from wikiapi.api.params.types.timestamp import compact, iso
from wikiapi.api.query.module import ListModule
from wikiapi.api.result import Arr, Obj
from wikiapi.errors import ApiError
from wikiapi.i18n.message import Message, plain_list
from wikiapi.store import bounds
from wikiapi.store import users as store
from wikiapi.store.models import Block, BlockTarget
from wikiapi.store.users import BlockRow
from wikiapi.title.addresses import spell_address
from wikiapi.wikitext.comment import format_comments
from wikiapi_plugins.families.addressrange import covering, read_range, shown_address
from wikiapi_plugins.families.blockdetails import duration, expiry_of
from wikiapi_plugins.families.blockextent import extents
from wikiapi_plugins.families.moments import moment_part

if TYPE_CHECKING:
    from collections.abc import Mapping

    from wikiapi.store.statements import Row

_INFINITY = "infinity"
_ORDER = (Block.bl_timestamp, Block.bl_id)
_IS_RANGE = BlockTarget.bt_range_end > BlockTarget.bt_range_start
_IS_NO_RANGE = BlockTarget.bt_range_end == BlockTarget.bt_range_start
_SHOW: Mapping[str, Any] = {
    "account": BlockTarget.bt_user.is_null(False),
    "!account": BlockTarget.bt_user.is_null(),
    "temp": Block.bl_expiry != _INFINITY,
    "!temp": Block.bl_expiry == _INFINITY,
    "ip": BlockTarget.bt_user.is_null() & (BlockTarget.bt_range_start.is_null() | _IS_NO_RANGE),
    "!ip": BlockTarget.bt_user.is_null(False) | _IS_RANGE,
    "range": _IS_RANGE,
    "!range": BlockTarget.bt_user.is_null() & (BlockTarget.bt_range_start.is_null() | _IS_NO_RANGE),
}


class Blocks(ListModule):
    """List all blocked users and IP addresses."""

    name = "blocks"
    prefix = "bk"
    element = "block"
    params = (
        timestamp("start", "The moment to begin with."),
        timestamp("end", "The moment to end with."),
        direction(),
        integer("ids", "Only these blocks.", multi=True),
        user("users", "Only blocks of these users.", kinds=("name", "ip", "temp", "cidr"),
             multi=True),
        string("ip", "All blocks that apply to this address or range, those of ranges too."),
        limit(),
        enum("prop", "id", "user", "userid", "by", "byid", "timestamp", "expiry", "reason",
             "parsedreason", "range", "flags", "restrictions", multi=True,
             default="id|user|by|timestamp|expiry|reason|flags", help="What to tell.",
             value_help=(("id", "The block's id."), ("user", "Who is blocked."),
                         ("userid", "Who is blocked, by id."), ("by", "Who has blocked."),
                         ("byid", "Who has blocked, by id."), ("timestamp", "When."),
                         ("expiry", "Until when."), ("reason", "Why."),
                         ("parsedreason", "Why, as HTML."), ("range", "The addresses blocked."),
                         ("flags", "What the block forbids."),
                         ("restrictions", "To what a partial block is restricted."))),
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
        shown = [BlockRow(*row[: len(BlockRow._fields)]) for row in rows[: self.p["limit"]]]
        self._reasons = self._parsed(shown)
        self._extents = self._restrictions(shown)
        self.result.list(("query", self.name), self.element)
        self.page_through(
            rows,
            self.p["limit"],
            lambda row: f"{row[7]}|{row[0]}",
            lambda row: self.add_item(self._item(row)),
        )

    def _found(self) -> list[Row]:
        conditions = self._conditions()
        query = store.select_blocks(BlockTarget.bt_range_start, BlockTarget.bt_range_end)
        # What hides a name is hidden itself.
        in_force = (Block.bl_expiry > compact(self.context.now)) & (Block.bl_deleted == 0)
        query = query.where(in_force, *conditions)
        query = bounds.ordered(query, *_ORDER, descending=self._descending)
        return self.rows(query.limit(self.p["limit"] + 1))

    @property
    def _descending(self) -> bool:
        return bool(self.p["dir"] != "newer")

    def _conditions(self) -> list[Any]:
        if self.p["users"] is not None and self.p["ip"] is not None:
            names = plain_list([self.full("users"), self.full("ip")])
            raise ApiError(Message("apierror-invalidparammix", (names,)), "invalidparammix")
        ends = (self.p["start"], self.p["end"])
        conditions = bounds.between(Block.bl_timestamp, *ends, descending=self._descending)
        if parts := self.continue_parts(2):
            values = [moment_part(parts[0]), self.continue_int(parts[1])]
            conditions.append(bounds.starting_at(_ORDER, values, descending=self._descending))
        if self.p["ids"]:
            conditions.append(Block.bl_id.in_(self.p["ids"]))
        return conditions + self._targets() + self._kinds()

    def _targets(self) -> list[Any]:
        wanted = self.p["users"]
        if wanted:
            addresses = [name for name in wanted if spell_address(name)]
            names = [name for name in wanted if not spell_address(name)]
            target = BlockTarget.bt_address.in_(addresses) | BlockTarget.bt_user_text.in_(names)
            return [target, BlockTarget.bt_auto == 0]
        if self.p["ip"] is None:
            return []
        found = read_range(self.p["ip"])
        if found is None:
            raise ApiError(Message("apierror-badip"), "param_ip")
        if found.is_too_wide:
            message = Message("apierror-cidrtoobroad", (found.version, found.least_bits))
            raise ApiError(message, "cidrtoobroad")
        return [covering(found), BlockTarget.bt_auto == 0]

    def _kinds(self) -> list[Any]:
        wanted = self.p["show"] or ()
        if any(f"!{kind}" in wanted for kind in wanted):
            raise ApiError(Message("apierror-show"), "show")
        return [_SHOW[kind] for kind in wanted]

    def _parsed(self, rows: list[BlockRow]) -> dict[int, str]:
        if "parsedreason" not in self.p["prop"]:
            return {}
        html = format_comments(self.site, [(row.reason, None) for row in rows])
        return {row.block_id: text for row, text in zip(rows, html, strict=True)}

    def _restrictions(self, rows: list[BlockRow]) -> dict[int, Obj]:
        if "restrictions" not in self.p["prop"]:
            return {}
        return extents(self.site, [row.block_id for row in rows if not row.sitewide])

    def _item(self, row: Row) -> Obj:
        width = len(BlockRow._fields)
        block, (start, end) = BlockRow(*row[:width]), row[width:]
        prop, item = self.p["prop"], Obj()
        told: dict[str, Any] = {"id": block.block_id}
        if not block.auto:
            told |= {"user": block.address or block.user_name, "userid": block.user_id or 0}
        told |= {
            "by": block.by_name,
            "byid": block.by_id or 0,
            "timestamp": iso(block.timestamp),
            "expiry": expiry_of(block.expiry),
            "reason": block.reason,
            "parsedreason": self._reasons.get(block.block_id, ""),
            "restrictions": self._extents.get(block.block_id) or Arr(),
        }
        item |= {name: value for name, value in told.items() if name in prop}
        if "expiry" in prop:
            language = self.context.language
            item["duration-l10n"] = duration(block.timestamp, block.expiry, language)
        if "range" in prop and not block.auto and start is not None:
            item |= {"rangestart": shown_address(start), "rangeend": shown_address(end)}
        return item if "flags" not in prop else Obj(item | _flags(block))


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
