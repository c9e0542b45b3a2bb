"""``action=feedwatchlist``: for visitors, a feed that says they have no watchlist."""

from __future__ import annotations

from wikiapi.api import CacheMode, boolean, enum, integer, string, user
from wikiapi.i18n import Message
from wikiapi_plugins.feeds.feed import FORM, Entry, Feed, FeedAction

_SHOW = ("minor", "bot", "anon", "patrolled", "autopatrolled", "unread")
_TYPES = ("edit", "external", "new", "log", "categorize")
_LONGEST = 72


class FeedWatchlist(FeedAction):
    """Return a feed of the watchlist."""

    name = "feedwatchlist"
    params = (
        FORM,
        integer("hours", "Hours to look back.", minimum=1, maximum=_LONGEST, default=24),
        boolean("linktosections", "Link to the sections that were changed."),
        boolean("allrev", "All edits of a page, not the latest one only."),
        user("wlowner", "The user whose watchlist it is.", kinds=("name",)),
        string("wltoken", "The key of that user's watchlist.", sensitive=True),
        enum("wlshow", *(value for name in _SHOW for value in (name, f"!{name}")), multi=True,
             help="Only changes of this kind, or not of it."),
        enum("wltype", *_TYPES, multi=True, default="edit|new|log|categorize",
             help="Which kinds of change to show."),
        user("wlexcludeuser", "No edits of this user.", kinds=("name", "ip", "temp", "interwiki",
                                                               "id")),
    )  # fmt: skip
    examples = (("action=feedwatchlist", "The watchlist"),)
    help_urls = ("https://www.mediawiki.org/wiki/Special:MyLanguage/API:Watchlist_feed",)

    def cache_mode(self) -> CacheMode:
        """Return private: a watchlist is shown to its owner only."""
        return CacheMode.PRIVATE

    def feed(self) -> Feed:
        """Return a feed of one entry, the error: readers of feeds understand nothing else."""
        reason = self.site.messages.text(Message("watchlistanontext"), self.context.language)
        entry = Entry("Error (notloggedin)", reason)
        return self.make("Error - Watchlist", "Watchlist", "Watchlist", [entry])
