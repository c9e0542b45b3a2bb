"""Updating the data that is derived from texts: links, categories, counts and ``page_touched``.

Links are derived by the same code as in imports, after the transaction of the change, so that it
ends soon. If other pages transclude a changed page, their links are updated by the same request
or, if there are too many, by the next run of ``wikiapi links``.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from typing import Any

from wikiapi.pages.archive import remove_rows
from wikiapi.pages.links.pending import PendingLinks
from wikiapi.site import Site
from wikiapi.store.models import (
    ExistenceLinks,
    ImageLinks,
    Page,
    PageLinks,
    ProtectedTitles,
    TemplateLinks,
)
from wikiapi.store.queries import generation, pages
from wikiapi.store.queries.links import target_ids
from wikiapi.store.sql.batches import BATCH, Key, chunked, keys_in
from wikiapi.store.write.counts import PageCounts, recount_categories_of
from wikiapi.store.write.sharing import sharing
from wikiapi.timestamps import compact
from wikiapi.title import CATEGORY, FILE, Title

_MAX_PAGES_AT_ONCE = 200
"""Largest number of dependent pages that one request updates.

If there are more, they are only marked, and ``wikiapi links`` updates them.
"""


class DerivedData:
    """Updates derived data after a change. Call it in the transaction of the change.

    Links result from parsing pages, which may take long. It is done when the change is committed,
    so that others can write meanwhile. Until then ``page_links_updated`` is NULL for these pages:
    if the process ends, :mod:`wikiapi.pages.links.update` derives their links.
    """

    def __init__(self, site: Site) -> None:
        """Update this site's store."""
        self._site, self._db = site, site.db

    def page_changed(self, title: Title, *, existed: bool, is_edited: bool = True) -> None:
        """Update the links of a page that was saved, and of the pages that depend on it.

        The number of articles follows the links only if the page ``is_edited``.
        """
        moment = compact(self._site.clock())
        if not existed:
            self._touch_linking(title)
            self._end_title_protection(title)
        key = title.key
        if self._db.is_sharing:
            # Before the links are derived, which is also done when this is committed.
            self._db.on_commit(partial(self._look_again, title, moment, existed=existed))
        edited = [key] if is_edited else []
        self._finish([title], [key, *self._dependents(title)], edited=edited)

    def _look_again(self, title: Title, moment: str, *, existed: bool) -> None:
        """Touch the pages that have begun to use a page while it was being changed, at a moment.

        Their links were stored by transactions that did not see the change, nor did it see them.
        """

        def touch() -> None:
            with sharing(self._db, durable=False):
                if not existed:
                    self._touch_linking(title, Page.page_touched < moment)
                keys = self._dependents(title, Page.page_links_updated.is_null(False))
                if keys:
                    self._finish([], keys)

        if target_ids(self._db, [title.key]):
            self._db.repeated(touch)

    def update_links(self, titles: Sequence[Title], *, with_dependents: bool = False) -> None:
        """Update the links of pages and, ``with_dependents``, of the pages that depend on them."""
        keys = [title.key for title in titles]
        if keys:
            waits = Page.update(page_links_updated=None)
            self._db.execute_write(waits.where(keys_in(Page.page_namespace, Page.page_title, keys)))
        for title in titles if with_dependents else ():
            keys += self._dependents(title)
        self._finish(titles, keys)

    def touch_page(self, title: Title) -> None:
        """Touch a page and update its links, as a null edit does."""
        row = Page.update(page_touched=compact(self._site.clock())).where(
            Page.page_namespace == title.ns, Page.page_title == title.dbkey
        )
        self._db.execute_write(row)
        self.update_links([title])

    def remove_page(self, title: Title, page_id: int) -> None:
        """Remove a page whose revisions were archived from ``page`` and all derived tables."""
        counts = PageCounts(self._db, self._site.namespaces.content, [page_id])
        remove_rows(self._db, [page_id])
        counts.update()
        self._touch_linking(title)
        self._finish([title], self._dependents(title))

    def page_moved(self, old: Title, new: Title, page_id: int) -> None:
        """Update the links of a moved page, and of the pages that depend on either title."""
        for title in (old, new):
            self._touch_linking(title)
        self._end_title_protection(new)
        keys = [new.key, *self._dependents(old), *self._dependents(new)]
        self._finish([old, new], keys, edited=[new.key])

    def _finish(
        self, titles: Iterable[Title], keys: Iterable[Key], edited: Iterable[Key] = ()
    ) -> None:
        """Count the categories among the titles, and derive links when this is committed."""
        recount_categories_of(self._db, {title.dbkey for title in titles if title.ns == CATEGORY})
        generation.advance(self._db)
        pending = self._db.at_commit(PendingLinks, partial(PendingLinks, self._site))
        pending.add(keys, edited)

    def _end_title_protection(self, title: Title) -> None:
        """Remove the protection against creation from a title that exists now."""
        ended = ProtectedTitles.delete().where(
            ProtectedTitles.pt_namespace == title.ns, ProtectedTitles.pt_title == title.dbkey
        )
        self._db.execute_write(ended)

    def _dependents(self, title: Title, *conditions: Any) -> list[Key]:
        """Touch the pages that use a page and fulfil conditions, and return their titles.

        They transclude it, show it as a file, or test whether it exists. If there are too many,
        their links are left to ``wikiapi links``.
        """
        queries = []
        if targets := list(target_ids(self._db, [title.key]).values()):
            templates, existence = TemplateLinks, ExistenceLinks
            queries += [
                templates.select(templates.tl_from).where(templates.tl_target_id.in_(targets)),
                existence.select(existence.exl_from).where(existence.exl_target_id.in_(targets)),
            ]
        if title.ns == FILE:
            queries.append(
                ImageLinks.select(ImageLinks.il_from).where(ImageLinks.il_to == title.dbkey)
            )
        users: dict[Key, int] = {}
        for query in queries:
            rows = Page.select(Page.page_namespace, Page.page_title, Page.page_id)
            rows = rows.where(Page.page_id.in_(query), *conditions).limit(_MAX_PAGES_AT_ONCE + 1)
            users |= {(row[0], row[1]): row[2] for row in self._db.execute(rows)}
        users.pop(title.key, None)
        if len(users) > _MAX_PAGES_AT_ONCE:
            for query in queries:
                self._touch(query, *conditions, page_links_updated=None)
            return []
        if users:
            self._touch(list(users.values()), page_links_updated=None)
        return list(users)

    def _touch_linking(self, title: Title, *conditions: Any) -> None:
        """Touch the pages that link to a created or deleted page: the links look different now."""
        if targets := list(target_ids(self._db, [title.key]).values()):
            links = PageLinks.select(PageLinks.pl_from)
            self._touch(links.where(PageLinks.pl_target_id.in_(targets)), *conditions)

    def _touch(self, page_ids: Any, *conditions: Any, **more: Any) -> None:
        """Touch pages given by their ids or by a query for these."""
        touched = Page.update(page_touched=compact(self._site.clock()), **more)
        if not self._db.is_sharing:
            self._db.execute_write(touched.where(Page.page_id.in_(page_ids), *conditions))
            return
        # Locked in the order of their ids, as everybody does who changes several pages.
        ids = Page.select(Page.page_id).where(Page.page_id.in_(page_ids), *conditions)
        numbers = [number for (number,) in self._db.execute(ids.order_by(Page.page_id))]
        for batch in chunked(numbers, BATCH):
            pages.lock(self._db, batch)
            self._db.execute_write(touched.where(Page.page_id.in_(batch)))
