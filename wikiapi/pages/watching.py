"""Adding pages to watch lists and removing them. A page and its talk page are watched together."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from peewee import JOIN

from wikiapi.accounts.preferences import option
from wikiapi.accounts.user import Performer
from wikiapi.expiry import INFINITY
from wikiapi.site import Site
from wikiapi.store import Database
from wikiapi.store.models import Watchlist
from wikiapi.store.models.writing import WatchlistExpiry
from wikiapi.store.sql.batches import BATCH, Key, chunked, fetch_in
from wikiapi.store.sql.compiled import CompiledQuery
from wikiapi.store.write.ids import insert_all_new, next_id
from wikiapi.timestamps import compact
from wikiapi.title import Title

WATCH, UNWATCH, PREFERENCES, NO_CHANGE = "watch", "unwatch", "preferences", "nochange"


class _Entry(NamedTuple):
    """An entry of a watch list, which may have ended already; without an id there is none."""

    item_id: int | None = None
    expiry: str | None = None


class Watcher:
    """Changes the watch list of a user. Call it in a transaction."""

    def __init__(self, performer: Performer) -> None:
        """Change the list of the request's user. Visitors have none."""
        self._performer = performer
        self._db: Database = performer.site.db
        self._user = performer.user
        self._entries: dict[Key, _Entry] = {}

    def wants(self, choice: str, title: Title, *preferences: str) -> bool | None:
        """Return whether a page is to be watched, or ``None`` to leave it as it is.

        Args:
            choice: the value of the parameter ``watchlist``.
            title: the page.
            preferences: the user's options, any of which decides if the choice is ``preferences``.
        """
        if choice == WATCH:
            return True
        if choice == UNWATCH:
            return False
        if self.end_of(title):
            return True
        if choice == NO_CHANGE or self._user.can("bot"):
            return None
        return True if any(option(self._user, name) for name in preferences) else None

    def apply(self, is_watched: bool | None, title: Title, expiry: str | None = None) -> None:
        """Watch or unwatch a page, or leave it as it is if ``is_watched`` is ``None``.

        ``expiry`` is as for :meth:`watch`.
        """
        if is_watched is None or self._user.is_anonymous:
            return
        if is_watched:
            self.watch([title], expiry)
        else:
            self.unwatch([title])

    def end_of(self, title: Title) -> str | None:
        """Return until when the user watches a page: 14 digits, or ``infinity`` for no end.

        ``None`` if the page is not watched. One query, unless this object has dealt with the page.
        """
        if self._user.is_anonymous:
            return None
        key = title.key
        if key not in self._entries:
            self._read_entries([title])
        item_id, expiry = self._entries[key]
        if item_id is None or (expiry and expiry <= compact(self._performer.site.clock())):
            return None
        return expiry or INFINITY

    def watch(self, titles: Iterable[Title], expiry: str | None = None) -> None:
        """Watch pages until ``expiry``: 14 digits, or ``infinity`` for no end.

        ``None`` leaves the expiry of watched pages as it is; others are watched indefinitely.
        """
        entries = self._entries
        keys = self._read_entries(titles)
        if missing := [key for key in keys if entries[key].item_id is None]:
            columns = ("wl_user", "wl_namespace", "wl_title", "wl_notificationtimestamp")
            rows = [(self._user.id, *key, None) for key in missing]
            ids = insert_all_new(self._db, Watchlist.wl_id, rows, columns)
            entries |= {key: _Entry(number) for key, number in zip(missing, ids, strict=True)}
        # Without an expiry only entries that have ended change, which begin anew.
        now = compact(self._performer.site.clock())
        changed = [key for key in keys if expiry or (entries[key].expiry or INFINITY) <= now]
        items = [entries[key].item_id for key in changed]
        end = None if expiry == INFINITY else expiry
        if items:
            self._db.execute_write(
                WatchlistExpiry.delete().where(WatchlistExpiry.we_item.in_(items))
            )
        if end:
            self._db.insert_many(WatchlistExpiry, [(item, end) for item in items])
        entries |= {key: entries[key]._replace(expiry=end) for key in changed}

    def unwatch(self, titles: Iterable[Title]) -> None:
        """Stop watching pages."""
        keys = self._read_entries(titles)
        items = [item for key in keys if (item := self._entries[key].item_id) is not None]
        if items:
            self._db.execute_write(
                WatchlistExpiry.delete().where(WatchlistExpiry.we_item.in_(items))
            )
            self._db.execute_write(Watchlist.delete().where(Watchlist.wl_id.in_(items)))
            self._entries |= dict.fromkeys(keys, _Entry())

    def _read_entries(self, titles: Iterable[Title]) -> list[Key]:
        """Read the entries of pages and of their talk pages, and return the keys of all these.

        One query, unless this object has read them before.
        """
        codec = self._performer.site.titles
        pairs = ((codec.subject(title), codec.talk(title)) for title in titles)
        keys = dict.fromkeys(page.key for pair in pairs for page in pair if page)
        if missing := [key for key in keys if key not in self._entries]:
            self._entries |= dict.fromkeys(missing, _Entry())
            for batch in chunked(missing, BATCH):
                namespaces, dbkeys = (
                    list(dict.fromkeys(part)) for part in zip(*batch, strict=True)
                )
                query = _ENTRIES(self._user.id, namespaces, dbkeys)
                for namespace, dbkey, *entry in self._db.execute(query):
                    self._entries[namespace, dbkey] = _Entry(*entry)
        return list(keys)


