"""How many users watch a page; who they are is never selected."""

from __future__ import annotations

from functools import reduce
from operator import or_
from typing import TYPE_CHECKING, Any

from peewee import fn

from wikiapi.store.batches import fetch_keys, match_keys
from wikiapi.store.models import Watchlist

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from wikiapi.store.batches import Key
    from wikiapi.store.database import Database


def watchers(db: Database, keys: Iterable[Key]) -> dict[Key, int]:
    """The number of watchers of each title that has some. One query."""
    return {(row[0], row[1]): row[2] for row in fetch_keys(db, _watchers, keys)}


def visiting_watchers(db: Database, since: Mapping[Key, str]) -> dict[Key, int]:
    """The number of watchers who have seen each page's state of a moment or later. One query."""
    if not since:
        return {}
    table = Watchlist
    seen = table.wl_notificationtimestamp
    conditions = [
        (table.wl_namespace == key[0])
        & (table.wl_title == key[1])
        & (seen.is_null() | (seen >= moment))
        for key, moment in since.items()
    ]
    query = _counts().where(reduce(or_, conditions))
    return {(row[0], row[1]): row[2] for row in db.rows(query)}


def _watchers(shape: tuple[int, ...]) -> Any:
    return _counts().where(match_keys(Watchlist.wl_namespace, Watchlist.wl_title, shape))


def _counts() -> Any:
    table = Watchlist
    query = table.select(table.wl_namespace, table.wl_title, fn.COUNT(table.wl_user))
    return query.group_by(table.wl_namespace, table.wl_title)
