"""Storing blocks: their targets, blocks to store, and those that follow a user's addresses."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any

from wikiapi.accounts.blocks import Restriction, read_range, restrictions_of
from wikiapi.accounts.user import Performer
from wikiapi.languages import Plain
from wikiapi.site import Site
from wikiapi.store import Actors, BlockRow, Comments, Person, lasting_id, next_id
from wikiapi.store.models import Actor, Block, BlockTarget, IpblocksRestrictions, RecentChanges
from wikiapi.store.queries import users
from wikiapi.texts import cut_comment
from wikiapi.timestamps import compact
from wikiapi.title import USER, Title


@dataclass(frozen=True, slots=True)
class Target:
    """An account, IP address or range to block. ``user_id`` is 0 unless it is an account.

    ``is_hidden`` tells that a block hides the name already; ``is_auto``, that it is the address of
    an autoblock.
    """

    name: str
    user_id: int = 0
    is_hidden: bool = False
    is_auto: bool = False

    @property
    def is_account(self) -> bool:
        """Whether the target is an account."""
        return self.user_id > 0

    @property
    def can_be_watched(self) -> bool:
        """Whether the target is an account or a single address that may be named."""
        return not self.is_auto and "/" not in self.name

    def page(self, site: Site) -> Title:
        """Return the user page, which represents the target in logs and watch lists."""
        return site.titles.make(USER, self.name.replace(" ", "_"))


@dataclass(frozen=True, slots=True)
class NewBlock:
    """A block to store. ``expiry`` is ``infinity`` or 14 digits."""

    target: Target
    reason: str
    expiry: str
    anon_only: bool = False
    create_account: bool = False
    autoblock: bool = False
    email: bool = False
    user_talk: bool = False
    hide_name: bool = False
    restrictions: frozenset[Restriction] | None = None
    """What a partial block applies to; ``None`` for a sitewide block."""
    parent_id: int | None = None
    """The block on the account, if this is an autoblock."""

    @classmethod
    def of_row(cls, block: BlockRow, restrictions: Iterable[Restriction]) -> NewBlock:
        """Return a block that equals a stored one, but for its author and its time."""
        return cls(
            target_of(block),
            block.reason,
            block.expiry,
            anon_only=bool(block.anon_only),
            create_account=bool(block.create_account),
            autoblock=bool(block.enable_autoblock),
            email=bool(block.block_email),
            user_talk=not block.allow_usertalk,
            hide_name=bool(block.deleted),
            restrictions=None if block.sitewide else frozenset(restrictions),
            parent_id=block.parent_id,
        )

    def is_like(self, block: BlockRow, restrictions: Iterable[Restriction]) -> bool:
        """Return whether a stored block of the same target equals this one."""
        return self == replace(self.of_row(block, restrictions), target=self.target)


def blocks_of(site: Site, target: Target) -> list[BlockRow]:
    """Return the blocks in force on exactly this target, oldest first. One query."""
    return _blocks_where(site, _on_target(target))


def block_by_id(site: Site, block_id: int) -> BlockRow | None:
    """Return the block with an id; ``None`` if there is none or it has expired. One query."""
    return next(iter(_blocks_where(site, Block.bl_id == block_id)), None)


def _blocks_where(site: Site, condition: Any) -> list[BlockRow]:
    in_force = Block.bl_expiry > compact(site.clock())
    query = users.SELECT_BLOCKS.where(condition, in_force).order_by(Block.bl_id)
    return [BlockRow(*row) for row in site.db.execute(query)]


def _on_target(target: Target) -> Any:
    kind = BlockTarget.bt_auto == int(target.is_auto)
    if target.is_account:
        return kind & (BlockTarget.bt_user == target.user_id)
    return kind & (BlockTarget.bt_address == target.name)


def target_of(block: BlockRow) -> Target:
    """Return the target of a stored block; that of an autoblock is named by the block's id."""
    if block.auto:
        return Target(f"#{block.block_id}", is_auto=True)
    return Target(block.user_name or block.address or "", block.user_id or 0)


