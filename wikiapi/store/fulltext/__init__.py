"""Full-text indexes: one class for each kind, and which of them a database has."""

from __future__ import annotations

from wikiapi.errors import StoreError
from wikiapi.store.database import Database
from wikiapi.store.fulltext.base import FullText
from wikiapi.store.fulltext.fts import Fts3, Fts5
from wikiapi.store.fulltext.mysql import MysqlIndex
from wikiapi.store.fulltext.postgresql import PostgresqlIndex

# In the words of Database.full_text.
_KINDS: dict[str, type[FullText]] = {
    "fts5": Fts5,
    "fts3": Fts3,
    "tsvector": PostgresqlIndex,
    "fulltext": MysqlIndex,
}

_NEW: dict[str, type[FullText]] = {
    "sqlite": Fts5,
    "postgres": PostgresqlIndex,
    "mysql": MysqlIndex,
}


def index_of(db: Database) -> FullText:
    """The index that the database has. Raises StoreError where there is none."""
    index = declared_index(db, db.full_text)
    if index is None:
        raise StoreError("this database has no full-text index")
    return index


def declared_index(db: Database, declaration: str) -> FullText | None:
    """The index that was declared so; see ``Database.full_text``."""
    kind = next((kind for name, kind in _KINDS.items() if name in declaration), None)
    return kind(db) if kind else None


def new_index(db: Database) -> FullText:
    """The index that a new store gets, not made yet."""
    return _NEW[db.dialect](db)
