"""``action=setnotificationtimestamp``."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from wikiapi.api import Arr, Obj, PageSet, iso
from wikiapi.errors import ApiError
from wikiapi.i18n import Message, Num, Plain, plain_list
from wikiapi.store.models import Revision, Watchlist
from wikiapi.store.sql.batches import Key
from wikiapi_plugins.editing.action import WriteAction
from wikiapi_plugins.editing.watchlists.pagesets import (
    load_page_set,
    non_page_items,
    page_set_params,
)
from wikiapi_plugins.query.changes.watchlists import WatchedPage, watched_pages

_REVISIONS = ("torevid", "newerthanrevid")
_MOMENTS = ("timestamp", *_REVISIONS)


class SetNotificationTimestamp(WriteAction):
    """Sets until when the user has seen the changes of watched pages."""

    def prepare(self) -> None:
        """Look up the pages.

        Raises:
            ApiError: ``notloggedin``, or the parameters contradict each other.
        """
        if self.context.user.is_anonymous:
            raise ApiError(Message("watchlistanontext"), "notloggedin")
        self.require_right("editmywatchlist", "apierror-permissiondenied-generic")
        self._refuse_several(_MOMENTS)
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
        found = self._pages
        pages = dict(found.good_and_missing())
        moment = self._moment(found)
        keys = [title.key for title in pages.values()]
        self._set(moment, keys)
        watched = watched_pages(self.site, self.context.user.id, keys)
        items = [*non_page_items(self, found), *self._items(found, watched)]
        self.result.set((), self.name, Arr(items, "page"))
        self._run.continuation.write(self.result)

    def _set_all(self) -> None:
        """Set the timestamp of all watched pages."""
        given = page_set_params(self)
        if given:
            names = (Plain(self.full("entirewatchlist")), Plain(given[0]))
            message = Message("apierror-invalidparammix-cannotusewith", names)
            raise ApiError(message, "multisource")
        for name in _REVISIONS:
            if self.p.is_given(name):
                raise self._several_pages(name)
        moment = self.p.text_or_none("timestamp")
        changed = Watchlist.update(wl_notificationtimestamp=moment)
        self.db.execute_write(changed.where(Watchlist.wl_user == self.context.user.id))
        data = Obj({"notificationtimestamp": iso(moment) if moment else ""})
        self.result.set((), self.name, data)
        self.result.set((), "batchcomplete", True)

    def _moment(self, found: PageSet) -> str | None:
        """Return the timestamp to set, 14 digits; ``None`` if everything was seen.

        Raises:
            ApiError: ``multpages``, if a revision and several pages are given.
        """
        to, newer_than = self.p.number_or_none("torevid"), self.p.number_or_none("newerthanrevid")
        if to is None and newer_than is None:
            return self.p.text_or_none("timestamp")
        pages = list(found.good_and_missing())
        if len(pages) > 1:
            raise self._several_pages("torevid" if to is not None else "newerthanrevid")
        page_id = pages[0][0] if pages else 0
        of_page = Revision.select(Revision.rev_timestamp).where(Revision.rev_page == page_id)
        if to is not None:
            found_at = self.db.scalar(of_page.where(Revision.rev_id == to))
        else:
            later = of_page.where(Revision.rev_id > newer_than).order_by(Revision.rev_id)
            found_at = self.db.scalar(later.limit(1))
        return None if found_at is None else str(found_at)

    def _several_pages(self, name: str) -> ApiError:
        return ApiError(Message("apierror-multpages", (self.full(name),)), "multpages")

    def _set(self, moment: str | None, keys: list[Key]) -> None:
        for namespace, dbkey in keys:
            changed = Watchlist.update(wl_notificationtimestamp=moment).where(
                Watchlist.wl_user == self.context.user.id,
                Watchlist.wl_namespace == namespace,
                Watchlist.wl_title == dbkey,
            )
            self.db.execute_write(changed)

    def _items(self, found: PageSet, watched: dict[Key, WatchedPage]) -> Iterator[Obj]:
        for page_id, title in found.good_and_missing():
            item: dict[str, Any] = {"ns": title.ns, "title": title.prefixed_text}
            if page_id < 0:
                item["missing"] = True
            if title.key in watched:
                moment = watched[title.key].unseen_since
                item["notificationtimestamp"] = iso(moment) if moment else ""
            else:
                item["notwatched"] = True
            yield Obj(item)

    def _refuse_several(self, names: tuple[str, ...]) -> None:
        given = [self.full(name) for name in names if self.p.is_given(name)]
        if len(given) > 1:
            params = (plain_list(given), Num(len(given)))
            raise ApiError(Message("apierror-invalidparammix", params), "invalidparammix")
