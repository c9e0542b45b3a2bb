"""Updates the links of some pages of a wiki that is in use, and the counts that depend on them.

:mod:`~wikiapi.dump.links.update` does it for all pages after an import.
"""

from __future__ import annotations

import itertools
import logging
from collections import Counter
from collections.abc import Collection, Iterable, Sequence

from peewee import fn

from wikiapi.dump.links.deriver import LinkDeriver
from wikiapi.site import Site
from wikiapi.store.database import Database
from wikiapi.store.models import Category, CategoryLinks, LinkTarget, Page, PageLinks, SiteStats
from wikiapi.store.queries import generation, watermark
from wikiapi.store.sql.batches import BATCH, Key, fetch_keys
from wikiapi.store.sql.statements import chunked
from wikiapi.store.write.ids import next_id
from wikiapi.store.write.links import LinkWriter, PageLinkSet
from wikiapi.title.namespaces import CATEGORY

logger = logging.getLogger(__name__)

_PAGES_PER_TRANSACTION = 20
_MAX_ATTEMPTS = 5
"""How often links are derived that others outdate meanwhile, before ``wikiapi links`` does it."""
_MAX_WAITING = 1_000
_COLUMNS = ("cat_id", "cat_title", "cat_pages", "cat_subcats", "cat_files")


class LinkUpdate:
    """Derives the links of pages that wait for it, as ``page_links_updated`` says."""

    def __init__(self, site: Site, keys: Iterable[Key] = ()) -> None:
        """Take the titles of pages, some of which may be missing, or need not wait any more."""
        self._site, self._db = site, site.db
        self._keys = dict.fromkeys(keys)

    def add(self, keys: Iterable[Key]) -> None:
        """Add more pages."""
        self._keys |= dict.fromkeys(keys)

    def __call__(self) -> None:
        """Derive and store the links, outside of any transaction.

        The change itself is committed, so that a failure is only logged: what is missing then is
        derived by ``wikiapi links``, or when the server starts.
        """
        keys = list(self._keys)
        try:
            for _ in range(_MAX_ATTEMPTS):
                if not keys:
                    return
                keys = self._update(keys)
        except Exception as error:
            problem = f"{type(error).__name__}: {error}"
            logger.warning("the links of some pages are to be derived later: %s", problem)

    def _update(self, keys: Sequence[Key]) -> list[Key]:
        """Update the links of pages; return the pages that a change outdated meanwhile.

        A page is skipped if it was saved again, so that its links are derived after that, or if
        this has been done already.
        """
        mark = watermark.now(self._db)
        query = Page.select(Page.page_namespace, Page.page_title).where(
            Page.page_links_updated.is_null()
        )
        rows = fetch_keys(self._db, query, Page.page_namespace, Page.page_title, keys)
        waiting = [(namespace, title) for namespace, title in rows]
        deriver, outdated = LinkDeriver(self._site), []
        for batch in chunked(waiting, _PAGES_PER_TRANSACTION):
            sets = deriver.derive(batch)
            with self._db.atomic(durable=False):
                changed = watermark.changed_since(self._db, mark)
                sets = [links for links in sets if links.page_id not in changed.edited]
                outdated += [links.key for links in sets if links.depends_on(changed.keys)]
                if current := [links for links in sets if links.key not in outdated]:
                    self._write(current)
        return outdated

    def _write(self, sets: Sequence[PageLinkSet]) -> None:
        counts = PageCounts(self._site, [links.page_id for links in sets])
        LinkWriter(self._db).replace(sets)
        self._site.plugins.hook.on_links_updated(site=self._site, pages=sets)
        for links in sets:
            derived = Page.update(
                page_links_updated=Page.page_touched,
                page_is_redirect=int(links.redirect is not None),
            )
            self._db.execute_write(derived.where(Page.page_id == links.page_id))
        counts.update()
        generation.advance(self._db)


