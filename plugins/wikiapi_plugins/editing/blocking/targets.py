"""The targets of blocks (accounts, IP addresses and ranges): finding them, hiding their names."""

from __future__ import annotations

from typing import Any

from peewee import Model

from wikiapi.accounts import blocking, blocks
from wikiapi.errors import ApiError
from wikiapi.languages import Plain
from wikiapi.pages import SUPPRESSION
from wikiapi.site import Site
from wikiapi.store import Database
from wikiapi.store.models import (
    Actor,
    Archive,
    Block,
    BlockTarget,
    FileArchive,
    Logging,
    OldImage,
    RecentChanges,
    Revision,
)
from wikiapi.store.queries import users, visibility
from wikiapi.title import USER as USER_NAMESPACE
from wikiapi.title import spell_address


def find_target(site: Site, name: str, missing: ApiError | None = None) -> blocking.Target:
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
        return blocking.Target(row.name, row.user_id, is_hidden=bool(row.is_hidden))
    if spell_address(name):
        address_range = blocks.read_range(name)
        if address_range is None or "/" not in name:
            return blocking.Target(name)
        if address_range.first == address_range.last:
            return blocking.Target(blocks.address_of_hex(address_range.first))
        return blocking.Target(f"{blocks.address_of_hex(address_range.first)}/{address_range.bits}")
    row = users.by_names(site.db, [name], with_hidden=True).get(name)
    if row is None:
        raise missing or missing_target(name)
    return blocking.Target(row.name, row.user_id, is_hidden=bool(row.is_hidden))


def missing_target(name: str) -> ApiError:
    """Return the error for an account that does not exist, or may not be known to the user."""
    if name.startswith("#"):
        return ApiError("nosuchuserid", "apierror-nosuchuserid", int(name[1:]))
    return ApiError("nosuchuser", "nosuchusershort", Plain(name))


def is_hidden_account(db: Database, user_id: int) -> bool:
    """Return whether a block hides the name of an account. One query."""
    query = Block.select(Block.bl_id).join(BlockTarget, on=(BlockTarget.bt_id == Block.bl_target))
    hides = (BlockTarget.bt_user == user_id) & (Block.bl_deleted == 1)
    return db.row(query.where(hides).limit(1)) is not None


def mark_name(db: Database, target: blocking.Target, *, hidden: bool) -> None:
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
