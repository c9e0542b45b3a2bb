"""Creates MediaWiki 1.45's tables, and the few rows that every wiki has."""

from __future__ import annotations

from typing import Any

from wikiapi.store.database import Database
from wikiapi.store.models import ALL_MODELS, Collation, SiteStats
from wikiapi.store.schema.ddl import definition
from wikiapi.store.write.bulk import create_missing_indexes


def apply(db: Database) -> None:
    """Create all tables and indexes that do not exist yet."""
    tables = db.catalog.tables()
    for model in ALL_MODELS:
        meta: Any = model._meta
        for statement in definition(model, db.dialect) if meta.table_name not in tables else ():
            db.execute_sql(statement)
    create_missing_indexes(db)
    db.insert_many(SiteStats, [(1, 0, 0, 0, 0, 0, 0)], on_conflict="ignore")
    db.insert_many(Collation, [(1, "uppercase")], on_conflict="ignore")