class PageCounts:
    """The counts to which pages contribute: of articles, and of the members of categories.

    Create it before the pages' rows and links are changed, and call :meth:`update` afterwards.
    """

    def __init__(self, site: Site, page_ids: Sequence[int]) -> None:
        """Note how much the pages contribute now. Two queries."""
        self._site, self._db = site, site.db
        self._page_ids = list(page_ids)
        self._articles = self._count_articles()
        self._categories = self._category_names()

    def update(self) -> None:
        """Count what has changed since."""
        more = self._count_articles() - self._articles
        if more:
            counted = SiteStats.update(ss_good_articles=SiteStats.ss_good_articles + more)
            self._db.execute_write(counted)
        recount_categories(self._db, self._categories | self._category_names())

    def _count_articles(self) -> int:
        """Return how many of the pages count as articles: content pages with at least one link."""
        if not self._page_ids:
            return 0
        links = PageLinks.select(PageLinks.pl_from).where(PageLinks.pl_from == Page.page_id)
        query = Page.select(fn.COUNT(Page.page_id)).where(
            Page.page_id.in_(self._page_ids),
            Page.page_namespace.in_(list(self._site.namespaces.content)),
            Page.page_is_redirect == 0,
            fn.EXISTS(links),
        )
        return int(self._db.scalar(query))

    def _category_names(self) -> set[str]:
        if not self._page_ids:
            return set()
        query = (
            CategoryLinks.select(LinkTarget.lt_title)
            .join_from(
                CategoryLinks, LinkTarget, on=(LinkTarget.lt_id == CategoryLinks.cl_target_id)
            )
            .where(CategoryLinks.cl_from.in_(self._page_ids))
        )
        return {title for (title,) in self._db.execute(query)}


def recount_categories(db: Database, names: Collection[str]) -> None:
    """Count the members of categories, and remove the empty ones without a page.

    At most five statements for every 500 categories.
    """
    for batch in chunked(sorted(names), BATCH):
        pages = Page.select(Page.page_title).where(
            Page.page_namespace == CATEGORY, Page.page_title.in_(batch)
        )
        members: dict[str, Counter[str]] = {name: Counter() for (name,) in db.execute(pages)}
        query = (
            CategoryLinks.select(
                LinkTarget.lt_title, CategoryLinks.cl_type, fn.COUNT(CategoryLinks.cl_from)
            )
            .join_from(
                CategoryLinks, LinkTarget, on=(LinkTarget.lt_id == CategoryLinks.cl_target_id)
            )
            .where(LinkTarget.lt_namespace == CATEGORY, LinkTarget.lt_title.in_(batch))
            .group_by(LinkTarget.lt_title, CategoryLinks.cl_type)
        )
        for name, kind, count in db.execute(query):
            members.setdefault(name, Counter())[kind] = count
        columns = [getattr(Category, name) for name in _COLUMNS]
        rows = db.execute(Category.select(*columns).where(Category.cat_title.in_(batch)))
        stored = {name: (category_id, *counts) for category_id, name, *counts in rows}
        if gone := sorted(stored.keys() - members.keys()):
            db.execute_write(Category.delete().where(Category.cat_title.in_(gone)))
        new_ids = itertools.count(next_id(db, Category.cat_id))
        changed = []
        for name, counts in members.items():
            row = (counts.total(), counts["subcat"], counts["file"])
            if name in stored and stored[name][1:] != row:
                changed.append((stored[name][0], name, *row))
            elif name not in stored and counts:
                changed.append((next(new_ids), name, *row))
        db.insert_many(Category, changed, _COLUMNS, on_conflict="replace")


def update_waiting(site: Site) -> None:
    """Derive the links that a process has not derived because it was killed.

    If there are very many pages, they are left to ``wikiapi links``.
    """
    waiting = Page.select(Page.page_namespace, Page.page_title).where(
        Page.page_links_updated.is_null()
    )
    keys = [(namespace, title) for namespace, title in site.db.execute(waiting.limit(_MAX_WAITING))]
    if len(keys) == _MAX_WAITING:
        logger.warning("the links of many pages are to be derived: run `wikiapi links`")
    elif keys:
        LinkUpdate(site, keys)()
