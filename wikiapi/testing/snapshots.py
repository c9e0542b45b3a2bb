"""Images of stores in memory: copying one takes less time than creating its tables."""

from __future__ import annotations

from contextlib import closing
from functools import cache
from pathlib import Path

import apsw

from wikiapi.store.database import Database
from wikiapi.store.schema import migrate

IN_MEMORY = "sqlite:///:memory:"


def image_of(db: Database) -> bytes:
    """Return the complete content of an SQLite store."""
    image: bytes = db._connection().serialize("main")
    return image


def restored(image: bytes) -> Database:
    """Return a new store in memory that holds what an image was made of."""
    db = Database(IN_MEMORY)
    with closing(apsw.Connection(":memory:")) as source:
        source.deserialize("main", image)
        # The store's own connection cannot take the image: other threads would not see it.
        with db._connection().backup("main", source, "main") as backup:
            backup.step()
    return db


def new_store(path: Path | None) -> Database:
    """Return a new store with its tables and nothing in them, in memory or in a file."""
    if path is None:
        return restored(_empty_image())
    db = Database(f"sqlite:///{path}")
    migrate.upgrade(db)
    return db


@cache
def _empty_image() -> bytes:
    db = Database(IN_MEMORY)
    with closing(db):
        migrate.upgrade(db)
        return image_of(db)
