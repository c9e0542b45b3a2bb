"""Accounts with their groups and blocks. Passwords, tokens and addresses are never selected."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import reduce
from operator import or_
from typing import Any, NamedTuple

from peewee import fn

from wikiapi.store.database import Database
from wikiapi.store.models import (
    Actor,
    Block,
    BlockTarget,
    Comment,
    User,
    UserGroups,
    UserProperties,
    Watchlist,
)
from wikiapi.store.queries.visibility import user_is_hidden, user_is_not_hidden
from wikiapi.store.sql.batches import Key
from wikiapi.store.sql.compiled import ByKeys, ByValues


class UserRow(NamedTuple):
    """An account. ``registration`` is 14 digits, None if it is unknown.

    ``is_hidden`` tells that a block hides its name from all who lack the right ``hideuser``.
    """

    user_id: int
    name: str
    registration: str | None
    edit_count: int
    is_temp: int
    is_hidden: int = 0


class GroupRow(NamedTuple):
    """Membership in a group. ``expiry`` is 14 digits, perhaps in the past, or None for never."""

    group: str
    expiry: str | None

    def is_in_force(self, now: str) -> bool:
        """Return whether the membership has not expired at the time ``now`` (14 digits)."""
        return self.expiry is None or self.expiry >= now


class BlockRow(NamedTuple):
    """A block of an account or address. Flags are 0 or 1; ``expiry`` is ``infinity`` or 14 digits.

    ``deleted`` means that the block hides the name of its target, ``is_by_hidden`` that another
    block hides the name of its author. ``parent_id`` is the block that caused an autoblock.
    """

    block_id: int
    user_id: int | None
    user_name: str | None
    address: str | None
    by_id: int
    by_name: str
    reason: str
    timestamp: str
    expiry: str
    sitewide: int
    anon_only: int
    create_account: int
    enable_autoblock: int
    block_email: int
    allow_usertalk: int
    deleted: int
    auto: int
    parent_id: int | None
    is_by_hidden: int = 0
    components: tuple[BlockRow, ...] = ()
    """The blocks of which several on a user are composed."""

    def author(self, *, shows_hidden: bool) -> tuple[str, int]:
        """Return name and id of who has blocked; empty and 0 if the name is hidden.

        ``shows_hidden`` tells whether the reader has the right ``hideuser``.
        """
        if self.is_by_hidden and not shows_hidden:
            return "", 0
        return self.by_name, self.by_id or 0


USER_COLUMNS = (
    User.user_id,
    User.user_name,
    User.user_registration,
    User.user_editcount,
)

BLOCK_COLUMNS = (
    Block.bl_id,
    BlockTarget.bt_user,
    BlockTarget.bt_user_text,
    BlockTarget.bt_address,
    Actor.actor_user,
    Actor.actor_name,
    Comment.comment_text,
    Block.bl_timestamp,
    Block.bl_expiry,
    Block.bl_sitewide,
    Block.bl_anon_only,
    Block.bl_create_account,
    Block.bl_enable_autoblock,
    Block.bl_block_email,
    Block.bl_allow_usertalk,
    Block.bl_deleted,
    BlockTarget.bt_auto,
    Block.bl_parent_block_id,
    user_is_hidden(Actor.actor_user),
)


SELECT_ALL_USERS = User.select(*USER_COLUMNS, User.user_is_temp, user_is_hidden(User.user_id))
"""All accounts, for those who may see hidden names: add conditions and an order.

