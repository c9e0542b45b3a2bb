"""MediaWiki 1.45's tables, and the few rows that every wiki has."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wikiapi.store.ddl import create_indexes, create_table
from wikiapi.store.models import ALL_MODELS, Collation, SiteStats

if TYPE_CHECKING:
    from wikiapi.store.database import Database


def apply(db: Database) -> None:
    """Create every table with its indexes."""
    for model in ALL_MODELS:
        db.raw(create_table(model, db.dialect))
        for statement in create_indexes(model, db.dialect):
            db.raw(statement)
    db.insert_many(SiteStats, [(1, 0, 0, 0, 0, 0, 0)])
    db.insert_many(Collation, [(1, "uppercase")])