class BlockWriter:
    """Stores blocks. Call it in a transaction."""

    def __init__(self, site: Site, author: Person) -> None:
        """Store blocks on behalf of an author."""
        self._site, self._db, self._author = site, site.db, author

    def add(self, block: NewBlock) -> int:
        """Store a block, and an autoblock of the last address if asked for; return its id."""
        block_id = lasting_id(self._db, Block.bl_id)
        values = self._values(block)
        row = {"bl_id": block_id, "bl_target": self._target_id(block.target), **values}
        self._db.insert_many(Block, [tuple(row.values())], tuple(row))
        self._restrict(block_id, block.restrictions)
        self._autoblock_last_address(block_id, block)
        return block_id

    def change(self, block_id: int, block: NewBlock) -> None:
        """Replace a stored block by another one on the same target, and so its autoblocks."""
        values = self._values(block)
        if block.parent_id is not None:
            del values["bl_timestamp"]
        self._db.execute_write(Block.update(**values).where(Block.bl_id == block_id))
        self._restrict(block_id, block.restrictions)
        for row in _blocks_where(self._site, Block.bl_parent_block_id == block_id):
            if block.autoblock:
                child = self._autoblock_of(block_id, block, target_of(row))
                child = replace(child, reason=block.reason, expiry=row.expiry)
                self.change(row.block_id, child)
            else:
                self.remove(row)
        self._autoblock_last_address(block_id, block)

    def remove(self, block: BlockRow) -> None:
        """Remove a block with its autoblocks, and rows of targets that have no other block."""
        is_removed = (Block.bl_id == block.block_id) | (Block.bl_parent_block_id == block.block_id)
        removed = self._db.execute(Block.select(Block.bl_id, Block.bl_target).where(is_removed))
        self._db.execute_write(Block.delete().where(is_removed))
        for block_id, target_id in removed:
            self._restrict(block_id, None)
            counted = BlockTarget.update(bt_count=BlockTarget.bt_count - 1)
            self._db.execute_write(counted.where(BlockTarget.bt_id == target_id))
            unused = (BlockTarget.bt_id == target_id) & (BlockTarget.bt_count <= 0)
            self._db.execute_write(BlockTarget.delete().where(unused))

    def autoblock(self, block_id: int, block: NewBlock, address: str) -> None:
        """Block an address that a blocked account uses, or prolong the autoblock on it.

        Nothing happens if the address is exempt or blocked for another reason.
        """
        if not block.autoblock or _is_exempt(self._site, address):
            return
        target = Target(address, is_auto=True)
        new = self._autoblock_of(block_id, block, target)
        present = _blocks_where(self._site, BlockTarget.bt_address == address)
        if not present:
            self.add(new)
        elif all(row.auto for row in present) and new.expiry > present[0].expiry:
            prolonged = Block.update(bl_timestamp=compact(self._site.clock()), bl_expiry=new.expiry)
            self._db.execute_write(prolonged.where(Block.bl_id == present[0].block_id))

    def _autoblock_last_address(self, block_id: int, block: NewBlock) -> None:
        """Autoblock the address of the account's last recent change."""
        if not block.autoblock or not block.target.is_account:
            return
        query = RecentChanges.select(RecentChanges.rc_ip)
        query = query.join(Actor, on=(Actor.actor_id == RecentChanges.rc_actor))
        query = query.where(Actor.actor_user == block.target.user_id)
        address = self._db.scalar(query.order_by(RecentChanges.rc_timestamp.desc()).limit(1))
        if address:
            self.autoblock(block_id, block, address)

    def _autoblock_of(self, block_id: int, block: NewBlock, target: Target) -> NewBlock:
        """Return the autoblock of an address: that of its block, but for a day at most."""
        names = Plain(block.target.name), Plain(block.reason)
        end = self._site.clock() + timedelta(seconds=self._site.config.editing.autoblock_expiry)
        return NewBlock(
            target,
            cut_comment(self._site.messages.content_text("autoblocker", *names)),
            # Digits are before the letters of "infinity".
            min(compact(end), block.expiry),
            create_account=block.create_account,
            user_talk=block.user_talk,
            hide_name=block.hide_name,
            restrictions=block.restrictions,
            parent_id=block_id,
        )

    def _values(self, block: NewBlock) -> dict[str, object]:
        return {
            "bl_by_actor": Actors(self._db).ids([self._author])[self._author],
            "bl_reason_id": Comments(self._db).ids([block.reason])[block.reason],
            "bl_timestamp": compact(self._site.clock()),
            "bl_anon_only": int(block.anon_only),
            "bl_create_account": int(block.create_account),
            "bl_enable_autoblock": int(block.autoblock),
            "bl_expiry": block.expiry,
            "bl_deleted": int(block.hide_name),
            "bl_block_email": int(block.email),
            "bl_allow_usertalk": int(not block.user_talk),
            "bl_parent_block_id": block.parent_id,
            "bl_sitewide": int(block.restrictions is None),
        }

    def _restrict(self, block_id: int, restrictions: Iterable[Restriction] | None) -> None:
        table = IpblocksRestrictions
        self._db.execute_write(table.delete().where(table.ir_ipb_id == block_id))
        rows = [(block_id, *restriction) for restriction in sorted(restrictions or ())]
        if rows:
            self._db.insert_many(table, rows)

    def _target_id(self, target: Target) -> int:
        """Count one more block on a target and return the id of its row, inserted if needed."""
        ended = users.SELECT_BLOCKS.where(
            _on_target(target), Block.bl_expiry <= compact(self._site.clock())
        )
        for expired in self._db.execute(ended):
            self.remove(BlockRow(*expired))
        target_id = self._db.scalar(BlockTarget.select(BlockTarget.bt_id).where(_on_target(target)))
        if target_id is not None:
            counted = BlockTarget.update(bt_count=BlockTarget.bt_count + 1)
            self._db.execute_write(counted.where(BlockTarget.bt_id == target_id))
            return int(target_id)
        number = next_id(self._db, BlockTarget.bt_id)
        row = (number, *_target_columns(target), 1)
        self._db.insert_many(BlockTarget, [row])
        return number


