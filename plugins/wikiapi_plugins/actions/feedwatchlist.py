"""``action=feedwatchlist``: always a feed with one entry, the error that visitors get."""

from __future__ import annotations

from wikiapi.api import CacheMode, boolean, enum, integer, string, user
from wikiapi.languages import Message
from wikiapi_plugins.shared.feeds.feed import FORM, Entry, Feed, FeedAction

_SHOW = ("minor", "bot", "anon", "patrolled", "autopatrolled", "unread")
_TYPES = ("edit", "external", "new", "log", "categorize")
_LONGEST = 72


class FeedWatchlist(FeedAction):
    """Return a feed of the watchlist."""

    name = "feedwatchlist"
    position = 16
    params = (
        FORM,
        integer("hours", "Hours to look back.", minimum=1, maximum=_LONGEST, default=24),
        boolean("linktosections", "Link to the sections that were changed."),
        boolean("allrev", "All edits of a page, not only the latest one."),
        user("wlowner", "The owner of the watchlist.", kinds=("name",)),
        string("wltoken", "The watchlist token of that user.", sensitive=True),
        enum("wlshow", *(value for name in _SHOW for value in (name, f"!{name}")), multi=True,
             help="Only changes with this property or, with ``!``, without it."),
        enum("wltype", *_TYPES, multi=True, default="edit|new|log|categorize",
             help="Types of changes to show."),
        user("wlexcludeuser", "No edits by this user.", kinds=("name", "ip", "temp", "interwiki",
                                                               "id")),
    )  # fmt: skip
    examples = (("action=feedwatchlist", "The watchlist"),)
    help_urls = ("https://www.mediawiki.org/wiki/Special:MyLanguage/API:Watchlist_feed",)

    def cache_mode(self) -> CacheMode:
        """Return ``PRIVATE``: a watchlist is shown only to its owner."""
        return CacheMode.PRIVATE

    def feed(self) -> Feed:
        """Return a feed with the error as its only entry, since feed readers expect a feed."""
        reason = self.site.messages.text(Message("watchlistanontext"), self.context.language)
        entry = Entry("Error (notloggedin)", reason)
        name = self.site.messages.content_text("watchlist")
        return self.make(f"Error - {name}", "Watchlist", name, [entry])
