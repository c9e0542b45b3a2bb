"""The base of actions that answer with a feed."""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING

from wikiapi.api.cachecontrol import CacheMode
from wikiapi.api.module import Action
from wikiapi.api.params.declaration import enum
from wikiapi.api.result import RawBody
from wikiapi.title.namespaces import SPECIAL
from wikiapi_plugins.feeds.feed import FORMS, RSS, Feed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from wikiapi_plugins.feeds.feed import Entry

FORM = enum("feedformat", *FORMS, default=RSS, help="The form of the feed.")
MOST_ENTRIES = 50
_MEDIA_TYPE = "application/xml; charset=utf-8"
_FILE = "feed.xml"


class FeedAction(Action):
    """Answers with a feed, whatever format was asked for."""

    def cache_mode(self) -> CacheMode:
        """The same for everybody."""
        return CacheMode.PUBLIC

    def execute(self) -> None:
        """Send the feed.

        Raises:
            ApiError: a parameter cannot be used.
        """
        body = self.feed().text(self.p["feedformat"]).encode("utf-8", "replace")
        self.result.raw = RawBody(body, _MEDIA_TYPE, _FILE)

    @abstractmethod
    def feed(self) -> Feed:
        """The feed."""

    def make(self, name: str, special: str, about: str, entries: Sequence[Entry]) -> Feed:
        """A feed of the page that shows the same to people.

        Args:
            name: its name.
            special: that page's name, without namespace.
            about: one sentence on what it tells.
            entries: the news, newest first.
        """
        site = self.site
        # Not parsed: the name of another wiki's user may hold what no title can.
        page = site.titles.make(SPECIAL, special.replace(" ", "_"))
        return Feed(
            title=f"{site.config.site.name} - {name} [{site.language}]",
            description=about,
            page_url=site.page_url(page),
            own_url=site.config.site.server + self.context.request.url,
            language=site.language,
            generator=site.config.site.generator,
            now=self.context.now,
            entries=entries,
        )
