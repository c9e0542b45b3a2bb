"""Writes the query cache."""

from __future__ import annotations

from collections.abc import Iterable

from wikiapi.store.database import Database
from wikiapi.store.models import QueryCache, QueryCacheInfo
from wikiapi.store.queries.querycache import CachedRow


def replace_results(db: Database, name: str, moment: str, rows: Iterable[CachedRow]) -> None:
    """Replace the results of a special page with those computed at a time (14 digits)."""
    values = [(name, row.value, row.namespace, row.title) for row in rows]
    with db.atomic():
        db.execute_write(QueryCache.delete().where(QueryCache.qc_type == name))
        db.insert_many(QueryCache, values, ["qc_type", "qc_value", "qc_namespace", "qc_title"])
        db.insert_many(QueryCacheInfo, [(name, moment)], on_conflict="replace")
