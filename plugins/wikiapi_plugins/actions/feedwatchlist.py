"""``action=feedwatchlist``: ``list=watchlist`` as a feed."""

from __future__ import annotations

import html
from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from wikiapi.api import CacheMode, boolean, call, compact, enum, integer, string, user
from wikiapi.errors import RequestFailed
from wikiapi.title import Title
from wikiapi_plugins.shared.feeds.feed import FORM, MAX_ENTRIES, Entry, Feed, FeedAction

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
        """Return the changes of watched pages, newest first.

        An error is the only entry, since feed readers expect a feed.
        """
        name = self.site.messages.content_text("watchlist")
        p = self.p
        params: dict[str, str | bool | tuple[str, ...] | None] = {
            "action": "query",
            "list": "watchlist",
            "wlprop": "ids|title|user|comment|timestamp|loginfo",
            "wlend": compact(self.context.now - timedelta(hours=p.number("hours"))),
            "wllimit": str(MAX_ENTRIES),
            "wlallrev": p.flag("allrev"),
            "wlowner": p.text_or_none("wlowner"),
            "wltoken": p.text_or_none("wltoken"),
            "wlshow": p.texts("wlshow") or None,
            "wltype": p.texts("wltype"),
            "wlexcludeuser": p.text_or_none("wlexcludeuser"),
            "uselang": self.context.language,
            "errorformat": "plaintext",
        }
        try:
            answer = call(self.site, params, self.context.user)
        except RequestFailed as error:
            entry = Entry(f"Error ({error.code})", html.escape(error.info, quote=False))
            return self.make(f"Error - {name}", "Watchlist", name, [entry])
        changes = answer["query"]["watchlist"]
        # The titles of hidden log entries are hidden too.
        titles = [self.site.titles.try_parse(change.get("title", "")) for change in changes]
        entries = [
            self._entry(change, title)
            for change, title in zip(changes, titles, strict=True)
            if title is not None
        ]
        return self.make(name, "Watchlist", name, entries)

    def _entry(self, change: Mapping[str, Any], title: Title) -> Entry:
        comment, author = change.get("comment", ""), change.get("user", "")
        text = f"{comment} ({author})" if author else comment
        return Entry(
            title=change["title"],
            summary=html.escape(text, quote=False),
            url=self._url(change, title, comment),
            moment=compact(datetime.fromisoformat(change["timestamp"])),
            author=author,
        )

    def _url(self, change: Mapping[str, Any], title: Title, comment: str) -> str:
        if change.get("logid") and not change.get("revid"):
            return self.site.page_url(self.site.special_page("Log"), f"logid={change['logid']}")
        if self.p.flag("linktosections"):
            end = comment.rfind("*/")
            start = comment.rfind("/*", 0, max(end, 0))
            if start >= 0:
                title = replace(title, fragment=comment[start + 2 : end].strip())
        return self.site.page_url(title, f"diff={change['revid']}" if change.get("revid") else "")
