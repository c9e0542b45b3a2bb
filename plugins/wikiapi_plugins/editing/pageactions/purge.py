"""``action=purge``."""

from __future__ import annotations

from wikiapi.api import Arr, Obj, compact, title_data
from wikiapi.store.models import Page
from wikiapi_plugins.editing.action import WriteAction
from wikiapi_plugins.editing.blocking.enforcing import refuse_blocked
from wikiapi_plugins.editing.recording.derived import DerivedData
from wikiapi_plugins.editing.watchlists.pagesets import load_page_set, non_page_items


class Purge(WriteAction):
    """Marks pages to be rendered again, and updates their links if requested."""

    def prepare(self) -> None:
        """Look up the pages.

        Raises:
            ApiError: ``blocked``, for users who are blocked sitewide.
        """
        refuse_blocked(self.context, self.name)
        self._pages, self._run = load_page_set(self)

    def perform(self) -> None:
        """Purge the pages, and list them after those that could not be purged."""
        pages = self._pages
        items = list(non_page_items(self, pages))
        items += [Obj(title_data(title) | {"missing": True}) for title in pages.missing.values()]
        recursive = self.p.flag("forcerecursivelinkupdate")
        updates = self.p.flag("forcelinkupdate") or recursive
        self._touch(list(pages.titles))
        if updates:
            titles = list(pages.titles.values())
            DerivedData(self.site).update_links(titles, with_dependents=recursive)
        for title in pages.titles.values():
            item = Obj(title_data(title) | {"purged": True})
            if updates:
                item["linkupdate"] = True
            items.append(item)
        self.result.set((), self.name, Arr(items, "page"))
        self._run.continuation.write(self.result)

    def _touch(self, page_ids: list[int]) -> None:
        if page_ids:
            touched = Page.update(page_touched=compact(self.context.now))
            self.db.execute_write(touched.where(Page.page_id.in_(page_ids)))
