"""Facts of ``prop=info`` about watchlists and rights."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

from wikiapi.api.params.types.timestamp import compact, parse_moment
from wikiapi.store import revisions, watchlist
from wikiapi_plugins.families.pagefact import Fact, InfoPage

if TYPE_CHECKING:
    from collections.abc import Mapping

_RIGHT = "unwatchedpages"
# Who has not seen an edit for so long after it was made does not visit the page any more.
_VISIT = timedelta(days=180)


class Watched(Fact):
    """Whether the user watches the page; visitors without an account watch none."""

    name = "watched"

    def of(self, page: InfoPage) -> Mapping[str, Any]:
        return {"watched": False}


class NotificationTimestamp(Fact):
    """The first edit that a watching user has not seen."""

    name = "notificationtimestamp"

    def of(self, page: InfoPage) -> Mapping[str, Any]:
        return {"notificationtimestamp": ""}


class Watchers(Fact):
    """How many users watch the page, for those who may know."""

    name = "watchers"

    def load(self) -> None:
        self._allowed = self.module.context.user.can(_RIGHT)
        keys = [page.title.key for page in self.pages] if self._allowed else []
        self._counts = watchlist.watchers(self.module.db, keys)

    def of(self, page: InfoPage) -> Mapping[str, Any]:
        return {"watchers": self._counts.get(page.title.key, 0)} if self._allowed else {}


class VisitingWatchers(Fact):
    """How many of the watchers have come back lately, for those who may know."""

    name = "visitingwatchers"

    def load(self) -> None:
        self._allowed = self.module.context.user.can(_RIGHT)
        latest = [page.page_id for page in self.existing] if self._allowed else []
        edits = revisions.latest_of_pages(self.module.db, latest)
        since = {
            page.title.key: _before(edits[page.page_id].timestamp)
            for page in self.existing
            if page.page_id in edits
        }
        self._counts = watchlist.visiting_watchers(self.module.db, since)

    def of(self, page: InfoPage) -> Mapping[str, Any]:
        return {"visitingwatchers": self._counts.get(page.title.key, 0)} if self._allowed else {}


class Readable(Fact):
    """Whether the user may read the page: the whole API is closed to those who may not."""

    name = "readable"

    def of(self, page: InfoPage) -> Mapping[str, Any]:
        return {"readable": self.module.context.user.can("read")}


def _before(timestamp: str) -> str:
    moment = parse_moment(timestamp)
    return compact(moment - _VISIT) if moment else timestamp
