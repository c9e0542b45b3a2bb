"""A store of each kind of database, and one with a little in it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from functools import cache

import pytest

from tests.servers import SERVER_PARAMS, Server, running_or_skipped
from tests.unit.store.wiki import fill
from wikiapi.store.database import Database
from wikiapi.store.models import ALL_MODELS, Collation, SiteStats, UpdateLog
from wikiapi.store.schema import migrate
from wikiapi.testing.snapshots import image_of, new_store, restored


@pytest.fixture(scope="session")
def server_of() -> Iterator[Callable[[str], Server]]:
    """Return a function that starts a server of a kind when a test first uses it."""
    with ExitStack() as stack:
        started: dict[str, Server] = {}

        def get(kind: str) -> Server:
            if kind not in started:
                started[kind] = stack.enter_context(running_or_skipped(kind))
            return started[kind]

        yield get


@pytest.fixture(scope="session")
def store_of(server_of: Callable[[str], Server]) -> Callable[[str], str]:
    """Return the URL of the one store on the server of a kind, with the current layout."""

    @cache
    def get(kind: str) -> str:
        url = server_of(kind).create("store")
        with closing(Database(url)) as db:
            migrate.upgrade(db)
        return url

    return get


@pytest.fixture(params=["sqlite", *SERVER_PARAMS])
def db(request: pytest.FixtureRequest) -> Iterator[Database]:
    """Yield a store with the current layout and nothing in it, or what is in that of ``wiki``."""
    if request.param == "sqlite":
        with_pages = "wiki" in request.fixturenames
        with closing(restored(filled_image()) if with_pages else new_store(None)) as database:
            yield database
    else:
        with closing(Database(request.getfixturevalue("store_of")(request.param))) as database:
            empty(database)
            yield database


@pytest.fixture
def wiki(db: Database) -> Database:
    """Return the store of unit/store/wiki.py."""
    if db.dialect.name != "sqlite":
        fill(db)
    return db


@cache
def filled_image() -> bytes:
    with closing(new_store(None)) as db:
        fill(db)
        return image_of(db)


def empty(db: Database) -> None:
    """Take everything out of a store but the rows that every new one has."""
    with db.atomic():
        for model in ALL_MODELS:
            if model is not UpdateLog:
                db.execute_write(model.delete())
        db.execute_write(UpdateLog.delete().where(~UpdateLog.ul_key.startswith("wikiapi-0")))
        db.execute_sql("DELETE FROM searchindex")
        db.insert_many(SiteStats, [(1, 0, 0, 0, 0, 0, 0)])
        db.insert_many(Collation, [(1, "uppercase")])
    db.lasting_ids.clear()
