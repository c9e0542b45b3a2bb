"""Full-text search in the index that the database has."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from wikiapi.store.database import Database
from wikiapi.store.fulltext import Column, FullText, Term, index_of, words

__all__ = ["Column", "Ranked", "Scored", "Search", "Term", "count", "page_ids", "ranked", "words"]


class Search(NamedTuple):
    """A search for pages with all ``required`` and no ``excluded`` terms, in some namespaces.

    Terms cannot contain operators. A search without required terms finds nothing. With ``any_of``,
    one of the ``required`` terms is enough.
    """

    column: Column
    required: Sequence[Term]
    excluded: Sequence[Term] = ()
    namespaces: Sequence[int] = (0,)
    any_of: bool = False


def page_ids(db: Database, search: Search, limit: int, offset: int = 0) -> list[int]:
    """Return the ids of the pages found, in ascending order. One query.

    Raises StoreError if the database has no full-text index.
    """
    clauses = _where(db, search)
    if clauses is None:
        return []
    # Sorted by the key of the index, in whose order rows are found: by page_id, SQLite would sort
    # all of them. The numbers are integers, so they need not be bound.
    ending = f"ORDER BY {index_of(db).key} LIMIT {limit:d} OFFSET {offset:d}"
    rows = db.execute_sql(f"SELECT page_id {clauses.sql} {ending}", clauses.params, reading=True)
    return [page_id for (page_id,) in rows]


def count(db: Database, search: Search, most: int | None = None) -> int:
    """Return the number of pages found, or ``most`` if it is larger. One query."""
    clauses = _where(db, search)
    if clauses is None:
        return 0
    sql = clauses.sql
    if most is not None:
        sql = f"FROM (SELECT page_id {sql} LIMIT {most:d}) AS found"
    return int(db.execute_sql(f"SELECT COUNT(*) {sql}", clauses.params, reading=True)[0][0])


_MAX_SCORED_PAGES = 100_000
"""Maximum number of pages whose scores are computed; if more are found, the first ones by id."""
_MAX_UNORDERED_PAGES = 20_000
"""Maximum number of pages whose scores are read if the database cannot sort by score."""


class Ranked(NamedTuple):
    """A search in titles and texts for the most relevant pages.

    Pages in the namespaces ``first`` precede those in the others. With ``any_of``, one of the
    ``required`` terms is enough.
    """

    required: Sequence[Term]
    excluded: Sequence[Term] = ()
    namespaces: Sequence[int] = (0,)
    first: Sequence[int] = (0,)
    any_of: bool = False


class Scored(NamedTuple):
    """A page that was found. Scores can only be compared within one search."""

    page_id: int
    score: float


def ranked(db: Database, search: Ranked, limit: int) -> list[Scored]:
    """Return the pages found, best first. One query; two with MediaWiki's own index on SQLite.

    Raises StoreError if the database has no full-text index.
    """
    index = index_of(db)
    expression = index.expression(search.required, any_of=search.any_of)
    if not expression or not search.namespaces:
        return []
    scored, params = index.scored(expression)
    marks = _marks(db, search.namespaces)
    is_later = f"CASE WHEN page_namespace IN ({_marks(db, search.first)}) THEN 0 ELSE 1 END"
    sql = (
        f"SELECT page_id, score, {is_later} AS is_later"  # noqa: S608
        f" FROM ({scored} LIMIT {_MAX_SCORED_PAGES:d}) AS hits"
        f" {index.join} page ON page_id = hits.page WHERE page_namespace IN ({marks})"
    )
    not_titled, more = _without(index, search.excluded, Column.TITLE)
    without, values = _without(index, search.excluded)
    without, more = not_titled + without, more + values
    first: Sequence[object] = search.first or [None]
    params = [*first, *params, *search.namespaces, *more]
    order = " ORDER BY is_later, score DESC, page_id" if index.has_scores else ""
    most = limit if index.has_scores else _MAX_UNORDERED_PAGES
    rows = db.execute_sql(f"{sql}{without}{order} LIMIT {most:d}", params, reading=True)
    scores = index.read_scores([score for _, score, _ in rows])
    best = sorted(
        (is_later, -score, page_id)
        for (page_id, _, is_later), score in zip(rows, scores, strict=True)
    )
    return [Scored(page_id, -score) for _, score, page_id in best[:limit]]


def _marks(db: Database, values: Sequence[object]) -> str:
    return ", ".join([db.dialect.placeholder] * max(1, len(values)))


class _Clauses(NamedTuple):
    """The ``FROM`` and ``WHERE`` clauses of a search, and their values."""

    sql: str
    params: list[object]


def _where(db: Database, search: Search) -> _Clauses | None:
    """Return the clauses that find the pages; ``None`` if the search cannot find any."""
    index = index_of(db)
    expression = index.expression(search.required, any_of=search.any_of)
    if not expression or not search.namespaces:
        return None
    marks = _marks(db, search.namespaces)
    match = index.match.format(column=search.column)
    sql = f"FROM searchindex {index.join} page ON page_id = {index.key}"
    sql += f" WHERE {match} AND page_namespace IN ({marks})"
    excluding = index.excluding(expression, search.excluded)
    if excluding is not None:
        return _Clauses(sql, [excluding, *search.namespaces])
    without, more = _without(index, search.excluded, search.column)
    return _Clauses(sql + without, [expression, *search.namespaces, *more])


def _without(
    index: FullText, excluded: Sequence[Term], column: Column = Column.TEXT
) -> tuple[str, list[object]]:
    """Return conditions that exclude pages with excluded terms by ``page_id``, and their values."""
    match = index.match.format(column=column)
    sql = f" AND page_id NOT IN (SELECT {index.key} FROM searchindex WHERE {match})"  # noqa: S608
    expressions = [index.expression([term]) for term in excluded]
    values: list[object] = [expression for expression in expressions if expression]
    return sql * len(values), values
