"""Changes: recent changes, log entries, watchlists and change tags."""

from __future__ import annotations

from wikiapi.api import QueryModule
from wikiapi_plugins.query.changes.logevents import LogEvents
from wikiapi_plugins.query.changes.recentchanges import RecentChangesList
from wikiapi_plugins.query.changes.tags import Tags
from wikiapi_plugins.query.changes.watchlist import WatchlistChanges
from wikiapi_plugins.query.changes.watchlistraw import WatchlistRaw

MODULES: tuple[type[QueryModule], ...] = (
    LogEvents,
    RecentChangesList,
    Tags,
    WatchlistChanges,
    WatchlistRaw,
)
