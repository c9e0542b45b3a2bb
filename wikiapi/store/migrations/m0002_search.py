"""The full-text index."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wikiapi.store.fulltext import new_index

if TYPE_CHECKING:
    from wikiapi.store.database import Database


def apply(db: Database) -> None:
    """Create the index of the database's kind."""
    new_index(db).create()
