"""Queries of the link tables, by source or by target.

Most functions return a query, whose first columns are listed in the docstring. API modules add
conditions, bounds (``sql.bounds``), an order and a limit, and run it with ``db.execute``. Indexes
exist for these orders:

====================  ==================================================================
outgoing              source, then target (by title, the few links of a page are sorted)
incoming              target, then source
listing               target id or title, then source
====================  ==================================================================
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from peewee import SQL, fn

from wikiapi.store.database import Database
from wikiapi.store.fields import Binary, Int, UInt
from wikiapi.store.models import (
    CategoryLinks,
    ExistenceLinks,
    ImageLinks,
    LinkTarget,
    Page,
    PageLinks,
    Redirect,
    TemplateLinks,
)
from wikiapi.store.models.base import MediaWikiModel
from wikiapi.store.queries.pages import PAGE_COLUMNS
from wikiapi.store.sql.batches import BATCH, Key, keys_in
from wikiapi.store.sql.bounds import starting_at
from wikiapi.store.sql.compiled import ByKeys
from wikiapi.title.namespaces import CATEGORY, FILE


@dataclass(frozen=True, eq=False)
class LinkTable:
    """The columns of a link table.

    ``source`` is the id of the linking page, and ``source_namespace`` its namespace, if the table
    has such a column. The target is either ``target_id``, the id of a row of linktarget, or
    ``namespace`` and ``title`` in the table itself. ``namespace`` is a column, or a number if all
    targets are in one namespace.
    """

    model: Any
    source: Any
    source_namespace: Any
    target_id: Any
    namespace: Any
    title: Any

    @property
    def target_column(self) -> Any:
        """The column that identifies a target within this table: its id, or its title."""
        return self.title if self.target_id is None else self.target_id

    @property
    def fixed_namespace(self) -> int | None:
        """The namespace of all targets; None if they may be in any."""
        return self.namespace if isinstance(self.namespace, int) else None

    @property
    def namespace_column(self) -> Any:
        """The expression that selects the target's namespace."""
        fixed = self.fixed_namespace
        return self.namespace if fixed is None else SQL(str(fixed))

    @cached_property
    def select_links(self) -> Any:
        """A query for all links, with ``LinkTarget`` joined if needed: (source, ns, title)."""
        query = self.model.select(self.source, self.namespace_column, self.title)
        if self.target_id is None:
            return query
        return query.join_from(self.model, LinkTarget, on=(LinkTarget.lt_id == self.target_id))

    @cached_property
    def select_links_of_pages(self) -> Any:
        """The same with ``Page`` joined for the source; links of missing pages are left out."""
        return self.select_links.join_from(self.model, Page, on=(Page.page_id == self.source))


def _targeted(model: Any, source: Any, source_namespace: Any, target_id: Any) -> LinkTable:
    namespace, title = LinkTarget.lt_namespace, LinkTarget.lt_title
    return LinkTable(model, source, source_namespace, target_id, namespace, title)


TEMPLATES = _targeted(
    TemplateLinks,
    TemplateLinks.tl_from,
    TemplateLinks.tl_from_namespace,
    TemplateLinks.tl_target_id,
)
PAGES = _targeted(PageLinks, PageLinks.pl_from, PageLinks.pl_from_namespace, PageLinks.pl_target_id)
EXISTENCE = _targeted(ExistenceLinks, ExistenceLinks.exl_from, None, ExistenceLinks.exl_target_id)
CATEGORIES = LinkTable(
    CategoryLinks,
    CategoryLinks.cl_from,
    None,
    CategoryLinks.cl_target_id,
    CATEGORY,
    LinkTarget.lt_title,
)
IMAGES = LinkTable(
    ImageLinks,
    ImageLinks.il_from,
    ImageLinks.il_from_namespace,
    None,
    FILE,
    ImageLinks.il_to,
)
REDIRECTS = LinkTable(
    Redirect, Redirect.rd_from, None, None, Redirect.rd_namespace, Redirect.rd_title
)


class _TitledPageLinks(MediaWikiModel):
    """The table until MediaWiki 1.42, which has the target's title instead of an id."""

    pl_from = UInt(default=0)
    pl_namespace = Int(default=0)
    pl_title = Binary(default="")
    pl_from_namespace = Int(default=0)

    class Meta:
        table_name = "pagelinks"


class _TitledTemplateLinks(MediaWikiModel):
    """The table until MediaWiki 1.38, which has the target's title instead of an id."""

    tl_from = UInt(default=0)
    tl_namespace = Int(default=0)
    tl_title = Binary(default="")
    tl_from_namespace = Int(default=0)

    class Meta:
        table_name = "templatelinks"


