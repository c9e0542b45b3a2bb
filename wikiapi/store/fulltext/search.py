"""Full-text search, in whichever index the database has."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from wikiapi.store.database import Database
from wikiapi.store.fulltext import index_of
from wikiapi.store.fulltext.base import Column, Term

__all__ = ["Column", "Search", "Term", "count", "page_ids"]


class Search(NamedTuple):
    """Pages that contain all ``wanted`` terms and none of the ``unwanted``, in some namespaces.

    Nothing within a term is an operator. A search without wanted terms finds nothing.
    """

    column: Column
    wanted: Sequence[Term]
    unwanted: Sequence[Term] = ()
    namespaces: Sequence[int] = (0,)


def page_ids(db: Database, search: Search, limit: int, offset: int = 0) -> list[int]:
    """Return the ids of the pages found, in ascending order. One query.

    Raises StoreError where the database has no full-text index.
    """
    sql, params = _where(db, search)
    # Integers, so they need not be bound.
    ending = f"ORDER BY page_id LIMIT {limit:d} OFFSET {offset:d}"
    return [
        page_id
        for (page_id,) in db.execute_sql(f"SELECT page_id {sql} {ending}", params, reading=True)
    ]


def count(db: Database, search: Search) -> int:
    """Return how many pages are found in all. One query."""
    sql, params = _where(db, search)
    return int(db.execute_sql(f"SELECT COUNT(*) {sql}", params, reading=True)[0][0])


def _where(db: Database, search: Search) -> tuple[str, list[object]]:
    index = index_of(db)
    expression = index.expression(search.wanted)
    if not expression or not search.namespaces:
        return "FROM page WHERE 0 = 1", []
    marks = ", ".join([db.dialect.placeholder] * len(search.namespaces))
    found = index.found.format(column=search.column)
    sql = f"FROM searchindex {index.join} page ON page_id = {index.key}"
    sql += f" WHERE {found} AND page_namespace IN ({marks})"
    params: list[object] = [expression, *search.namespaces]
    for term in search.unwanted:
        if expression := index.expression([term]):
            sql += f" AND page_id NOT IN (SELECT {index.key} FROM searchindex WHERE {found})"  # noqa: S608
            params.append(expression)
    return sql, params
