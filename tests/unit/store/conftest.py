"""A store in memory, and one with a little in it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.unit.store.wiki import fill
from wikiapi.store import migrate
from wikiapi.store.database import Database

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture
def db() -> Iterator[Database]:
    """A store with the current layout and nothing in it."""
    database = Database("sqlite:///:memory:")
    migrate.upgrade(database)
    yield database
    database.close()


@pytest.fixture
def wiki(db: Database) -> Database:
    """The store of tests/unit/store/wiki.py."""
    fill(db)
    return db