_BY_TITLE = {
    "pl_target_id": LinkTable(
        _TitledPageLinks,
        _TitledPageLinks.pl_from,
        _TitledPageLinks.pl_from_namespace,
        None,
        _TitledPageLinks.pl_namespace,
        _TitledPageLinks.pl_title,
    ),
    "tl_target_id": LinkTable(
        _TitledTemplateLinks,
        _TitledTemplateLinks.tl_from,
        _TitledTemplateLinks.tl_from_namespace,
        None,
        _TitledTemplateLinks.tl_namespace,
        _TitledTemplateLinks.tl_title,
    ),
}


def in_schema(db: Database, table: LinkTable) -> LinkTable:
    """Return the table that the database has: an older one has titles instead of target ids."""
    column = "" if table.target_id is None else table.target_id.column_name
    return _BY_TITLE.get(column, table) if column in db.schema.target_titles else table


def outgoing(table: LinkTable, page_ids: Sequence[int], *more: Any) -> Any:
    """Return a query for the links from pages: (source id, namespace, title, *more)."""
    return table.select_links.select_extend(*more).where(table.source.in_(page_ids))


def incoming(table: LinkTable, keys: Iterable[Key], *more: Any) -> Any:
    """Return a query for the pages that link to titles: (namespace, title, *PAGE_COLUMNS, *more).

    ``PAGE_COLUMNS`` are those of the source. Links from pages that no longer exist are left out.
    """
    return sources(table, *PAGE_COLUMNS, *more).where(target_in(table, keys))


def sources(table: LinkTable, *columns: Any) -> Any:
    """Return a query for all links with their source pages: (namespace, title, *columns).

    Callers add a condition such as ``target_in``.
    """
    return table.select_links_of_pages.select(table.namespace_column, table.title, *columns)


def order_of_incoming(table: LinkTable) -> list[Any]:
    """Return the columns by which ``incoming`` is sorted and continued: namespace, title, source.

    The namespace is left out if all targets are in the same one.
    """
    namespace = [] if table.fixed_namespace is not None else [table.namespace]
    return [*namespace, table.title, table.source]


def incoming_from(table: LinkTable, key: Key, source_id: int) -> Any:
    """Return the condition that a link is this one or comes after it in ``order_of_incoming``.

    If targets may be in any namespace, it compares the namespace too. Without that, SQLite searches
    all titles after this one instead of the requested ones.
    """
    values = [key[1], source_id] if table.fixed_namespace is not None else [*key, source_id]
    return starting_at(order_of_incoming(table), values)


def listing(table: LinkTable, namespace: int, *more: Any, by_title: bool = False) -> Any:
    """Return a query for all links to a namespace: (target id or title, title, source id, *more).

    Set ``by_title`` if the query will be bounded by title. Otherwise the database is made to read
    the link table's index in its order, so that the first of millions of links are found at once.
    """
    query = table.select_links.select(table.target_column, table.title, table.source, *more)
    if by_title or table.target_id is None:
        return query.where(in_namespace(table, namespace))
    # Adding 0 keeps the optimiser from starting with all titles of the namespace.
    return query.where(LinkTarget.lt_namespace + 0 == namespace)


def listing_of(table: LinkTable, target_ids: Sequence[int], *more: Any) -> Any:
    """Return the same query for targets given by their sorted ids: see ``next_targets``."""
    query = table.model.select(table.target_column, LinkTarget.lt_title, table.source, *more)
    # Adding 0 makes the optimiser start with the link table, whose index has the order.
    on = LinkTarget.lt_id == table.target_id + 0
    query = query.join_from(table.model, LinkTarget, on=on)
    return query.where(table.target_id.in_(target_ids))


def targets(target_ids: Sequence[int]) -> Any:
    """Return a query for targets by id: (id, title)."""
    query = LinkTarget.select(LinkTarget.lt_id, LinkTarget.lt_title)
    return query.where(LinkTarget.lt_id.in_(target_ids))


def target_in(table: LinkTable, keys: Iterable[Key]) -> Any:
    """Return the condition that the target is one of the titles."""
    titles = list(keys)
    fixed = table.fixed_namespace
    if fixed is not None:
        return table.title.in_([title for namespace, title in titles if namespace == fixed]) & (
            in_namespace(table, fixed)
        )
    return keys_in(table.namespace, table.title, titles) if titles else SQL("0 = 1")


def in_namespace(table: LinkTable, namespace: int) -> Any:
    """Return the condition that the target is in the namespace."""
    if table.target_id is not None:
        return LinkTarget.lt_namespace == namespace
    fixed = table.fixed_namespace
    if fixed is None:
        return table.namespace == namespace
    return SQL("1 = 1") if namespace == fixed else SQL("0 = 1")


_TARGET_IDS = ByKeys(
    LinkTarget.select(LinkTarget.lt_namespace, LinkTarget.lt_title, LinkTarget.lt_id),
    LinkTarget.lt_namespace,
    LinkTarget.lt_title,
)


