"""Writes the links of pages, which result from parsing them, to all link tables."""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any, NamedTuple

from peewee import Model, fn

from wikiapi.languages.collation import UPPERCASE
from wikiapi.store.database import Database
from wikiapi.store.fields import SortKey
from wikiapi.store.models import (
    CategoryLinks,
    ExistenceLinks,
    ExternalLinks,
    ImageLinks,
    IwLinks,
    LangLinks,
    Page,
    PageLinks,
    PageProps,
    Redirect,
    TemplateLinks,
)
from wikiapi.store.queries.categories import SORT_KEY
from wikiapi.store.queries.externallinks import split_url
from wikiapi.store.sql.batches import BATCH, Key, chunked
from wikiapi.store.sql.compiled import ByValues
from wikiapi.store.write.ids import LinkTargets, collations
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

    def targets(self) -> list[Key]:
        """Return all titles that need a row in linktarget."""
        categories = [(CATEGORY, link.title) for link in self.categories]
        return [*self.templates, *self.pages, *self.existence, *categories]

    def depends_on(self, changed: Collection[Key]) -> bool:
        """Return whether the links may be other ones since these pages have changed.

        They result from the page, the pages that it transcludes, the files that it shows, and from
        whether the pages exist for which it tests that.
        """
        files = ((FILE, name) for name in self.images)
        uses = itertools.chain([self.key], self.templates, self.existence, files)
        return bool(changed) and any(key in changed for key in uses)


@dataclass(frozen=True, slots=True)
class _Table:
    """A link table; the first of its columns is the page's id.

    The first ``identity`` columns identify a link, of which a page has one row. A row stays while
    the first ``compared`` columns have the right values, by default all.
    """

    model: Any
    columns: tuple[str, ...]
    identity: int
    compared: int | None = None
    number: str | None = None
    """The column with the ids of rows, which must not change while a link exists."""

    @property
    def source(self) -> Any:
        """The column of the page's id."""
        return getattr(self.model, self.columns[0])

    def rows(self, db: Database, page_ids: Sequence[int]) -> list[tuple[Any, ...]]:
        """Return the rows of pages, with their ids at the end if they have any. One query."""
        return db.execute(_rows_of(self)(list(page_ids)))

    def delete(self, db: Database, rows: Iterable[tuple[Any, ...]]) -> None:
        """Delete rows that :meth:`rows` has returned."""
        names = (self.number,) if self.number else self.columns[: self.identity]
        *leading, last = (getattr(self.model, name) for name in names)
        groups: dict[tuple[Any, ...], list[Any]] = {}
        for row in rows:
            key = row[-1:] if self.number else row[: self.identity]
            groups.setdefault(key[:-1], []).append(key[-1])
        for shared, values in groups.items():
            same = [column == value for column, value in zip(leading, shared, strict=True)]
            for batch in chunked(values, BATCH):
                db.execute_write(self.model.delete().where(*same, last.in_(batch)))


@cache
def _rows_of(table: _Table) -> ByValues:
    names = (*table.columns, table.number) if table.number else table.columns
    columns = (getattr(table.model, name) for name in names)
    query = table.model.select(
        *(SORT_KEY if isinstance(column, SortKey) else column for column in columns)
    )
    if table.number:
        # Of rows for the same link, the first one stays.
        query = query.order_by(getattr(table.model, table.number))
    return ByValues(query, table.source)


_CATEGORIES = _Table(
    CategoryLinks,
    (
        *("cl_from", "cl_target_id", "cl_sortkey", "cl_sortkey_prefix", "cl_type"),
        # Not compared: it says since when the page has been in the category.
        *("cl_collation_id", "cl_timestamp"),
    ),
    identity=2,
    compared=6,
)
_EXTERNAL = _Table(
    ExternalLinks, ("el_from", "el_to_domain_index", "el_to_path"), identity=3, number="el_id"
)
_TEMPLATES = _Table(TemplateLinks, ("tl_from", "tl_target_id", "tl_from_namespace"), identity=2)
_PAGES = _Table(PageLinks, ("pl_from", "pl_target_id", "pl_from_namespace"), identity=2)
_EXISTENCE = _Table(ExistenceLinks, ("exl_from", "exl_target_id"), identity=2)
_IMAGES = _Table(ImageLinks, ("il_from", "il_to", "il_from_namespace"), identity=2)
_INTERWIKI = _Table(IwLinks, ("iwl_from", "iwl_prefix", "iwl_title"), identity=3)
_LANGUAGES = _Table(LangLinks, ("ll_from", "ll_lang", "ll_title"), identity=2)
_REDIRECTS = _Table(
    Redirect, ("rd_from", "rd_namespace", "rd_title", "rd_interwiki", "rd_fragment"), identity=1
)
_PROPERTIES = _Table(PageProps, ("pp_page", "pp_propname", "pp_value", "pp_sortkey"), identity=2)
_TABLES = (
    *(_TEMPLATES, _PAGES, _EXISTENCE, _IMAGES, _CATEGORIES, _INTERWIKI, _LANGUAGES, _REDIRECTS),
    *(_PROPERTIES, _EXTERNAL),
)


_HAVING_ROWS = ByValues(
    Page.select(
        *(
            fn.EXISTS(table.model.select(table.source).where(table.source == Page.page_id))
            for table in _TABLES
        )
    ),
    Page.page_id,
)


