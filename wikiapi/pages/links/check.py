"""Derives the links of pages again, and compares them with the link tables."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from peewee import fn

from wikiapi.errors import StoreCorrupt, StoreError
from wikiapi.store.check import Finding, Severity, references
from wikiapi.store.database import Database
from wikiapi.store.models import (
    CategoryLinks,
    ExistenceLinks,
    ExternalLinks,
    ImageLinks,
    IwLinks,
    LangLinks,
    LinkTarget,
    Page,
    PageLinks,
    PageProps,
    Redirect,
    TemplateLinks,
)
from wikiapi.store.queries.categories import SORT_KEY
from wikiapi.store.queries.externallinks import split_url
from wikiapi.store.schema import migrate
from wikiapi.store.sql.batches import Key, fetch_in
from wikiapi.store.write.links import PageLinkSet
from wikiapi.texts import counted

Derive = Callable[[Iterable[list[Key]]], Iterator[list[PageLinkSet]]]
Rows = set[tuple[Any, ...]]

_LINKS = "links"
_ANEW = "`wikiapi links --all` derives the link tables again."
_WAITING = "`wikiapi links` derives those that are missing."
_FIRST = "Resolve the findings above, then check again."
_EXAMPLES = 3
PAGES_PER_BATCH = 200


@dataclass(frozen=True)
class LinkTable:
    """A link table: how to read its rows, and which rows to expect for the links of a page.

    Rows are compared as tuples without the page id, timestamps and collations.

    Attributes:
        name: the name of the table.
        source: the column of the page id.
        query: selects the page id, then the columns of the tuple.
        expected: returns the rows that a page should have.
    """

    name: str
    source: Any
    query: Any
    expected: Callable[[PageLinkSet], Iterable[tuple[Any, ...]]]


def check_links(
    db: Database, derive: Derive, sample: int | None, on_progress: Callable[[int], None]
) -> Iterator[Finding]:
    """Yield the differences between the link tables and the links in the current texts.

    Args:
        db: the store.
        derive: yields the links of each batch of pages, in the order of the batches.
        sample: how many pages to check, spread over all of them; None for every page.
        on_progress: called with the number of pages checked so far.
    """
    yield from _waiting(db)
    # A database of an older MediaWiki does not have all tables.
    tables = [table for table in TABLES if migrate.has_table(db, table.name)]
    done = 0
    try:
        for pages in derive(_batches(db, sample)):
            yield from _compare(db, tables, pages)
            done += len(pages)
            on_progress(done)
    except StoreError as error:
        yield Finding(_LINKS, f"the links cannot be derived: {error}", _FIRST)


def skipping_unreadable(derive: Callable[[list[Key]], list[PageLinkSet]]) -> Derive:
    """Return a ``derive`` that skips the pages that cannot be read; other checks report those."""

    def derived(keys: list[Key]) -> list[PageLinkSet]:
        try:
            return derive(keys)
        except StoreCorrupt:
            return [] if len(keys) == 1 else [page for key in keys for page in derived([key])]

    return partial(map, derived)


def pages_to_check(db: Database, sample: int | None) -> int:
    """Return how many pages :func:`check_links` will check."""
    count = int(db.scalar(_derived(fn.COUNT(Page.page_id))))
    return count if sample is None else min(sample, count)


def _waiting(db: Database) -> Iterator[Finding]:
    query = Page.select(fn.COUNT(Page.page_id)).where(Page.page_links_updated.is_null())
    if count := int(db.scalar(query)):
        problem = f"the links of {counted(count, 'page')} have not been derived yet"
        yield Finding(_LINKS, problem, _WAITING, Severity.WARNING)


def _batches(db: Database, sample: int | None) -> Iterator[list[Key]]:
    batch: list[Key] = []
    for key in _keys(db) if sample is None else _sampled(db, sample):
        batch.append(key)
        if len(batch) == PAGES_PER_BATCH:
            yield batch
            batch = []
    if batch:
        yield batch


def _keys(db: Database) -> Iterator[Key]:
    last = 0
    columns = (Page.page_id, Page.page_namespace, Page.page_title)
    while rows := db.execute(
        _derived(*columns).where(Page.page_id > last).order_by(Page.page_id).limit(PAGES_PER_BATCH)
    ):
        yield from ((namespace, title) for _, namespace, title in rows)
        last = rows[-1][0]


def _sampled(db: Database, sample: int) -> Iterator[Key]:
    """Yield the first pages by ``page_random``, an even sample that is always the same."""
    query = _derived(Page.page_namespace, Page.page_title).order_by(Page.page_random)
    yield from db.execute(query.limit(sample))


def _derived(*columns: Any) -> Any:
    return Page.select(*columns).where(Page.page_links_updated.is_null(False))


def _compare(
    db: Database, tables: Sequence[LinkTable], pages: Sequence[PageLinkSet]
) -> Iterator[Finding]:
    by_id = {page.page_id: page for page in pages}
    keys = references.pages(db, by_id)
    for table in tables:
        stored = _stored(db, table, by_id)
        for page_id, page in by_id.items():
            expected = set(table.expected(page))
            if expected != stored[page_id]:
                problem = _difference(table, expected, stored[page_id])
                yield Finding(_LINKS, problem, _ANEW, page=keys.get(page_id))


def _stored(db: Database, table: LinkTable, page_ids: Iterable[int]) -> dict[int, Rows]:
    by_page: dict[int, Rows] = defaultdict(set)
    for row in fetch_in(db, table.query, table.source, page_ids):
        by_page[row[0]].add(tuple(row[1:]))
    return by_page


def _difference(table: LinkTable, expected: Rows, stored: Rows) -> str:
    parts = []
    if missing := expected - stored:
        parts.append(f"lacks {_listed(missing)}")
    if surplus := stored - expected:
        parts.append(f"has {_listed(surplus)}, which the text does not have")
    return f"{table.name} {' and '.join(parts)}"


def _listed(rows: Rows) -> str:
    examples = [":".join(map(_cell_text, row)) for row in sorted(rows, key=str)[:_EXAMPLES]]
    more = len(rows) - len(examples)
    return ", ".join(examples) + (f" and {more} more" if more else "")


def _cell_text(value: Any) -> str:
    return value.decode("utf-8", "backslashreplace") if isinstance(value, bytes) else str(value)


def _to_targets(source: Any, target: Any) -> tuple[Any, Any]:
    query = source.model.select(source, LinkTarget.lt_namespace, LinkTarget.lt_title)
    return source, query.join(LinkTarget, on=(LinkTarget.lt_id == target))


def _columns(source: Any, *columns: Any) -> tuple[Any, Any]:
    return source, source.model.select(source, *columns)


def _categories() -> tuple[Any, Any]:
    table = CategoryLinks
    columns = (LinkTarget.lt_title, table.cl_sortkey_prefix, SORT_KEY, table.cl_type)
    query = table.select(table.cl_from, *columns)
    return table.cl_from, query.join(LinkTarget, on=(LinkTarget.lt_id == table.cl_target_id))


def _languages(page: PageLinkSet) -> Iterator[tuple[Any, ...]]:
    first: dict[str, str] = {}
    for language, title in page.languages:
        first.setdefault(language, title)
    return iter(first.items())


def _redirect(page: PageLinkSet) -> Iterator[tuple[Any, ...]]:
    if page.redirect:
        yield tuple(page.redirect)


TABLES: tuple[LinkTable, ...] = (
    LinkTable(
        "pagelinks",
        *_to_targets(PageLinks.pl_from, PageLinks.pl_target_id),
        lambda page: page.pages,
    ),
    LinkTable(
        "templatelinks",
        *_to_targets(TemplateLinks.tl_from, TemplateLinks.tl_target_id),
        lambda page: page.templates,
    ),
    LinkTable(
        "existencelinks",
        *_to_targets(ExistenceLinks.exl_from, ExistenceLinks.exl_target_id),
        lambda page: page.existence,
    ),
    LinkTable(
        "imagelinks",
        *_columns(ImageLinks.il_from, ImageLinks.il_to),
        lambda page: ((name,) for name in page.images),
    ),
    LinkTable(
        "categorylinks",
        *_categories(),
        lambda page: ((c.title, c.prefix, c.sort_key, c.type) for c in page.categories),
    ),
    LinkTable(
        "externallinks",
        *_columns(
            ExternalLinks.el_from, ExternalLinks.el_to_domain_index, ExternalLinks.el_to_path
        ),
        lambda page: (split_url(url) for url in page.external),
    ),
    LinkTable(
        "iwlinks",
        *_columns(IwLinks.iwl_from, IwLinks.iwl_prefix, IwLinks.iwl_title),
        lambda page: page.interwiki,
    ),
    LinkTable(
        "langlinks",
        *_columns(LangLinks.ll_from, LangLinks.ll_lang, LangLinks.ll_title),
        _languages,
    ),
    LinkTable(
        "redirect",
        *_columns(
            Redirect.rd_from,
            Redirect.rd_namespace,
            Redirect.rd_title,
            Redirect.rd_interwiki,
            Redirect.rd_fragment,
        ),
        _redirect,
    ),
    LinkTable(
        "page_props",
        *_columns(PageProps.pp_page, PageProps.pp_propname, PageProps.pp_value),
        lambda page: page.properties.items(),
    ),
)
