"""Rows of the page table by title, by id and by revision, and properties of pages."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from peewee import fn

from wikiapi.store.database import Database
from wikiapi.store.models import Archive, Page, PageProps, Revision
from wikiapi.store.queries.visibility import TEXT, is_hidden
from wikiapi.store.sql.batches import Key
from wikiapi.store.sql.bounds import between, with_prefix
from wikiapi.store.sql.compiled import ByKeys, ByValues


class PageRow(NamedTuple):
    """A page. ``title`` is the database key, flags are 0 or 1, ``length`` is in bytes.

    ``content_model`` and ``language`` are None for the default of the namespace or wiki.
    """

    page_id: int
    namespace: int
    title: str
    is_redirect: int
    is_new: int
    touched: str
    latest: int
    length: int
    content_model: str | None
    language: str | None

    @property
    def key(self) -> Key:
        """(namespace, database key)."""
        return self.namespace, self.title


PAGE_COLUMNS = (
    Page.page_id,
    Page.page_namespace,
    Page.page_title,
    Page.page_is_redirect,
    Page.page_is_new,
    Page.page_touched,
    Page.page_latest,
    Page.page_len,
    Page.page_content_model,
    Page.page_lang,
)


SELECT_PAGES = Page.select(*PAGE_COLUMNS)
"""All pages; ``PageRow(*row[:10])`` reads the rows. Add conditions, columns and an order."""

_KEY = (Page.page_namespace, Page.page_title)
_PAGES_BY_KEY = ByKeys(SELECT_PAGES, *_KEY)
_PAGES_BY_ID = ByValues(SELECT_PAGES, Page.page_id)
_PAGES_OF_REVISIONS = ByValues(
    SELECT_PAGES.select_extend(Revision.rev_id).join(
        Revision, on=(Revision.rev_page == Page.page_id)
    ),
    Revision.rev_id,
)
_ARCHIVED = ByValues(
    Archive.select(Archive.ar_rev_id, Archive.ar_namespace, Archive.ar_title, Archive.ar_deleted),
    Archive.ar_rev_id,
)
_EXISTING = ByKeys(Page.select(*_KEY), *_KEY)


def by_titles(db: Database, keys: Iterable[Key]) -> dict[Key, PageRow]:
    """Return the pages with the titles, if they exist. One query."""
    return {row[1:3]: PageRow(*row) for row in _PAGES_BY_KEY.rows(db, keys)}


def locked(db: Database, key: Key) -> PageRow | None:
    """Return a page that nobody else changes until the transaction ends. One query."""
    namespace, title = key
    rows = db.execute(_PAGES_BY_KEY(namespace, [title]), locks=True)
    return PageRow(*rows[0]) if rows else None


def lock(db: Database, page_ids: Sequence[int]) -> None:
    """Let nobody else change pages until the transaction ends. One query if others can write."""
    if page_ids and db.is_sharing:
        query = Page.select(Page.page_id).where(Page.page_id.in_(sorted(page_ids)))
        db.execute(query.order_by(Page.page_id), locks=True)


def by_ids(db: Database, page_ids: Iterable[int]) -> dict[int, PageRow]:
    """Return the pages with the ids, if they exist. One query."""
    return {row[0]: PageRow(*row) for row in _PAGES_BY_ID.rows(db, page_ids)}


def by_revision_ids(db: Database, revision_ids: Iterable[int]) -> dict[int, PageRow]:
    """Return the page of each revision that exists and is not deleted. One query."""
    rows = _PAGES_OF_REVISIONS.rows(db, revision_ids)
    return {row[10]: PageRow(*row[:10]) for row in rows}


def archived_revision_ids(db: Database, revision_ids: Iterable[int]) -> dict[int, Key]:
    """Return the title of each deleted revision, except those with suppressed text. One query.

    Use it only for users who may see deleted revisions; for others they do not exist.
    """
    rows = _ARCHIVED.rows(db, revision_ids)
    return {row[0]: (row[1], row[2]) for row in rows if not is_hidden(row[3], TEXT)}


def existing(db: Database, keys: Iterable[Key]) -> set[Key]:
    """Return the titles of which a page exists. One query, of the index only."""
    return {(row[0], row[1]) for row in _EXISTING.rows(db, keys)}


def by_title(
    db: Database,
    namespace: int,
    limit: int,
    *,
    prefix: str = "",
    start: str | None = None,
    end: str | None = None,
    redirects: bool = True,
) -> list[tuple[str, bool]]:
    """Return database keys, and whether each page is a redirect. One query.

    Args:
        db: the database.
        namespace: the namespace of the pages.
        limit: the maximum number of pages.
        prefix: the prefix of their keys.
        start: the first key, inclusive; None for no bound.
        end: the last key, inclusive; None for no bound.
        redirects: whether redirects are included.
    """
    query = Page.select(Page.page_title, Page.page_is_redirect)
    conditions = [
        Page.page_namespace == namespace,
        *with_prefix(Page.page_title, prefix),
        *between(Page.page_title, start, end),
    ]
    if not redirects:
        conditions.append(Page.page_is_redirect == 0)
    rows = db.execute(query.where(*conditions).order_by(Page.page_title).limit(limit))
    return [(title, bool(is_redirect)) for title, is_redirect in rows]


def count_in_namespace(db: Database, namespace: int) -> int:
    """Return the number of pages in a namespace. One query."""
    query = Page.select(fn.COUNT(Page.page_id)).where(Page.page_namespace == namespace)
    return int(db.scalar(query))


_PROPS = ByValues(
    PageProps.select(PageProps.pp_page, PageProps.pp_propname, PageProps.pp_value).order_by(
        PageProps.pp_page, PageProps.pp_propname
    ),
    PageProps.pp_page,
)


def page_props(
    db: Database, page_ids: Iterable[int], names: Iterable[str] | None = None
) -> dict[int, dict[str, str]]:
    """Return the properties of the pages that have any, sorted by name. One query.

    With ``names``, only the properties with these names are returned.
    """
    chosen = None if names is None else frozenset(names)
    props: dict[int, dict[str, str]] = {}
    for page_id, name, value in _PROPS.rows(db, page_ids):
        if chosen is None or name in chosen:
            props.setdefault(page_id, {})[name] = value
    return props
