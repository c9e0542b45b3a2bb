from __future__ import annotations

from collections.abc import Iterator

import pytest

from examples.demo_store import configure
from tests.ports import free_port
from wikiapi.factory import open_site
from wikiapi.http import make_app
from wikiapi.testing import live_server


@pytest.fixture(scope="session")
def demo_wiki(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of the demo wiki, which has pages, histories, redirects and files."""
    listen = f"127.0.0.1:{free_port()}"
    site = open_site(configure(tmp_path_factory.mktemp("demo"), f"http://{listen}"))
    try:
        with live_server(make_app(site), listen) as address:
            yield address
    finally:
        site.db.close()
