"""Creates the full-text index."""

from __future__ import annotations

from wikiapi.store.database import Database
from wikiapi.store.fulltext import new_index


def apply(db: Database) -> None:
    """Create the kind of index that new stores have on this database engine."""
    new_index(db).create()
