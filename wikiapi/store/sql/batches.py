"""Queries for lists of ids and titles of any length, which are sent in batches."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import reduce
from operator import or_
from typing import TYPE_CHECKING, Any

from wikiapi.store.sql.statements import Query, Row

if TYPE_CHECKING:
    from wikiapi.store.database import Database

Key = tuple[int, str]
"""The namespace of a page and its title as a database key."""

# At least 500, the maximum number of titles in an API request, so that one query is enough.
BATCH = 512


def chunked(values: Iterable[Any], size: int) -> Iterable[list[Any]]:
    """Yield the values in lists of at most ``size``, in order."""
    chunk: list[Any] = []
    for value in values:
        chunk.append(value)
        if len(chunk) == size:
            yield chunk
            chunk = []
    if chunk:
        yield chunk


def fetch_in(db: Database, query: Query, column: Any, values: Iterable[Any]) -> Iterator[Row]:
    """Yield the rows of a query in which a column has one of the values.

    Runs one query for every 512 distinct values.
    """
    for batch in chunked(dict.fromkeys(values), BATCH):
        yield from db.execute(query.where(column.in_(batch)))


def fetch_keys(
    db: Database, query: Query, namespace: Any, title: Any, keys: Iterable[Key]
) -> Iterator[Row]:
    """Yield the rows of a query in which two columns are one of the (namespace, dbkey) pairs.

    Runs one query for every 512 distinct keys.
    """
    for batch in chunked(dict.fromkeys(keys), BATCH):
        yield from db.execute(query.where(keys_in(namespace, title, batch)))


def keys_in(namespace: Any, title: Any, keys: Iterable[Key]) -> Any:
    """Return the condition that two columns are one of the keys, of which there must be one."""
    conditions = ((namespace == number) & title.in_(names) for number, names in by_namespace(keys))
    return reduce(or_, conditions)


def by_namespace(keys: Iterable[Key]) -> list[tuple[int, list[str]]]:
    """Return the distinct dbkeys of keys by namespace, the shortest list first.

    The statement of a query for them is then the same whichever namespace has more titles.
    """
    groups: dict[int, list[str]] = {}
    for number, dbkey in dict.fromkeys(keys):
        groups.setdefault(number, []).append(dbkey)
    return sorted(groups.items(), key=lambda group: len(group[1]))
