"""``list=watchlistraw``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wikiapi.api.cachecontrol import CacheMode
from wikiapi.api.params.declaration import (
    continuation,
    enum,
    limit,
    namespace,
    sort_direction,
    title,
)
from wikiapi.api.query.module import ListModule
from wikiapi_plugins.families.watchlistowner import owner_params, refuse

if TYPE_CHECKING:
    from wikiapi.api.query.generator import GeneratedPages


class WatchlistRaw(ListModule):
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
        enum("prop", "changed", multi=True, help="What to tell beside the title.",
             value_help=(("changed", "When the user was last told of a change."),)),
        enum("show", "changed", "!changed", multi=True,
             help="Only pages that have changed since, or have not."),
        *owner_params(),
        sort_direction(),
        title("fromtitle", "The title to begin with."),
        title("totitle", "The title to end with."),
    )  # fmt: skip
    examples = (("action=query&list=watchlistraw", "The pages on the watchlist"),)
    help_urls = ("https://www.mediawiki.org/wiki/Special:MyLanguage/API:Watchlistraw",)

    def cache_mode(self) -> CacheMode:
        """A watchlist is its owner's alone."""
        return CacheMode.PRIVATE

    def execute(self) -> None:
        """Refuse.

        Raises:
            ApiError: ``notloggedin``, ``bad_wlowner``, ``bad_wltoken``.
        """
        raise refuse(self)

    def generate(self, pages: GeneratedPages) -> None:
        """Refuse as :meth:`execute` does."""
        raise refuse(self)
