"""Watchlists: which one a request may read, and the pages on it.

Besides the owner, those who have the owner's token may read a watchlist. The token is a preference
or, if the owner has set none, derived from the secret token of the account.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterable
from typing import NamedTuple

from peewee import JOIN

from wikiapi.accounts import stored_options
from wikiapi.api import Module, Param, string, user
from wikiapi.errors import ApiError
from wikiapi.languages import Plain
from wikiapi.pages import watching
from wikiapi.site import Site
from wikiapi.store import Key, WatchlistExpiry, fetch_keys
from wikiapi.store.models import User, Watchlist
from wikiapi.store.queries import users

OPTION = "watchlisttoken"
"""The preference that holds the token."""


def owner_params() -> tuple[Param, ...]:
    """Return the parameters for another user's watchlist."""
    return (
        user("owner", "Whose watchlist to read, with their token.", kinds=("name",)),
        string("token", "The token that lets others read the watchlist.", sensitive=True),
    )


def owner_of(module: Module) -> int:
    """Return the id of the account whose watchlist a request reads.

    Raises:
        ApiError: ``notloggedin``, ``permissiondenied``, ``bad_wlowner`` or ``bad_wltoken``.
    """
    owner, token = module.p.text_or_none("owner"), module.p.text_or_none("token")
    if owner is not None and token is not None:
        row = users.by_names(module.db, [owner]).get(owner)
        if row is None:
            raise ApiError("bad_wlowner", "nosuchusershort", Plain(owner))
        own_token = watchlist_token(module.site, row.user_id)
        if not own_token or not hmac.compare_digest(own_token.encode(), token.encode()):
            raise ApiError("bad_wltoken", "apierror-bad-watchlist-token")
        return row.user_id
    if module.context.user.is_anonymous:
        raise ApiError("notloggedin", "watchlistanontext")
    module.require_right("viewmywatchlist")
    return module.context.user.id


def watchlist_token(site: Site, user_id: int) -> str:
    """Return the token of a watchlist; empty if there is none, as on a read-only copy of a wiki."""
    if not site.is_writable:
        return ""
    chosen = stored_options(site.db, user_id).get(OPTION)
    secret = site.db.scalar(User.select(User.user_token).where(User.user_id == user_id))
    if chosen or not secret:
        return chosen or ""
    text = f"{OPTION}:{user_id}"
    return hmac.new(secret.encode(), text.encode(), hashlib.sha1).hexdigest()


class WatchedPage(NamedTuple):
    """A watched page: the time of its first unseen change, and the expiry of the entry."""

    unseen_since: str | None
    expiry: str | None


def watched_pages(site: Site, user_id: int, keys: Iterable[Key]) -> dict[Key, WatchedPage]:
    """Return those of the pages that a user watches. One query; the wiki must have accounts."""
    columns = (Watchlist.wl_namespace, Watchlist.wl_title)
    ends = WatchlistExpiry.we_item == Watchlist.wl_id
    query = (
        Watchlist.select(*columns, Watchlist.wl_notificationtimestamp, WatchlistExpiry.we_expiry)
        .join_from(Watchlist, WatchlistExpiry, JOIN.LEFT_OUTER, on=ends)
        .where(Watchlist.wl_user == user_id, watching.still_watched(site))
    )
    return {
        (row[0], row[1]): WatchedPage(row[2], row[3])
        for row in fetch_keys(site.db, query, *columns, keys)
    }
