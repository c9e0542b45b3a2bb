"""Updating the data that is derived from texts: links, categories, counts and ``page_touched``.

Links are derived by the same code as in imports. If other pages transclude a changed page, their
links are updated at once or, if there are too many, by the next run of ``wikiapi links``.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from peewee import fn

from wikiapi.api import compact
from wikiapi.dump.deletion import remove_rows
from wikiapi.dump.links.deriver import LinkDeriver
from wikiapi.site import Site
from wikiapi.store import PageLinkSet
from wikiapi.store.models import (
    Category,
    CategoryLinks,
    ExistenceLinks,
    ImageLinks,
    LinkTarget,
    Page,
    PageLinks,
    ProtectedTitles,
    SiteStats,
    TemplateLinks,
)
from wikiapi.store.queries import generation
from wikiapi.store.queries.links import target_ids
from wikiapi.store.sql.batches import Key
from wikiapi.store.write.ids import next_id
from wikiapi.store.write.links import LinkWriter
from wikiapi.title import CATEGORY, FILE, Title

_MAX_PAGES_AT_ONCE = 200
"""Largest number of dependent pages that one request updates.

If there are more, they are only marked, and ``wikiapi links`` updates them.
"""


class DerivedData:
    """Updates derived data after a change. Call it in the transaction of the change."""

    def __init__(self, site: Site) -> None:
        """Update this site's store."""
        self._site, self._db = site, site.db
        self._writer = LinkWriter(site.db)
        self._categories: set[str] = set()

    def page_changed(self, title: Title, *, existed: bool) -> None:
        """Update the links of a page that was saved, and of the pages that depend on it."""
        self._derive([title.key])
        self._derive_dependents(title)
        if not existed:
            self._touch_linking(title)
            self._end_title_protection(title)
        self._finish([title])

    def update_links(self, titles: Sequence[Title], *, with_dependents: bool = False) -> None:
        """Update the links of pages and, ``with_dependents``, of the pages that depend on them."""
        if titles:
            self._derive([title.key for title in titles])
        for title in titles if with_dependents else ():
            self._derive_dependents(title)
        self._finish(titles)

    def touch_page(self, title: Title) -> None:
        """Touch a page and update its links, as a null edit does."""
        row = Page.update(page_touched=compact(self._site.clock())).where(
            Page.page_namespace == title.ns, Page.page_title == title.dbkey
        )
        self._db.execute_write(row)
        self.update_links([title])

    def remove_page(self, title: Title, page_id: int) -> None:
        """Remove a page whose revisions were archived from ``page`` and all derived tables."""
        self._add_articles(-self._articles([page_id]))
        self._categories |= self._categories_of([page_id])
        remove_rows(self._db, [page_id])
        self._derive_dependents(title)
        self._touch_linking(title)
        self._finish([title])

    def page_moving(self, page_id: int) -> None:
        """Prepare for :meth:`page_moved`, while the page still has its old title."""
        self._add_articles(-self._articles([page_id]))

    def page_moved(self, old: Title, new: Title, page_id: int) -> None:
        """Update the links of a moved page, and of the pages that depend on either title."""
        self._add_articles(self._articles([page_id]))
        self._derive([new.key])
        for title in (old, new):
            self._derive_dependents(title)
            self._touch_linking(title)
        self._end_title_protection(new)
        self._finish([old, new])

    def _end_title_protection(self, title: Title) -> None:
        """Remove the protection against creation from a title that exists now."""
        ended = ProtectedTitles.delete().where(
            ProtectedTitles.pt_namespace == title.ns, ProtectedTitles.pt_title == title.dbkey
        )
        self._db.execute_write(ended)

    def _derive(self, keys: Sequence[Key]) -> None:
        sets = LinkDeriver(self._site).derive(keys)
        ids = [links.page_id for links in sets]
        before = self._articles(ids)
        self._categories |= self._categories_of(ids)
        self._writer.replace(sets)
        self._site.plugins.hook.on_links_updated(site=self._site, pages=sets)
        self._mark_derived(sets)
        self._categories |= {link.title for links in sets for link in links.categories}
        self._add_articles(self._articles(ids) - before)

    def _mark_derived(self, sets: Iterable[PageLinkSet]) -> None:
        for links in sets:
            derived = Page.update(
                page_links_updated=Page.page_touched,
                page_is_redirect=int(links.redirect is not None),
            )
            self._db.execute_write(derived.where(Page.page_id == links.page_id))

    def _derive_dependents(self, title: Title) -> None:
        """Update the links of the pages that use a page.

        They transclude it, show it as a file, or test whether it exists.
        """
        sources = [_sources(TemplateLinks.tl_from, TemplateLinks.tl_target_id)]
        sources.append(_sources(ExistenceLinks.exl_from, ExistenceLinks.exl_target_id))
        targets = list(target_ids(self._db, [title.key]).values())
        queries = [source(targets) for source in sources] if targets else []
        if title.ns == FILE:
            queries.append(
                ImageLinks.select(ImageLinks.il_from).where(ImageLinks.il_to == title.dbkey)
            )
        found: dict[Key, int] = {}
        for query in queries:
            rows = Page.select(Page.page_namespace, Page.page_title, Page.page_id)
            rows = rows.where(Page.page_id.in_(query)).limit(_MAX_PAGES_AT_ONCE + 1)
            found |= {(row[0], row[1]): row[2] for row in self._db.execute(rows)}
        found.pop(title.key, None)
        if not found:
            return
        if len(found) > _MAX_PAGES_AT_ONCE:
            for query in queries:
                self._touch(query, page_links_updated=None)
            return
        self._touch(list(found.values()))
        self._derive(list(found))

    def _touch_linking(self, title: Title) -> None:
        """Touch the pages that link to a created or deleted page: the links look different now."""
        targets = list(target_ids(self._db, [title.key]).values())
        if targets:
            self._touch(_sources(PageLinks.pl_from, PageLinks.pl_target_id)(targets))

    def _touch(self, page_ids: Any, **more: Any) -> None:
        touched = Page.update(page_touched=compact(self._site.clock()), **more)
        self._db.execute_write(touched.where(Page.page_id.in_(page_ids)))

    def _finish(self, titles: Iterable[Title]) -> None:
        self._categories |= {title.dbkey for title in titles if title.ns == CATEGORY}
        self._recount_categories()
        generation.advance(self._db)

    def _categories_of(self, page_ids: Sequence[int]) -> set[str]:
        query = (
            CategoryLinks.select(LinkTarget.lt_title)
            .join_from(
                CategoryLinks, LinkTarget, on=(LinkTarget.lt_id == CategoryLinks.cl_target_id)
            )
            .where(CategoryLinks.cl_from.in_(list(page_ids)))
        )
        return {title for (title,) in self._db.execute(query)}

    def _recount_categories(self) -> None:
        """Count the members of changed categories, and remove the empty ones without a page."""
        if not self._categories:
            return
        names, self._categories = sorted(self._categories), set()
        members: dict[str, dict[str, int]] = {name: {} for name in names}
        query = (
            CategoryLinks.select(
                LinkTarget.lt_title, CategoryLinks.cl_type, fn.COUNT(CategoryLinks.cl_from)
            )
            .join_from(
                CategoryLinks, LinkTarget, on=(LinkTarget.lt_id == CategoryLinks.cl_target_id)
            )
            .where(LinkTarget.lt_namespace == CATEGORY, LinkTarget.lt_title.in_(names))
            .group_by(LinkTarget.lt_title, CategoryLinks.cl_type)
        )
        for title, kind, count in self._db.execute(query):
            members[title][kind] = count
        has_page = Page.select(Page.page_title).where(
            Page.page_namespace == CATEGORY, Page.page_title.in_(names)
        )
        lasting = {title for (title,) in self._db.execute(has_page)}
        known_query = Category.select(Category.cat_title).where(Category.cat_title.in_(names))
        known = {title for (title,) in self._db.execute(known_query)}
        for name, counts in members.items():
            total = sum(counts.values())
            if not total and name not in lasting:
                gone = Category.delete().where(Category.cat_title == name)
                self._db.execute_write(gone)
                continue
            row = (total, counts.get("subcat", 0), counts.get("file", 0))
            if name in known:
                columns = ("cat_pages", "cat_subcats", "cat_files")
                changed = Category.update(dict(zip(columns, row, strict=True)))
                self._db.execute_write(changed.where(Category.cat_title == name))
            elif total:
                number = next_id(self._db, Category.cat_id)
                self._db.insert_many(Category, [(number, name, *row)])

    def _articles(self, page_ids: Sequence[int]) -> int:
        """Return how many of the pages count as articles: content pages with at least one link."""
        if not page_ids:
            return 0
        links = PageLinks.select(PageLinks.pl_from).where(PageLinks.pl_from == Page.page_id)
        query = Page.select(fn.COUNT(Page.page_id)).where(
            Page.page_id.in_(list(page_ids)),
            Page.page_namespace.in_(list(self._site.namespaces.content)),
            Page.page_is_redirect == 0,
            fn.EXISTS(links),
        )
        return int(self._db.scalar(query))

    def _add_articles(self, number: int) -> None:
        if number:
            counted = SiteStats.update(ss_good_articles=SiteStats.ss_good_articles + number)
            self._db.execute_write(counted)


def _sources(source: Any, target: Any) -> Any:
    return lambda targets: source.model.select(source).where(target.in_(targets))
