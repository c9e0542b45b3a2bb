from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from examples.demo_store import configure
from wikiapi.factory import open_site
from wikiapi.http.app import make_app
from wikiapi.testing.server import live_server

if TYPE_CHECKING:
    from collections.abc import Iterator

    from wikiapi.config import Config


@pytest.fixture(scope="session")
def demo_config(tmp_path_factory: pytest.TempPathFactory) -> Config:
    """The demo wiki, imported."""
    return configure(tmp_path_factory.mktemp("demo"), "http://127.0.0.1:8080")


@pytest.fixture(scope="session")
def demo_server(demo_config: Config) -> Iterator[str]:
    """The address of a server of the demo wiki; its answers name the address of `make serve`."""
    site = open_site(demo_config)
    with closing(site.db), live_server(make_app(site)) as base:
        yield base