:func:`read` reads the rows.
"""

SELECT_USERS = SELECT_ALL_USERS.where(user_is_not_hidden(User.user_id))
"""The accounts that are not hidden."""

SELECT_BLOCKS = (
    Block.select(*BLOCK_COLUMNS)
    .join_from(Block, BlockTarget, on=(BlockTarget.bt_id == Block.bl_target))
    .join_from(Block, Actor, on=(Actor.actor_id == Block.bl_by_actor))
    .join_from(Block, Comment, on=(Comment.comment_id == Block.bl_reason_id))
)
"""All blocks, including those that hide a name: add conditions, columns and an order."""

_USERS_BY_NAME = ByValues(SELECT_USERS, User.user_name)
_USERS_BY_ID = ByValues(SELECT_USERS, User.user_id)
_ALL_USERS_BY_NAME = ByValues(SELECT_ALL_USERS, User.user_name)
_ALL_USERS_BY_ID = ByValues(SELECT_ALL_USERS, User.user_id)
_GROUPS = ByValues(
    UserGroups.select(UserGroups.ug_user, UserGroups.ug_group, UserGroups.ug_expiry).order_by(
        UserGroups.ug_user, UserGroups.ug_group
    ),
    UserGroups.ug_user,
)
_BLOCKS = ByValues(SELECT_BLOCKS.order_by(Block.bl_id), BlockTarget.bt_user)
_PROPERTIES = ByValues(
    UserProperties.select(
        UserProperties.up_user, UserProperties.up_property, UserProperties.up_value
    ),
    UserProperties.up_user,
)
_SELECT_WATCHERS = Watchlist.select(
    Watchlist.wl_namespace, Watchlist.wl_title, fn.COUNT(Watchlist.wl_user)
).group_by(Watchlist.wl_namespace, Watchlist.wl_title)
_WATCHERS = ByKeys(_SELECT_WATCHERS, Watchlist.wl_namespace, Watchlist.wl_title)


def by_names(
    db: Database, names: Iterable[str], *, with_hidden: bool = False
) -> dict[str, UserRow]:
    """Return the accounts with the names that exist. One query.

    Hidden accounts are left out, unless the caller takes care that nobody learns their names.
    """
    query = _ALL_USERS_BY_NAME if with_hidden else _USERS_BY_NAME
    return {row[1]: read(row) for row in query.rows(db, names)}


def by_ids(
    db: Database, user_ids: Iterable[int], *, with_hidden: bool = False
) -> dict[int, UserRow]:
    """Return the accounts with the ids that exist. One query.

    Hidden accounts are left out as in :func:`by_names`.
    """
    query = _ALL_USERS_BY_ID if with_hidden else _USERS_BY_ID
    return {row[0]: read(row) for row in query.rows(db, user_ids)}


def groups(db: Database, user_ids: Iterable[int]) -> dict[int, list[GroupRow]]:
    """Return the groups of each account that is in any, sorted by name. One query."""
    memberships: dict[int, list[GroupRow]] = {}
    for user_id, group, expiry in _GROUPS.rows(db, user_ids):
        memberships.setdefault(user_id, []).append(GroupRow(group, expiry))
    return memberships


def count_in_group(db: Database, group: str, now: str) -> int:
    """Return the number of accounts that are in a group at the time ``now``. One query."""
    table = UserGroups
    has_not_ended = table.ug_expiry.is_null() | (table.ug_expiry >= now)
    query = table.select(fn.COUNT(table.ug_user)).where((table.ug_group == group) & has_not_ended)
    return int(db.scalar(query))


def blocks(db: Database, user_ids: Iterable[int]) -> dict[int, list[BlockRow]]:
    """Return the blocks of each account that has any, oldest first. One query."""
    by_user: dict[int, list[BlockRow]] = {}
    for row in _BLOCKS.rows(db, user_ids):
        by_user.setdefault(row[1], []).append(BlockRow(*row))
    return by_user


def properties(db: Database, user_ids: Iterable[int], name: str) -> dict[int, str | None]:
    """Return a preference of each account that has set it. One query.

    Use it only for public preferences such as ``gender``.
    """
    rows = _PROPERTIES.rows(db, user_ids)
    return {user_id: value for user_id, key, value in rows if key == name}


def read(row: tuple[Any, ...]) -> UserRow:
    """Return the account in a row of :data:`SELECT_USERS` or :data:`SELECT_ALL_USERS`."""
    return UserRow(row[0], row[1], row[2], row[3] or 0, row[4], row[5])


def watchers(db: Database, keys: Iterable[Key]) -> dict[Key, int]:
    """Return the number of watchers of each title that has any. One query."""
    return {(row[0], row[1]): row[2] for row in _WATCHERS.rows(db, keys)}


def visiting_watchers(db: Database, since: Mapping[Key, str]) -> dict[Key, int]:
    """Return the number of watchers who have visited each page since a time. One query."""
    if not since:
        return {}
    table = Watchlist
    visited = table.wl_notificationtimestamp
    conditions = [
        (table.wl_namespace == key[0])
        & (table.wl_title == key[1])
        & (visited.is_null() | (visited >= moment))
        for key, moment in since.items()
    ]
    query = _SELECT_WATCHERS.where(reduce(or_, conditions))
    return {(row[0], row[1]): row[2] for row in db.execute(query)}
