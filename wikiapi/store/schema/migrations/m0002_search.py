"""The full-text index."""

from __future__ import annotations

from wikiapi.store.database import Database
from wikiapi.store.fulltext import new_index


def apply(db: Database) -> None:
    """Create the index of the database's kind."""
    new_index(db).create()
