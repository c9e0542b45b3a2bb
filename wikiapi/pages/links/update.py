"""Derives the links of all pages for which this has not been done yet.

As in MediaWiki, ``page_links_updated`` is NULL for these pages. It is set in the transaction that
writes their links, so an interrupted update continues where it stopped.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from itertools import tee
from typing import Any, NamedTuple

from peewee import fn

from wikiapi.config import Config
from wikiapi.pages.links.collation import follow_collation
from wikiapi.pages.links.derivation import (
    changed_settings,
    record_settings,
    set_unfinished,
    waiting_pages,
)
from wikiapi.pages.links.deriver import LinkDeriver
from wikiapi.pages.links.workers import link_workers
from wikiapi.site import Site
from wikiapi.store.database import Database
from wikiapi.store.models import ImageLinks, Page
from wikiapi.store.queries import watermark
from wikiapi.store.queries.watermark import Watermark
from wikiapi.store.sql.batches import BATCH, Key, chunked
from wikiapi.store.write.links import LinkWriter, PageLinkSet
from wikiapi.title.contentmodel import WIKITEXT
from wikiapi.workers.batchworkers import BatchWorkers

Derive = Callable[[Iterable[list[Key]]], Iterator[list[PageLinkSet]]]

PAGES_PER_BATCH = 200
PAGES_WORTH_WORKERS = 1_000
"""The number of pages from which worker processes are used, since starting one takes as long as
parsing some hundred pages."""
_BYTES_PER_PAGE = 1_000
"""The bytes of wikitext whose parsing takes as long as everything else that is done for a page."""


@dataclass(frozen=True, slots=True)
class PendingPage:
    """A page whose links are to be derived."""

    page_id: int
    namespace: int
    title: str
    is_redirect: bool
    length: int
    model: str | None

    @property
    def work(self) -> int:
        """The bytes of wikitext that take as long. Only wikitext is parsed."""
        is_parsed = self.model in (None, WIKITEXT)
        return _BYTES_PER_PAGE + (self.length if is_parsed else 0)

    @property
    def key(self) -> Key:
        """(namespace, database key)."""
        return self.namespace, self.title


class _Batch(NamedTuple):
    """Pages whose links are derived together, and the watermark of the store before that."""

    mark: Watermark
    pages: list[PendingPage]


class LinksUpdate:
    """Derives and writes the links of all pages that wait for it.

    ``workers`` open the site for reading. Processes are used if many pages are waiting.
    """

    def __init__(self, site: Site, workers: BatchWorkers[Site] | None = None) -> None:
        """Update this site's store."""
        self._site = site
        self._db = site.db
        self._workers = workers

    def count(self) -> int:
        """Return the number of waiting pages."""
        return int(self._db.scalar(waiting_pages(fn.COUNT(Page.page_id))))

    def work(self) -> int:
        """Return the work that waits, as the bytes of wikitext that take as long to parse."""
        is_parsed = Page.page_content_model.is_null() | (Page.page_content_model == WIKITEXT)
        parsed = self._db.scalar(waiting_pages(fn.SUM(Page.page_len)).where(is_parsed))
        return self.count() * _BYTES_PER_PAGE + int(parsed or 0)

    def run(self, on_progress: Callable[[int, int], None] = lambda _pages, _work: None) -> int:
        """Process all waiting pages; return their number.

        These are all pages if settings of links have changed. If the collation has changed, all
        sort keys are made again first.
        ``on_progress`` is called with the number of pages processed so far, and their work.
        """
        follow_settings(self._db, self._site.config)
        follow_collation(self._db, self._site.collation)
        writer, done, work = LinkWriter(self._db, self._site.collation.name), 0, 0
        with self._deriving() as derive:
            batches, keys = tee(self._batches())
            for batch, sets in zip(batches, derive(map(_keys, keys)), strict=True):
                with self._db.atomic():
                    # Pages that a server has changed meanwhile go on waiting.
                    changed = watermark.changed_since(self._db, batch.mark).keys
                    outdated = {links.key for links in sets if links.depends_on(changed)}
                    current = [links for links in sets if links.key not in outdated]
                    writer.replace(current)
                    self._site.plugins.hook.on_links_updated(site=self._site, pages=current)
                    outdated |= changed
                    self._mark([page for page in batch.pages if page.key not in outdated], current)
                    set_unfinished(self._db)
                done += len(batch.pages)
                work += sum(page.work for page in batch.pages)
                on_progress(done, work)
        return done

    @contextmanager
    def _deriving(self) -> Iterator[Derive]:
        workers = self._workers
        if workers is None or not workers.are_worth(self.count(), PAGES_WORTH_WORKERS):
            yield partial(map, LinkDeriver(self._site).derive)
            return
        with link_workers(workers) as running:
            yield running.derive

    def _batches(self) -> Iterator[_Batch]:
        last = 0
        while rows := self._db.execute(_next_waiting_pages(last)):
            yield _Batch(watermark.now(self._db), [PendingPage(*row) for row in rows])
            last = rows[-1][0]

    def _mark(self, pages: Sequence[PendingPage], links: Sequence[PageLinkSet]) -> None:
        ids = [page.page_id for page in pages]
        self._db.execute_write(
            Page.update(page_links_updated=Page.page_touched).where(Page.page_id.in_(ids))
        )
        redirects = {link.page_id for link in links if link.redirect}
        wrong = [page for page in pages if page.is_redirect != (page.page_id in redirects)]
        for flag in (True, False):
            changed = [page.page_id for page in wrong if page.is_redirect != flag]
            if changed:
                query = Page.update(page_is_redirect=int(flag))
                self._db.execute_write(query.where(Page.page_id.in_(changed)))


def _keys(batch: _Batch) -> list[Key]:
    return [page.key for page in batch.pages]


def mark_all(db: Database) -> None:
    """Mark every page, so that its links are derived again."""
    db.execute_write(Page.update(page_links_updated=None))


def follow_settings(db: Database, config: Config) -> list[str]:
    """Mark every page if settings of links have changed, and return their names; record them."""
    with db.atomic():
        changed = changed_settings(db, config)
        if changed:
            mark_all(db)
            set_unfinished(db)
        record_settings(db, config)
    return changed


def mark_users_of_files(db: Database, names: Iterable[str]) -> None:
    """Mark the pages that show one of these files, so that their links are derived again.

    ``names`` are database keys. The categories and properties of a page can depend on whether a
    file exists.
    """
    for batch in chunked(names, BATCH):
        users = ImageLinks.select(ImageLinks.il_from).where(ImageLinks.il_to.in_(batch))
        db.execute_write(Page.update(page_links_updated=None).where(Page.page_id.in_(users)))


def _next_waiting_pages(last: int) -> Any:
    columns = (Page.page_id, Page.page_namespace, Page.page_title, Page.page_is_redirect)
    query = waiting_pages(*columns, Page.page_len, Page.page_content_model)
    query = query.where(Page.page_id > last)
    return query.order_by(Page.page_id).limit(PAGES_PER_BATCH)
