"""Images of stores in memory, which are faster to copy than a store is to create."""

from __future__ import annotations

from contextlib import closing
from functools import cache
from pathlib import Path

import apsw

from wikiapi.store.database import Database
from wikiapi.store.schema import migrate

IN_MEMORY = "sqlite:///:memory:"


def image_of(db: Database) -> bytes:
    """Return the serialised content of an SQLite store."""
    image: bytes = db._connection().serialize("main")
    return image


def restored(image: bytes) -> Database:
    """Return a new store in memory with the content of an image."""
    db = Database(IN_MEMORY)
    with closing(apsw.Connection(":memory:")) as source:
        source.deserialize("main", image)
        # Not deserialised into the store's own connection, since other threads would not see it.
        with db._connection().backup("main", source, "main") as backup:
            backup.step()
    return db


def new_store(path: Path | None) -> Database:
    """Return a new store with empty tables, in memory or in a file."""
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
