"""Full-text indexes: a class for each kind. The dialects of the engines list those available."""

from __future__ import annotations

from wikiapi.errors import StoreError
from wikiapi.store.database import Database
from wikiapi.store.fulltext.base import FullText


def index_of(db: Database) -> FullText:
    """Return the index that the database has. Raises StoreError if there is none."""
    index = index_of_kind(db, db.full_text)
    if index is None:
        raise StoreError("this database has no full-text index")
    return index


def index_of_kind(db: Database, kind: str) -> FullText | None:
    """Return the index of a kind, as in ``Database.full_text``; None if the kind is unknown."""
    return next((index(db) for index in db.dialect.full_text_indexes if index.kind == kind), None)


def new_index(db: Database) -> FullText:
    """Return the index that a new store gets, before it is created."""
    return db.dialect.full_text_indexes[0](db)
