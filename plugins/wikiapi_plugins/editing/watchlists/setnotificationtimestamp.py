"""``action=setnotificationtimestamp``."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from wikiapi.api import (
    CONTINUE_FROM,
    PAGE_SET,
    Arr,
    Obj,
    PageSet,
    WriteAction,
    at_most_one_of,
    boolean,
    integer,
    iso,
    timestamp,
)
from wikiapi.errors import ApiError
from wikiapi.languages import Message, Plain
from wikiapi.store import Key
from wikiapi.store.models import Revision, Watchlist
from wikiapi_plugins.editing.watchlists.pagesets import (
    load_page_set,
    non_page_items,
    page_set_params,
)
from wikiapi_plugins.query.changes.watchlists import WatchedPage, watched_pages

_REVISIONS = ("torevid", "newerthanrevid")
_MOMENTS = ("timestamp", *_REVISIONS)


class SetNotificationTimestamp(WriteAction):
    """Set until when the changes of watched pages were seen."""

    name = "setnotificationtimestamp"
    position = 25
    params = (
        boolean("entirewatchlist", "Apply to all watched pages."),
        timestamp("timestamp", "Time of the first unseen change."),
        integer("torevid", "First unseen revision; for one page only."),
        integer("newerthanrevid", "Last seen revision; for one page only."),
        CONTINUE_FROM,
        *PAGE_SET,
    )
    examples = (
        (
            "action=setnotificationtimestamp&entirewatchlist=&token=123ABC",
            "Mark all watched pages as seen",
        ),
    )
    help_urls = ("https://www.mediawiki.org/wiki/Special:MyLanguage/API:SetNotificationTimestamp",)

    def prepare(self) -> None:
        """Look up the pages.

        Raises:
            ApiError: ``notloggedin``, or the parameters contradict each other.
        """
        if self.context.user.is_anonymous:
            raise ApiError("notloggedin", "watchlistanontext")
        self.require_right("editmywatchlist")
        at_most_one_of(self, *_MOMENTS)
        if not self.p.flag("entirewatchlist"):
            self._pages, self._run = load_page_set(self)

    def perform(self) -> None:
        """Change the watch list, and put the oldest unseen change of each page into the result.

        Raises:
            ApiError: the parameters contradict each other.
        """
        if self.p.flag("entirewatchlist"):
            self._set_all()
            return
        page_set = self._pages
        pages = dict(page_set.good_and_missing())
        moment = self._moment(page_set)
        keys = [title.key for title in pages.values()]
        for namespace, dbkey in keys:
            changed = Watchlist.update(wl_notificationtimestamp=moment).where(
                Watchlist.wl_user == self.context.user.id,
                Watchlist.wl_namespace == namespace,
                Watchlist.wl_title == dbkey,
            )
            self.db.execute_write(changed)
        watched = watched_pages(self.site, self.context.user.id, keys)
        items = [*non_page_items(self, page_set), *self._items(page_set, watched)]
        self.result.set((), self.name, Arr(items, "page"))
        self._run.continuation.write(self.result)

    def _set_all(self) -> None:
        """Set the timestamp of all watched pages."""
        sources = page_set_params(self)
        if sources:
            names = (Plain(self.full("entirewatchlist")), Plain(sources[0]))
            message = Message("apierror-invalidparammix-cannotusewith", names)
            raise ApiError("multisource", message)
        for name in _REVISIONS:
            if self.p.is_given(name):
                raise self._several_pages(name)
        moment = self.p.text_or_none("timestamp")
        changed = Watchlist.update(wl_notificationtimestamp=moment)
        self.db.execute_write(changed.where(Watchlist.wl_user == self.context.user.id))
        data = Obj({"notificationtimestamp": iso(moment) if moment else ""})
        self.result.set((), self.name, data)
        self.result.set((), "batchcomplete", True)

    def _moment(self, page_set: PageSet) -> str | None:
        """Return the timestamp to set, 14 digits; ``None`` if everything was seen.

        Raises:
            ApiError: ``multpages``, if a revision and several pages that exist are given.
        """
        to, newer_than = self.p.number_or_none("torevid"), self.p.number_or_none("newerthanrevid")
        if to is None and newer_than is None:
            return self.p.text_or_none("timestamp")
        page_ids = [page_id for page_id, _ in page_set.good_and_missing() if page_id > 0]
        if len(page_ids) > 1:
            raise self._several_pages("torevid" if to is not None else "newerthanrevid")
        page_id = page_ids[0] if page_ids else 0
        of_page = Revision.select(Revision.rev_timestamp).where(Revision.rev_page == page_id)
        if to is not None:
            visited_at = self.db.scalar(of_page.where(Revision.rev_id == to))
        else:
            later = of_page.where(Revision.rev_id > newer_than).order_by(Revision.rev_id)
            visited_at = self.db.scalar(later.limit(1))
        return None if visited_at is None else str(visited_at)

    def _several_pages(self, name: str) -> ApiError:
        return ApiError("multpages", "apierror-multpages", self.full(name))

    def _items(self, page_set: PageSet, watched: dict[Key, WatchedPage]) -> Iterator[Obj]:
        for page_id, title in page_set.good_and_missing():
            item: dict[str, Any] = {"ns": title.ns, "title": title.prefixed_text}
            if page_id < 0:
                item["missing"] = True
            if title.key in watched:
                moment = watched[title.key].unseen_since
                item["notificationtimestamp"] = iso(moment) if moment else ""
            else:
                item["notwatched"] = True
            yield Obj(item)