class _TableChange(NamedTuple):
    """The rows to delete from a link table, and those to insert."""

    table: _Table
    removed: list[tuple[Any, ...]]
    added: list[tuple[Any, ...]]


class LinkChanges(NamedTuple):
    """The differences between the links of pages and the rows of the link tables."""

    tables: Sequence[_TableChange]

    def pages(self, *models: type[Model]) -> set[int]:
        """Return the ids of the pages whose rows in any of these tables change."""
        return {
            row[0]
            for table, removed, added in self.tables
            if table.model in models
            for row in (*removed, *added)
        }

    def members(self) -> set[int]:
        """Return the ids of the pages that join or leave a category.

        Those of which a category only sorts or shows its member otherwise are not among them.
        """
        width = _CATEGORIES.identity
        return {
            row[0]
            for table, removed, added in self.tables
            if table is _CATEGORIES
            for row in {row[:width] for row in removed} ^ {row[:width] for row in added}
        }


class LinkWriter:
    """Writes the links of pages in batches of some hundred; caches the ids of link targets.

    Rows that are right already stay as they are. Most edits change few of a page's links, or none.
    """

    def __init__(self, db: Database, collation: str = UPPERCASE) -> None:
        """Take the database, and the name of the collation that made the sort keys."""
        self.db = db
        self._targets = LinkTargets(db)
        self._collation_name = collation

    def lacks_targets(self, pages: Sequence[PageLinkSet]) -> bool:
        """Return whether the pages have links to titles that nothing has linked to. One query."""
        return bool(self._targets.missing([key for page in pages for key in page.targets()]))

    def replace(self, pages: Sequence[PageLinkSet]) -> None:
        """Replace the rows of the pages in all link tables, in one transaction."""
        with self.db.atomic():
            self.write(self.changes(pages))

    def changes(self, pages: Sequence[PageLinkSet]) -> LinkChanges:
        """Return how the rows of the pages, which must exist, differ from their links.

        Call this in a transaction: it creates the ids of new link targets. One query for each table
        that has rows of the pages, and at most four more.
        """
        page_ids = [page.page_id for page in pages]
        # Mostly less than half of the tables have rows of any of the pages.
        flags = self.db.execute(_HAVING_ROWS(list(page_ids)))
        having = [table for place, table in enumerate(_TABLES) if any(row[place] for row in flags)]
        ids = self._targets.ids([key for page in pages for key in page.targets()])
        tables = []
        for table, rows in self._right_rows(pages, ids):
            right: dict[tuple[Any, ...], tuple[Any, ...]] = {}
            for row in rows:
                right.setdefault(row[: table.identity], row)
            width, removed = table.compared or len(table.columns), []
            for row in table.rows(self.db, page_ids) if table in having else ():
                key = row[: table.identity]
                if key in right and right[key][:width] == row[:width]:
                    del right[key]
                else:
                    removed.append(row)
            if removed or right:
                tables.append(_TableChange(table, removed, list(right.values())))
        return LinkChanges(tables)

    def write(self, changes: LinkChanges) -> None:
        """Write the differences. Call this in the transaction in which they were determined."""
        for table, removed, added in changes.tables:
            table.delete(self.db, removed)
            if added:
                self.db.insert_many(table.model, added, table.columns, on_conflict="ignore")

    def _right_rows(
        self, pages: Sequence[PageLinkSet], ids: dict[Key, int]
    ) -> list[tuple[_Table, list[tuple[Any, ...]]]]:
        """Return the rows that the pages must have in each table; ``ids`` are those of titles."""
        categories = [(page, link) for page in pages for link in page.categories]
        collation = collation_id(self.db, self._collation_name) if categories else 0
        return [
            (
                _TEMPLATES,
                [(p.page_id, ids[key], p.namespace) for p in pages for key in p.templates],
            ),
            (_PAGES, [(p.page_id, ids[key], p.namespace) for p in pages for key in p.pages]),
            (_EXISTENCE, [(p.page_id, ids[key]) for p in pages for key in p.existence]),
            (_IMAGES, [(p.page_id, to, p.namespace) for p in pages for to in p.images]),
            (
                _CATEGORIES,
                [
                    (
                        *(page.page_id, ids[CATEGORY, link.title], link.sort_key, link.prefix),
                        *(link.type, collation, link.timestamp),
                    )
                    for page, link in categories
                ],
            ),
            (_INTERWIKI, [(p.page_id, *link) for p in pages for link in p.interwiki]),
            (_LANGUAGES, [(p.page_id, *link) for p in pages for link in p.languages]),
            (_REDIRECTS, [(p.page_id, *p.redirect) for p in pages if p.redirect]),
            (
                _PROPERTIES,
                [(p.page_id, *named, None) for p in pages for named in p.properties.items()],
            ),
            (
                _EXTERNAL,
                [
                    (p.page_id, *parts)
                    for p in pages
                    for parts in dict.fromkeys(map(split_url, p.external))
                ],
            ),
        ]


def collation_id(db: Database, name: str) -> int:
    """Return the id of a collation, whose row is created if it is missing."""
    return collations(db).id(name)


def delete_links(db: Database, page_ids: Sequence[int]) -> None:
    """Delete the pages' rows from all link tables."""
    for table in _TABLES:
        db.execute_write(table.model.delete().where(table.source.in_(list(page_ids))))