_ENTRIES = CompiledQuery(
    lambda user_id, namespaces, dbkeys: (
        Watchlist.select(
            Watchlist.wl_namespace,
            Watchlist.wl_title,
            Watchlist.wl_id,
            WatchlistExpiry.we_expiry,
        )
        .join(WatchlistExpiry, JOIN.LEFT_OUTER, on=(WatchlistExpiry.we_item == Watchlist.wl_id))
        .where(
            Watchlist.wl_user == user_id,
            Watchlist.wl_namespace.in_(namespaces),
            Watchlist.wl_title.in_(dbkeys),
        )
    )
)
"""The entries of a user with any of some namespaces and any of some titles."""


def copy_watchers(site: Site, old: Title, new: Title) -> None:
    """Add a title to the watch lists that contain another one, and likewise their talk pages.

    As in MediaWiki, the entries for the new title become copies of those for the old one: with
    their expiries, and with the times of the first changes that their users have not seen.
    """
    titles = site.titles
    pairs = [(titles.subject(old), titles.subject(new))]
    old_talk, new_talk = titles.talk(old), titles.talk(new)
    if old_talk and new_talk:
        pairs.append((old_talk, new_talk))
    for before, after in pairs:
        _copy_entries(site, before, after)


def _copy_entries(site: Site, before: Title, after: Title) -> None:
    db, table, expiries = site.db, Watchlist, WatchlistExpiry
    columns = (table.wl_user, table.wl_notificationtimestamp, expiries.we_expiry)
    query = table.select(*columns).join(
        expiries, JOIN.LEFT_OUTER, on=(expiries.we_item == table.wl_id)
    )
    entries = db.execute(query.where(_of(before), still_watched(site)).order_by(table.wl_id))
    if not entries:
        return
    users = [user for user, _, _ in entries]
    known_query = table.select(table.wl_user, table.wl_id).where(_of(after))
    item_ids: dict[int, int] = dict(fetch_in(db, known_query, table.wl_user, users))
    number = next_id(db, table.wl_id)
    for user, moment, expiry in entries:
        if user in item_ids:
            update = table.update(wl_notificationtimestamp=moment)
            db.execute_write(update.where(table.wl_id == item_ids[user]))
            db.execute_write(expiries.delete().where(expiries.we_item == item_ids[user]))
        else:
            db.insert_many(table, [(number, user, *after.key, moment)])
            item_ids[user], number = number, number + 1
        if expiry:
            db.insert_many(expiries, [(item_ids[user], expiry)])


def _of(title: Title) -> Any:
    return (Watchlist.wl_namespace == title.ns) & (Watchlist.wl_title == title.dbkey)


def still_watched(site: Site) -> Any:
    """Return the condition that a watchlist entry has not expired."""
    table = WatchlistExpiry
    ended = table.select(table.we_item).where(table.we_expiry <= compact(site.clock()))
    return Watchlist.wl_id.not_in(ended)
