"""Writes the links of pages, which result from parsing them, to all link tables."""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from peewee import Model

from wikiapi.languages.collation import UPPERCASE
from wikiapi.store.database import Database
from wikiapi.store.models import (
    CategoryLinks,
    Collation,
    ExistenceLinks,
    ExternalLinks,
    ImageLinks,
    IwLinks,
    LangLinks,
    PageLinks,
    PageProps,
    Redirect,
    TemplateLinks,
)
from wikiapi.store.queries.externallinks import split_url
from wikiapi.store.sql.batches import BATCH, Key, chunked
from wikiapi.store.write.ids import LinkTargets, Names
from wikiapi.title.namespaces import CATEGORY, FILE


class CategoryLink(NamedTuple):
    """Membership in a category. ``type`` is ``page``, ``subcat`` or ``file``.

    ``sort_key`` is made by the wiki's collation from the title and ``prefix``, which the page sets.
    """

    title: str
    prefix: str
    sort_key: bytes
    type: str
    timestamp: str


class RedirectTarget(NamedTuple):
    """The target of a redirect."""

    namespace: int
    title: str
    interwiki: str = ""
    fragment: str = ""


@dataclass(slots=True)
class PageLinkSet:
    """All links of one page. Titles are (namespace, database key), files are database keys."""

    page_id: int
    namespace: int
    templates: Iterable[Key] = ()
    pages: Iterable[Key] = ()
    existence: Iterable[Key] = ()
    images: Iterable[str] = ()
    categories: Sequence[CategoryLink] = ()
    external: Iterable[str] = ()
    interwiki: Iterable[tuple[str, str]] = ()
    languages: Iterable[tuple[str, str]] = ()
    redirect: RedirectTarget | None = None
    properties: dict[str, str] = field(default_factory=dict)
    plugin_data: dict[str, object] = field(default_factory=dict)
    """Data that plugins write to their own tables, by the name of the plugin."""
    title: str = ""

    @property
    def key(self) -> Key:
        """(namespace, database key) of the page."""
        return self.namespace, self.title

    def targets(self) -> Iterator[Key]:
        """Yield all titles that need a row in linktarget."""
        yield from self.templates
        yield from self.pages
        yield from self.existence
        for link in self.categories:
            yield CATEGORY, link.title

    def depends_on(self, changed: Collection[Key]) -> bool:
        """Return whether the links may be other ones since these pages have changed.

        They result from the page, the pages that it transcludes, the files that it shows, and from
        whether the pages exist for which it tests that.
        """
        files = ((FILE, name) for name in self.images)
        uses = itertools.chain([self.key], self.templates, self.existence, files)
        return bool(changed) and any(key in changed for key in uses)


# Each table with the column of the page's id.
_TABLES: tuple[tuple[Any, Any], ...] = (
    (TemplateLinks, TemplateLinks.tl_from),
    (PageLinks, PageLinks.pl_from),
    (ExistenceLinks, ExistenceLinks.exl_from),
    (ImageLinks, ImageLinks.il_from),
    (CategoryLinks, CategoryLinks.cl_from),
    (ExternalLinks, ExternalLinks.el_from),
    (IwLinks, IwLinks.iwl_from),
    (LangLinks, LangLinks.ll_from),
    (Redirect, Redirect.rd_from),
    (PageProps, PageProps.pp_page),
)