def _target_columns(target: Target) -> Sequence[object]:
    """Return the values of a ``block_target`` row between its id and its count."""
    if target.is_account:
        return (None, target.user_id, target.name, 0, None, None, None)
    address_range = read_range(target.name)
    first, last = (address_range.first, address_range.last) if address_range else ("", "")
    ends = (None, None) if first == last else (first, last)
    return (target.name, None, None, int(target.is_auto), *ends, first)


def _is_exempt(site: Site, address: str) -> bool:
    """Return whether a line of the message ``block-autoblock-exemptionlist`` names an address."""
    own = read_range(address)
    for line in site.messages.content_text("block-autoblock-exemptionlist").splitlines():
        exempt = read_range(line[1:].strip()) if line.startswith("*") else None
        if own is None or exempt is None or own.version != exempt.version:
            continue
        if exempt.first <= own.first and own.last <= exempt.last:
            return True
    return False


def spread_blocks(performer: Performer) -> None:
    """Autoblock the address from which a user tries what a block on the account forbids.

    Call it outside of a transaction.
    """
    site, user = performer.site, performer.user
    if user.is_anonymous:
        return
    for row in blocks_of(site, Target(user.name, user.id)):
        restrictions = restrictions_of(site.db, [row.block_id]).get(row.block_id, set())
        writer = BlockWriter(site, Person(row.by_id or 0, row.by_name))
        with site.db.atomic():
            block = NewBlock.of_row(row, restrictions)
            writer.autoblock(row.block_id, block, performer.address)
