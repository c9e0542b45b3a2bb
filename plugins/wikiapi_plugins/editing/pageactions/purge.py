"""``action=purge``."""

from __future__ import annotations

from wikiapi.api import (
    CONTINUE_FROM,
    PAGE_SET,
    Arr,
    Obj,
    WriteAction,
    boolean,
    compact,
    refuse_blocked,
    title_data,
    write_spellings,
)
from wikiapi.pages import DerivedData
from wikiapi.store.models import Page
from wikiapi_plugins.editing.watchlists.pagesets import load_page_set, non_page_items


class Purge(WriteAction):
    """Clear the cache of pages."""

    name = "purge"
    position = 24
    params = (
        boolean("forcelinkupdate", "Update the link tables."),
        boolean(
            "forcerecursivelinkupdate",
            "Update the link tables, also for pages that transclude the pages.",
        ),
        CONTINUE_FROM,
        *PAGE_SET,
    )
    needs_token = ""
    examples = (("action=purge&titles=Main_Page|API", "Purge two pages"),)
    help_urls = ("https://www.mediawiki.org/wiki/Special:MyLanguage/API:Purge",)

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
        items = list(non_page_items(self, pages, with_missing=True))
        recursive = self.p.flag("forcerecursivelinkupdate")
        updates = self.p.flag("forcelinkupdate") or recursive
        page_ids = list(pages.titles)
        if page_ids:
            touched = Page.update(page_touched=compact(self.context.now))
            self.db.execute_write(touched.where(Page.page_id.in_(page_ids)))
        if updates:
            titles = list(pages.titles.values())
            DerivedData(self.site).update_links(titles, with_dependents=recursive)
        for title in pages.titles.values():
            item = Obj(title_data(title) | {"purged": True})
            if updates:
                item["linkupdate"] = True
            items.append(item)
        self.result.set((), self.name, Arr(items, "page"))
        write_spellings(self.context, pages, with_interwiki=False)
        self._run.continuation.write(self.result)
