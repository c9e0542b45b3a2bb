"""The same store on a database server, when ``WIKIAPI_TEST_DATABASE`` is the URL of an empty one.

``postgresql://user@localhost/name`` needs psycopg2, ``mysql://...`` PyMySQL.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from tests.unit.store.test_queries import FUNCTIONS
from tests.unit.store.wiki import LINKS, PAGES, REVISIONS, fill
from wikiapi.store import categories, files, migrate, texts
from wikiapi.store.database import Database
from wikiapi.store.errors import StoreReadOnly, StoreTimeout
from wikiapi.store.models import CategoryLinks, UpdateLog
from wikiapi.store.write import bulk
from wikiapi.store.write.links import LinkWriter
from wikiapi.store.write.revisions import RevisionWriter, put_pages

if TYPE_CHECKING:
    from collections.abc import Iterator

URL = os.environ.get("WIKIAPI_TEST_DATABASE", "")
pytestmark = pytest.mark.skipif(not URL, reason="WIKIAPI_TEST_DATABASE names no database")


@pytest.fixture(scope="module")
def server() -> Iterator[Database]:
    db = Database(URL)
    migrate.upgrade(db)
    with bulk.loading(db):
        fill(db)
    yield db
    db.close()


@pytest.mark.parametrize("name", FUNCTIONS)
def test_number_of_queries(server: Database, name: str) -> None:
    function, count = FUNCTIONS[name]
    with server.recording() as log:
        function(server)
    assert len(log) == count


def test_texts_and_bytes(server: Database) -> None:
    assert texts.current(server, [(0, "Béta")])[0, "Béta"].text == "A [[File:Sun.png]] in the sky"
    assert files.by_names(server, ["Sun.png"])["Sun.png"].metadata == b'{"data":{}}'


def test_sort_keys(server: Database) -> None:
    after = CategoryLinks.cl_sortkey >= categories.sort_key_value(b"B")
    [row] = server.rows(categories.members("Letters").where(after))
    assert row[2] == "X\nBÉTA".encode()


def test_writing_again(server: Database) -> None:
    put_pages(server, PAGES)
    LinkWriter(server).replace(LINKS)
    assert RevisionWriter(server).add(REVISIONS) == 0


def test_deadline(server: Database) -> None:
    sleep = "SELECT pg_sleep(60)" if URL.startswith("postgres") else "SELECT SLEEP(60)"
    with server.deadline(0.1), pytest.raises(StoreTimeout):
        server.raw(sleep)
    assert server.raw("SELECT 1") == [(1,)]


def test_reading_only() -> None:
    reader = Database(URL, read_only=True)
    with pytest.raises(StoreReadOnly):
        reader.raw("DELETE FROM page")
    with pytest.raises(StoreReadOnly):
        reader.run(UpdateLog.delete())
    reader.close()
