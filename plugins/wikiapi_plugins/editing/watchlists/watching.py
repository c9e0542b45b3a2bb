"""Adding pages to watch lists and removing them. A page and its talk page are watched together."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from peewee import JOIN

from wikiapi.api import RequestContext, compact
from wikiapi.site import Site
from wikiapi.store import Database
from wikiapi.store.expiry import INFINITY
from wikiapi.store.models import Watchlist
from wikiapi.store.sql.batches import fetch_in, fetch_keys
from wikiapi.store.write.ids import next_id
from wikiapi.title import Title
from wikiapi_plugins.editing.tables import WatchlistExpiry
from wikiapi_plugins.query.changes.watchlists import still_watched
from wikiapi_plugins.query.users.preferences import option

WATCH, UNWATCH, PREFERENCES, NO_CHANGE = "watch", "unwatch", "preferences", "nochange"


class Watcher:
    """Changes the watch list of a request's user. Call it in a transaction."""

    def __init__(self, context: RequestContext) -> None:
        """Change the list of the request's user. Visitors have none."""
        self._context = context
        self._db: Database = context.site.db
        self._user = context.user

    def wants(self, choice: str, title: Title, preference: str) -> bool | None:
        """Return whether a page is to be watched, or ``None`` to leave it as it is.

        Args:
            choice: the value of the parameter ``watchlist``.
            title: the page.
            preference: the user's option that decides if the choice is ``preferences``.
        """
        if choice == WATCH:
            return True
        if choice == UNWATCH:
            return False
        if self.is_watched(title):
            return True
        if choice == NO_CHANGE or self._user.can("bot"):
            return None
        return True if self._option(preference) else None

    def apply(self, wanted: bool | None, title: Title, expiry: str | None = None) -> None:
        """Watch or unwatch a page, or leave it as it is if ``wanted`` is ``None``.

        ``expiry`` is as for :meth:`watch`.
        """
        if wanted is None or self._user.is_anonymous:
            return
        if wanted:
            self.watch([title], expiry)
        else:
            self.unwatch([title])

    def is_watched(self, title: Title) -> bool:
        """Return whether the user watches a page. One query."""
        if self._user.is_anonymous:
            return False
        query = Watchlist.select(Watchlist.wl_id).where(
            Watchlist.wl_user == self._user.id,
            Watchlist.wl_namespace == title.ns,
            Watchlist.wl_title == title.dbkey,
            still_watched(self._context.site),
        )
        return self._db.scalar(query) is not None

    def watch(self, titles: Iterable[Title], expiry: str | None = None) -> None:
        """Watch pages until ``expiry``: 14 digits, or ``infinity`` for no end.

        ``None`` leaves the expiry of watched pages as it is; others are watched indefinitely.
        """
        keys = [key for title in titles for key in self._pair(title)]
        known = self._items(keys)
        number = next_id(self._db, Watchlist.wl_id)
        for key in keys:
            if key in known:
                continue
            row = (number, self._user.id, *key, None)
            self._db.insert_many(Watchlist, [row])
            known[key] = number
            number += 1
        table, items = WatchlistExpiry, list(known.values())
        replaced = table.delete().where(table.we_item.in_(items))
        if expiry is None:
            # An entry that has ended does not count as watched: it begins anew.
            replaced = replaced.where(table.we_expiry <= compact(self._context.site.clock()))
        self._db.execute_write(replaced)
        if expiry and expiry != INFINITY:
            self._db.insert_many(table, [(item, expiry) for item in items])

    def unwatch(self, titles: Iterable[Title]) -> None:
        """Stop watching pages."""
        items = list(self._items([key for title in titles for key in self._pair(title)]).values())
        if items:
            self._db.execute_write(
                WatchlistExpiry.delete().where(WatchlistExpiry.we_item.in_(items))
            )
            self._db.execute_write(Watchlist.delete().where(Watchlist.wl_id.in_(items)))

    def _pair(self, title: Title) -> list[tuple[int, str]]:
        titles = self._context.site.titles
        talk = titles.talk(title)
        both = [titles.subject(title), *([talk] if talk else [])]
        return [one.key for one in both]

    def _items(self, keys: list[tuple[int, str]]) -> dict[tuple[int, str], int]:
        query = Watchlist.select(Watchlist.wl_id, Watchlist.wl_namespace, Watchlist.wl_title)
        columns = (Watchlist.wl_namespace, Watchlist.wl_title)
        rows = fetch_keys(self._db, query.where(Watchlist.wl_user == self._user.id), *columns, keys)
        return {(row[1], row[2]): row[0] for row in rows}

    def _option(self, name: str) -> bool:
        return bool(option(self._user, name))


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
    known: dict[int, int] = dict(fetch_in(db, known_query, table.wl_user, users))
    number = next_id(db, table.wl_id)
    for user, moment, expiry in entries:
        if user in known:
            seen = table.update(wl_notificationtimestamp=moment)
            db.execute_write(seen.where(table.wl_id == known[user]))
            db.execute_write(expiries.delete().where(expiries.we_item == known[user]))
        else:
            db.insert_many(table, [(number, user, *after.key, moment)])
            known[user], number = number, number + 1
        if expiry:
            db.insert_many(expiries, [(known[user], expiry)])


def _of(title: Title) -> Any:
    return (Watchlist.wl_namespace == title.ns) & (Watchlist.wl_title == title.dbkey)
