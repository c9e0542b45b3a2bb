"""Database servers that the tests here may stop, each with a store of a few pages."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from tests.faults.served import client_of, opened
from tests.servers import SERVERS, Server, running_or_skipped
from wikiapi.site import Site
from wikiapi.store.copying import copy_store
from wikiapi.store.database import Database
from wikiapi.store.schema import migrate
from wikiapi.testing import ApiClient, make_site

MakeStore = Callable[..., str]


@pytest.fixture(params=list(SERVERS), scope="package")
def server(request: pytest.FixtureRequest) -> Iterator[Server]:
    with running_or_skipped(request.param) as server:
        yield server


@pytest.fixture(scope="package")
def make_server_store(server: Server, tmp_path_factory: pytest.TempPathFactory) -> MakeStore:
    """Makes a store of some pages in a database of a name; gives its URL."""

    def make(name: str, pages: dict[str, str]) -> str:
        path: Path = tmp_path_factory.mktemp("store") / "wiki.sqlite"
        make_site(pages, path=path).db.close()
        url = server.create(name)
        with closing(Database(f"sqlite:///{path}")) as source, closing(Database(url)) as target:
            migrate.upgrade(source)
            for _ in copy_store(source, target):
                pass
        return url

    return make


@pytest.fixture(scope="package")
def url(make_server_store: MakeStore) -> str:
    """Return the URL of a store with one page, on a server."""
    return make_server_store("faults", {"World": "A [[world]]"})


@pytest.fixture
def served(url: str) -> Iterator[Site]:
    """That store as a wiki."""
    with opened(url) as site:
        yield site
    # A socket that could not be connected is left to the garbage collector by PyMySQL.
    gc.collect()


@pytest.fixture
def client(site: Site) -> ApiClient:
    """Return a client of the site of a test."""
    return client_of(site)
