"""The targets of blocks (accounts, IP addresses and ranges): blocks on them, and hiding them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from peewee import Model

from wikiapi.accounts import Restriction, blocks
from wikiapi.api import compact
from wikiapi.errors import ApiError
from wikiapi.languages import Plain
from wikiapi.pages import SUPPRESSION
from wikiapi.site import Site
from wikiapi.store import Actors, BlockRow, Comments, Database, Person, next_id
from wikiapi.store.models import (
    Actor,
    Archive,
    Block,
    BlockTarget,
    FileArchive,
    IpblocksRestrictions,
    Logging,
    OldImage,
    RecentChanges,
    Revision,
)
from wikiapi.store.queries import users, visibility
from wikiapi.title import USER, Title, spell_address
from wikiapi.title import USER as USER_NAMESPACE


@dataclass(frozen=True, slots=True)
class Target:
    """An account, IP address or range to block. ``user_id`` is 0 unless it is an account.

    ``is_hidden`` tells that a block hides the name already.
    """

    name: str
    user_id: int = 0
    is_hidden: bool = False

    @property
    def is_account(self) -> bool:
        """Whether the target is an account."""
        return self.user_id > 0

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

    def is_like(self, block: BlockRow, restrictions: Iterable[Restriction]) -> bool:
        """Return whether a stored block equals this one; its author and time may differ."""
        own = self.restrictions
        if own is not None and own != frozenset(restrictions):
            return False
        values = (
            self.reason,
            self.expiry,
            (
                *(self.restrictions is None, self.anon_only, self.create_account, self.autoblock),
                *(self.email, self.user_talk, self.hide_name),
            ),
        )
        flags = (
            *(block.sitewide, block.anon_only, block.create_account, block.enable_autoblock),
            *(block.block_email, not block.allow_usertalk, block.deleted),
        )
        return values == (block.reason, block.expiry, tuple(map(bool, flags)))


def find_target(site: Site, name: str, missing: ApiError | None = None) -> Target:
    """Return the existing account, the IP address or the range that a user parameter names.

    ``#1`` names an account by its id. Accounts with hidden names exist too; callers refuse those
    who may not know them. One query for an account.

    Raises:
        ApiError: there is no such account: ``missing``, by default ``nosuchuser`` or
            ``nosuchuserid``.
    """
    if name.startswith("#"):
        number = int(name[1:])
        row = users.by_ids(site.db, [number], with_hidden=True).get(number)
        if row is None:
            raise missing or missing_target(name)
        return Target(row.name, row.user_id, is_hidden=bool(row.is_hidden))
    if spell_address(name):
        address_range = blocks.read_range(name)
        if address_range is None or "/" not in name:
            return Target(name)
        if address_range.first == address_range.last:
            return Target(blocks.address_of_hex(address_range.first))
        return Target(f"{blocks.address_of_hex(address_range.first)}/{address_range.bits}")
    row = users.by_names(site.db, [name], with_hidden=True).get(name)
    if row is None:
        raise missing or missing_target(name)
    return Target(row.name, row.user_id, is_hidden=bool(row.is_hidden))


def missing_target(name: str) -> ApiError:
    """Return the error for an account that does not exist, or may not be known to the user."""
    if name.startswith("#"):
        return ApiError("nosuchuserid", "apierror-nosuchuserid", int(name[1:]))
    return ApiError("nosuchuser", "nosuchusershort", Plain(name))


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
    manual = BlockTarget.bt_auto == 0
    if target.is_account:
        return manual & (BlockTarget.bt_user == target.user_id)
    return manual & (BlockTarget.bt_address == target.name)


def target_of(block: BlockRow) -> Target:
    """Return the target of a stored block."""
    return Target(block.user_name or block.address or "", block.user_id or 0)


class BlockWriter:
    """Stores blocks. Call it in a transaction."""

    def __init__(self, site: Site, author: Person) -> None:
        """Store blocks on behalf of an author."""
        self._site, self._db, self._author = site, site.db, author

    def add(self, block: NewBlock) -> int:
        """Store a block and return its id."""
        block_id = next_id(self._db, Block.bl_id)
        values = self._values(block)
        row = {"bl_id": block_id, "bl_target": self._target_id(block.target), **values}
        self._db.insert_many(Block, [tuple(row.values())], tuple(row))
        self._restrict(block_id, block.restrictions)
        return block_id

    def change(self, block_id: int, block: NewBlock) -> None:
        """Replace a stored block by another one on the same target."""
        changed = Block.update(**self._values(block)).where(Block.bl_id == block_id)
        self._db.execute_write(changed)
        self._restrict(block_id, block.restrictions)

    def remove(self, block: BlockRow) -> None:
        """Remove a block, and the row of its target if that has no other block."""
        number = self._db.scalar(Block.select(Block.bl_target).where(Block.bl_id == block.block_id))
        children = Block.delete().where(Block.bl_parent_block_id == block.block_id)
        self._db.execute_write(children)
        self._db.execute_write(Block.delete().where(Block.bl_id == block.block_id))
        self._restrict(block.block_id, None)
        counted = BlockTarget.update(bt_count=BlockTarget.bt_count - 1)
        self._db.execute_write(counted.where(BlockTarget.bt_id == number))
        unused = (BlockTarget.bt_id == number) & (BlockTarget.bt_count <= 0)
        self._db.execute_write(BlockTarget.delete().where(unused))

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
    address_range = blocks.read_range(target.name)
    first, last = (address_range.first, address_range.last) if address_range else ("", "")
    ends = (None, None) if first == last else (first, last)
    return (target.name, None, None, 0, *ends, first)


def is_hidden_account(db: Database, user_id: int) -> bool:
    """Return whether a block hides the name of an account. One query."""
    query = Block.select(Block.bl_id).join(BlockTarget, on=(BlockTarget.bt_id == Block.bl_target))
    hides = (BlockTarget.bt_user == user_id) & (Block.bl_deleted == 1)
    return db.row(query.where(hides).limit(1)) is not None


def mark_name(db: Database, target: Target, *, hidden: bool) -> None:
    """Set or clear the visibility bits of all rows that name an account. Eight statements.

    They are those that MediaWiki changes: the author of revisions, of versions of files, of log
    entries and of recent changes, and the action of log entries about the user page. Showing a
    name clears the bits even if they were set by hand, as MediaWiki does. Current versions of
    files have no bits; queries of them look for the block.

    Call this in the transaction that stores or removes the block.
    """
    page = (USER_NAMESPACE, target.name.replace(" ", "_"))
    actors = Actor.select(Actor.actor_id).where(Actor.actor_name == target.name)
    actor_ids = [actor_id for (actor_id,) in db.execute(actors)]
    is_open = Logging.log_type != SUPPRESSION
    about_logged = (Logging.log_namespace == page[0]) & (Logging.log_title == page[1])
    about_changed = (RecentChanges.rc_namespace == page[0]) & (RecentChanges.rc_title == page[1])
    authored = (
        (Revision.rev_deleted, Revision.rev_actor.in_(actor_ids)),
        (Archive.ar_deleted, Archive.ar_actor.in_(actor_ids)),
        (Logging.log_deleted, Logging.log_actor.in_(actor_ids) & is_open),
        (RecentChanges.rc_deleted, RecentChanges.rc_actor.in_(actor_ids)),
        (OldImage.oi_deleted, OldImage.oi_actor.in_(actor_ids)),
        (FileArchive.fa_deleted, FileArchive.fa_actor.in_(actor_ids)),
    )
    about = (
        (Logging.log_deleted, about_logged & is_open),
        (RecentChanges.rc_deleted, about_changed & (RecentChanges.rc_logid > 0)),
    )
    for bits, condition in authored:
        _mark(db, bits, condition, visibility.USER | visibility.RESTRICTED, hidden=hidden)
    for bits, condition in about:
        _mark(db, bits, condition, visibility.ACTION | visibility.RESTRICTED, hidden=hidden)


def _mark(db: Database, column: Any, condition: Any, bits: int, *, hidden: bool) -> None:
    table: type[Model] = column.model
    marked = column.bin_or(bits) if hidden else column.bin_and(~bits & 0xF)
    db.execute_write(table.update({column.name: marked}).where(condition))
