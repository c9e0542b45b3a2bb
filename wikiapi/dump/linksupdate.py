"""Derives the link tables from the pages' texts, for all pages that have not had it done.

``page_links_updated`` is NULL for those, as in MediaWiki, and set in the transaction that writes
their links: an update that was stopped goes on where it was.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from peewee import fn

from wikiapi.dump.linkrows import link_set
from wikiapi.store import texts
from wikiapi.store.models import Page
from wikiapi.store.write.links import LinkWriter
from wikiapi.wikitext.options import ParserOptions, Target
from wikiapi.wikitext.output import ParserOutput

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from wikiapi.site import Site
    from wikiapi.store.batches import Key
    from wikiapi.store.database import Database
    from wikiapi.store.texts import PageText
    from wikiapi.store.write.links import PageLinkSet
    from wikiapi.wikitext.expand.loader import TemplateLoader

PAGES_PER_BATCH = 200
_BATCHES_PER_LOADER = 10
_WIKITEXT = "wikitext"
_OPTIONS = ParserOptions(target=Target.LINKS, limit_report=False)


@dataclass(frozen=True, slots=True)
class PendingPage:
    """A page whose links are to be derived."""

    page_id: int
    namespace: int
    title: str
    is_redirect: bool

    @property
    def key(self) -> Key:
        """(namespace, database key)."""
        return self.namespace, self.title


class LinkDeriver:
    """Parses pages. Templates are kept for some thousand pages, then fetched again."""

    def __init__(self, site: Site) -> None:
        """Parse for this site."""
        self._site = site
        self._loader: TemplateLoader | None = None
        self._batches = 0

    def derive(self, keys: Sequence[Key]) -> list[PageLinkSet]:
        """The links of the pages that exist under the titles, in their order."""
        loader = self._fresh_loader()
        found = texts.current(self._site.db, keys)
        return [self._derive(found[key], loader) for key in keys if key in found]

    def _fresh_loader(self) -> TemplateLoader:
        if self._loader is None or self._batches % _BATCHES_PER_LOADER == 0:
            self._loader = self._site.parser.loader()
        self._batches += 1
        return self._loader

    def _derive(self, page: PageText, loader: TemplateLoader) -> PageLinkSet:
        title = self._site.titles.make(page.namespace, page.title)
        text = page.text or ""
        if page.model == _WIKITEXT:
            output = self._site.parser.links_of(text, title, loader)
        elif model := self._site.parser.registries.content_models.get(page.model):
            output = model.render(self._site, text, title, _OPTIONS)
        else:
            output = ParserOutput()
        return link_set(page.page_id, title, page.timestamp, output)


class LinksUpdate:
    """Derives and writes the links of all pages that wait for it."""

    def __init__(self, site: Site) -> None:
        """Update this site's store."""
        self._db = site.db
        self._deriver = LinkDeriver(site)

    def count(self) -> int:
        """How many pages wait."""
        return int(self._db.scalar(_waiting(fn.COUNT(Page.page_id))))

    def run(self, on_progress: Callable[[int], None] = lambda _: None) -> int:
        """Do all that wait; returns how many. ``on_progress`` gets the number done so far."""
        writer = LinkWriter(self._db)
        done = 0
        for pages in self._batches():
            links = self._deriver.derive([page.key for page in pages])
            with self._db.atomic():
                writer.replace(links)
                self._mark(pages, links)
            done += len(pages)
            on_progress(done)
        return done

    def _batches(self) -> Iterator[list[PendingPage]]:
        last = 0
        while rows := self._db.rows(_next_waiting(last)):
            yield [PendingPage(*row) for row in rows]
            last = rows[-1][0]

    def _mark(self, pages: Sequence[PendingPage], links: Sequence[PageLinkSet]) -> None:
        ids = [page.page_id for page in pages]
        self._db.run(Page.update(page_links_updated=Page.page_touched).where(Page.page_id.in_(ids)))
        redirects = {link.page_id for link in links if link.redirect}
        wrong = [page for page in pages if page.is_redirect != (page.page_id in redirects)]
        for flag in (True, False):
            changed = [page.page_id for page in wrong if page.is_redirect != flag]
            if changed:
                query = Page.update(page_is_redirect=int(flag))
                self._db.run(query.where(Page.page_id.in_(changed)))


def mark_all(db: Database) -> None:
    """Have the links of every page derived again."""
    db.run(Page.update(page_links_updated=None))


def _waiting(*columns: Any) -> Any:
    return Page.select(*columns).where(Page.page_links_updated.is_null())


def _next_waiting(last: int) -> Any:
    columns = (Page.page_id, Page.page_namespace, Page.page_title, Page.page_is_redirect)
    query = _waiting(*columns).where(Page.page_id > last)
    return query.order_by(Page.page_id).limit(PAGES_PER_BATCH)
