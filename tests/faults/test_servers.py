"""A database server is started again, or does not come back, under a wiki that is served."""

from __future__ import annotations

import gc
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from tests.faults.served import client_of, healthy, opened, outcome, title_of
from tests.servers import SERVERS, running_or_skipped
from wikiapi.store import migrate
from wikiapi.store.copying import copy_store
from wikiapi.store.database import Database
from wikiapi.testing import make_site

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.servers import Server
    from wikiapi.site import Site
    from wikiapi.testing import ApiClient

# A socket that could not be connected is left to the garbage collector by PyMySQL.
pytestmark = pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")


@pytest.fixture(params=list(SERVERS), scope="module")
def server(request: pytest.FixtureRequest) -> Iterator[Server]:
    with running_or_skipped(request.param) as server:
        yield server


@pytest.fixture(scope="module")
def url(server: Server, tmp_path_factory: pytest.TempPathFactory) -> str:
    """The URL of a store with a few pages."""
    path: Path = tmp_path_factory.mktemp("store") / "wiki.sqlite"
    make_site({"World": "A [[world]]"}, path=path).db.close()
    found = server.create("faults")
    with closing(Database(f"sqlite:///{path}")) as source, closing(Database(found)) as target:
        migrate.upgrade(source)
        for _ in copy_store(source, target):
            pass
    return found


@pytest.fixture
def site(url: str) -> Iterator[Site]:
    with opened(url) as site:
        yield site
    gc.collect()


@pytest.fixture
def client(site: Site) -> ApiClient:
    return client_of(site)


def test_a_restart_is_seen_by_nobody(server: Server, client: ApiClient) -> None:
    assert title_of(client) == "ok"
    server.stop()
    server.start()
    assert title_of(client) == "ok"


def test_while_it_is_away_clients_are_told_and_then_answered(
    server: Server, client: ApiClient
) -> None:
    assert title_of(client) == "ok"
    server.stop()
    try:
        assert title_of(client) == "DBConnectionError"
        assert outcome(client, action="parse", page="World") == "DBConnectionError"
        assert outcome(client, action="checktoken", type="csrf", token="x") == "ok"
        assert not healthy(client)
    finally:
        server.start()
    assert title_of(client) == "ok"
    assert outcome(client, action="parse", page="World") == "ok"
    assert healthy(client)


def test_a_wiki_is_not_served_from_a_server_that_is_away_at_the_start(
    server: Server, url: str
) -> None:
    server.stop()
    try:
        with pytest.raises(Exception, match="cannot be reached"):
            Database(url)
    finally:
        server.start()
