"""The query cache: stored results of special pages that take long to compute.

These are MediaWiki's own tables. If the special page shows no values, the value of a row is its
position in the list, so that the order is kept.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from wikiapi.store.database import Database
from wikiapi.store.models import QueryCache, QueryCacheInfo


class CachedRow(NamedTuple):
    """A result of a special page."""

    namespace: int
    title: str
    value: int


def updated(db: Database, name: str) -> str | None:
    """Return the time when a special page's results were computed; None if never. One query."""
    query = QueryCacheInfo.select(QueryCacheInfo.qci_timestamp)
    moment = db.scalar(query.where(QueryCacheInfo.qci_type == name))
    return None if moment is None else str(moment)


def results(
    db: Database, name: str, limit: int, offset: int = 0, *, descending: bool = False
) -> list[CachedRow]:
    """Return results of a special page, sorted by value. One query."""
    table = QueryCache
    value = table.qc_value.desc() if descending else table.qc_value
    query = (
        table.select(table.qc_namespace, table.qc_title, table.qc_value)
        .where(table.qc_type == name)
        .order_by(value, table.qc_namespace, table.qc_title)
    )
    return [CachedRow(*row) for row in db.execute(query.limit(limit).offset(offset))]


def replace_results(db: Database, name: str, moment: str, rows: Iterable[CachedRow]) -> None:
    """Replace the results of a special page with those computed at a time (14 digits)."""
    values = [(name, row.value, row.namespace, row.title) for row in rows]
    with db.atomic():
        db.execute_write(QueryCache.delete().where(QueryCache.qc_type == name))
        db.insert_many(QueryCache, values, ["qc_type", "qc_value", "qc_namespace", "qc_title"])
        db.insert_many(QueryCacheInfo, [(name, moment)], on_conflict="replace")
