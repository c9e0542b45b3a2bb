"""``list=watchlistraw``."""

from __future__ import annotations

from wikiapi.api import continuation, enum, limit, namespace, sort_direction, title
from wikiapi_plugins.query.changes.watchlist import OwnersList, owner_params


class WatchlistRaw(OwnersList):
    """Get all pages on the current user's watchlist.

    Watchlists belong to users who have logged in, which nobody can here.
    """

    name = "watchlistraw"
    prefix = "wr"
    element = "wr"
    params = (
        continuation(),
        limit("How many pages to return."),
        namespace(help="Only pages in these namespaces.", multi=True),
        enum("prop", "changed", multi=True, help="Properties to include besides the title.",
             value_help=(("changed", "When the user was last notified of a change."),)),
        enum("show", "changed", "!changed", multi=True,
             help="Only pages that have changed since, or have not."),
        *owner_params(),
        sort_direction(),
        title("fromtitle", "The title to begin with."),
        title("totitle", "The title to end with."),
    )  # fmt: skip
    examples = (("action=query&list=watchlistraw", "The pages on the watchlist"),)
    help_urls = ("https://www.mediawiki.org/wiki/Special:MyLanguage/API:Watchlistraw",)