def target_ids(db: Database, keys: Iterable[Key]) -> dict[Key, int]:
    """Return the linktarget ids of the titles that something links to. One query."""
    return {(row[0], row[1]): row[2] for row in _TARGET_IDS.rows(db, keys)}


def count_incoming(db: Database, keys: Iterable[Key], most: int) -> dict[Key, int]:
    """Return the number of links to each title that has any, ``most`` if there are more.

    Two queries, which read no more than ``most`` links to a title.
    """
    table, mark = in_schema(db, PAGES), db.dialect.placeholder
    targets: list[tuple[Key, tuple[object, ...]]]
    if table.target_id is None:
        condition = f"pl_namespace = {mark} AND pl_title = {mark}"
        targets = [(key, key) for key in dict.fromkeys(keys)]
    else:
        condition = f"pl_target_id = {mark}"
        targets = [(key, (number,)) for key, number in target_ids(db, keys).items()]
    if not targets:
        return {}
    name = db.catalog.stored_name("pagelinks")
    counts = " UNION ALL ".join(
        f"SELECT {place:d} AS place, COUNT(*) AS links FROM"  # noqa: S608
        f" (SELECT 1 AS one FROM {name} WHERE {condition} LIMIT {most:d}) AS links_{place:d}"
        for place in range(len(targets))
    )
    params = [value for _, values in targets for value in values]
    rows = db.execute_sql(counts, params, reading=True)
    return {targets[place][0]: int(number) for place, number in rows if number}


def transcluded(db: Database, page: Key) -> list[Key]:
    """Return what a page transcluded when its links were last derived. One query.

    Returns at most one batch of titles.
    """
    table = in_schema(db, TEMPLATES)
    query = sources(table)
    is_page = (Page.page_namespace == page[0]) & (Page.page_title == page[1])
    return [(row[0], row[1]) for row in db.execute(query.where(is_page).limit(BATCH))]


# A query for distinct targets, or for links to some of them, reads every link in between.
# ``next_targets`` instead looks up each target in the index from the one before, so that a target
# costs the same whether ten pages link to it or a million.

_TRIES = (16, 128, 1024)
"""How many more targets than requested are read, in successive attempts."""

# Adding 0 keeps the optimiser from starting with all titles of the namespace.
_WALK = """
WITH {walk}
SELECT value FROM walk JOIN {linktarget} ON lt_id = value
WHERE lt_namespace + 0 = {mark}{bounds} ORDER BY value LIMIT {count:d}
"""


def next_targets(
    db: Database,
    table: LinkTable,
    namespace: int,
    titles: tuple[str | None, str | None],
    count: int,
    *,
    first: int = 0,
) -> list[int]:
    """Return the ids of the next targets that have links, in ascending order. Up to four queries.

    Args:
        db: the database.
        table: a table with target ids.
        namespace: the namespace of the targets.
        titles: the first and the last title, both inclusive; None for no bound.
        count: the maximum number of targets.
        first: the id to begin with.
    """
    for more in _TRIES:
        ids = _walk(db, table, namespace, titles, (first, count, count + more))
        if len(ids) == count:
            return ids
    # Only few of the targets match, so they are looked up by title.
    return [number for (number,) in db.execute(_gathered(table, namespace, titles, first, count))]


def _walk(
    db: Database,
    table: LinkTable,
    namespace: int,
    titles: tuple[str | None, str | None],
    extent: tuple[int, int, int],
) -> list[int]:
    first, count, steps = extent
    mark = db.dialect.placeholder
    limits = [
        (operator, title)
        for operator, title in zip((">=", "<="), titles, strict=True)
        if title is not None
    ]
    walk = db.dialect.distinct_values.format(
        column=table.target_id.column_name,
        table=db.catalog.stored_name(table.model._meta.table_name),
        mark=mark,
        steps=steps,
    )
    sql = _WALK.format(
        walk=walk,
        linktarget=db.catalog.stored_name("linktarget"),
        mark=mark,
        count=count,
        bounds="".join(f" AND lt_title {operator} {mark}" for operator, _ in limits),
    )
    values = [first, namespace, *(title for _, title in limits)]
    return [number for (number,) in db.execute_sql(sql, values, reading=True)]


def _gathered(
    table: LinkTable,
    namespace: int,
    titles: tuple[str | None, str | None],
    first: int,
    count: int,
) -> Any:
    links = table.model.select(table.target_id).where(table.target_id == LinkTarget.lt_id)
    conditions: list[Any] = [
        LinkTarget.lt_namespace == namespace,
        LinkTarget.lt_id >= first,
        fn.EXISTS(links),
    ]
    low, high = titles
    conditions += [] if low is None else [LinkTarget.lt_title >= low]
    conditions += [] if high is None else [LinkTarget.lt_title <= high]
    query = LinkTarget.select(LinkTarget.lt_id).where(*conditions)
    return query.order_by(LinkTarget.lt_id).limit(count)
