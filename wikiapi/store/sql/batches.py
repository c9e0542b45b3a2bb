"""Queries for lists of ids and titles of any length, which are sent in batches."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import reduce
from operator import or_
from typing import Any

from wikiapi.store.database import Database
from wikiapi.store.sql.statements import Query, Row, chunked

Key = tuple[int, str]
"""A page's namespace and title, the latter as the database has it."""

# An API request names at most 500 pages, so it takes one query.
BATCH = 512


def fetch_in(db: Database, query: Query, column: Any, values: Iterable[Any]) -> Iterator[Row]:
    """Yield the rows of a query in which the column has one of the values.

    One query for each 512 values, none for none. Values may come twice.
    """
    for batch in chunked(dict.fromkeys(values), BATCH):
        yield from db.execute(query.where(column.in_(batch)))


def fetch_keys(
    db: Database, query: Query, namespace: Any, title: Any, keys: Iterable[Key]
) -> Iterator[Row]:
    """Yield the rows of a query in which the two columns are one of the (namespace, dbkey) pairs.

    One query for each 512 keys, none for none. Keys may come twice.
    """
    for batch in chunked(dict.fromkeys(keys), BATCH):
        yield from db.execute(query.where(keys_in(namespace, title, batch)))


def keys_in(namespace: Any, title: Any, keys: Iterable[Key]) -> Any:
    """Return the condition that two columns are one of the keys, of which there must be some."""
    groups: dict[int, list[str]] = {}
    for number, dbkey in dict.fromkeys(keys):
        groups.setdefault(number, []).append(dbkey)
    # Sorted by size: two pages here and one there make the same statement as one here and two
    # there.
    ordered = sorted(groups.items(), key=lambda group: len(group[1]))
    return reduce(or_, ((namespace == number) & title.in_(names) for number, names in ordered))