class LinkWriter:
    """Writes the links of pages in batches of some hundred; caches the ids of link targets."""

    def __init__(self, db: Database, collation: str = UPPERCASE) -> None:
        """Take the database, and the name of the collation that made the sort keys."""
        self.db = db
        self._targets = LinkTargets(db)
        self._collation = collation_id(db, collation)

    def replace(self, pages: Sequence[PageLinkSet], *, fresh: bool = False) -> None:
        """Replace the rows of the pages in all link tables, in one transaction.

        ``fresh`` says that the tables have no rows of these pages, so that none must be deleted.
        """
        with self.db.atomic():
            external = list(_external(pages))
            if not fresh:
                page_ids = [page.page_id for page in pages]
                _delete(self.db, page_ids, keeping=ExternalLinks)
                external = _changed_external(self.db, page_ids, external)
            ids = self._targets.ids(key for page in pages for key in page.targets())
            for model, rows, columns in self._tables(pages, ids):
                self.db.insert_many(model, rows, columns, on_conflict="ignore")
            self.db.insert_many(ExternalLinks, external, _EXTERNAL_COLUMNS)

    def _tables(
        self, pages: Sequence[PageLinkSet], ids: dict[Key, int]
    ) -> Iterator[tuple[Any, Iterable[tuple[Any, ...]], Sequence[str] | None]]:
        yield TemplateLinks, _targeted(pages, ids, "templates"), None
        yield PageLinks, _targeted(pages, ids, "pages"), None
        yield ExistenceLinks, (row[:2] for row in _targeted(pages, ids, "existence")), None
        yield ImageLinks, ((p.page_id, to, p.namespace) for p in pages for to in p.images), None
        yield CategoryLinks, self._categories(pages, ids), None
        yield IwLinks, ((p.page_id, *link) for p in pages for link in p.interwiki), None
        yield LangLinks, ((p.page_id, *link) for p in pages for link in p.languages), None
        yield Redirect, ((p.page_id, *p.redirect) for p in pages if p.redirect), None
        yield PageProps, _properties(pages), None

    def _categories(
        self, pages: Sequence[PageLinkSet], ids: dict[Key, int]
    ) -> Iterator[tuple[Any, ...]]:
        for page in pages:
            for link in page.categories:
                yield (
                    page.page_id,
                    ids[CATEGORY, link.title],
                    link.sort_key,
                    link.prefix,
                    link.timestamp,
                    link.type,
                    self._collation,
                )


def collation_id(db: Database, name: str) -> int:
    """Return the id of a collation, whose row is created if it is missing."""
    return Names(db, Collation.collation_name, Collation.collation_id).ids([name])[name]


def delete_links(db: Database, page_ids: Sequence[int]) -> None:
    """Delete the pages' rows from all link tables."""
    _delete(db, page_ids)


def _delete(db: Database, page_ids: Sequence[int], keeping: type[Model] | None = None) -> None:
    for model, source in _TABLES:
        if model is not keeping:
            db.execute_write(model.delete().where(source.in_(list(page_ids))))


def _changed_external(
    db: Database, page_ids: Sequence[int], rows: Iterable[tuple[int, str, str]]
) -> list[tuple[int, str, str]]:
    """Return the external links that are not stored yet, and delete the outdated ones.

    Unlike other links, external links have ids, which must not change while a link exists.
    """
    table = ExternalLinks
    columns = [getattr(table, name) for name in ("el_id", *_EXTERNAL_COLUMNS)]
    query = table.select(*columns).where(table.el_from.in_(list(page_ids)))
    stored = db.execute(query.order_by(table.el_id.desc()))
    unique = dict.fromkeys(rows)
    kept = {row[1:]: row[0] for row in stored if row[1:] in unique}
    gone = {row[0] for row in stored} - set(kept.values())
    for batch in chunked(sorted(gone), BATCH):
        db.execute_write(table.delete().where(table.el_id.in_(batch)))
    return [row for row in unique if row not in kept]


_EXTERNAL_COLUMNS = ("el_from", "el_to_domain_index", "el_to_path")


def _targeted(
    pages: Sequence[PageLinkSet], ids: dict[Key, int], name: str
) -> Iterator[tuple[int, int, int]]:
    for page in pages:
        for key in getattr(page, name):
            yield page.page_id, ids[key], page.namespace


def _external(pages: Sequence[PageLinkSet]) -> Iterator[tuple[int, str, str]]:
    for page in pages:
        for parts in dict.fromkeys(split_url(url) for url in page.external):
            yield page.page_id, *parts


def _properties(pages: Sequence[PageLinkSet]) -> Iterator[tuple[int, str, str, float | None]]:
    for page in pages:
        for name, value in page.properties.items():
            yield page.page_id, name, value, None
