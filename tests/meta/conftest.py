from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing

import pytest

from examples.demo_store import configure
from wikiapi.config import Config
from wikiapi.factory import open_site
from wikiapi.http.app import make_app
from wikiapi.testing.server import live_server


@pytest.fixture(scope="session")
def demo_config(tmp_path_factory: pytest.TempPathFactory) -> Config:
    """Return the demo wiki, imported."""
    return configure(tmp_path_factory.mktemp("demo"), "http://127.0.0.1:8080")


@pytest.fixture(scope="session")
def demo_server(demo_config: Config) -> Iterator[str]:
    """The address of a server of the demo wiki; its answers name the address of `make serve`."""
    site = open_site(demo_config)
    with closing(site.db), live_server(make_app(site)) as base:
        yield base
