"""mwoffliner makes a ZIM file of the demo wiki. What it asks for is tested in test_copying.py."""

from __future__ import annotations

from pathlib import Path

import pytest

from examples.demo_store import configure
from tests.clients.mwoffliner import NotAvailable, copy_to_zim, install
from tests.ports import free_port
from wikiapi.factory import open_site
from wikiapi.http.app import make_app
from wikiapi.testing import live_server

_MAGIC = b"ZIM\x04"


@pytest.mark.slow
def test_the_demo_wiki_becomes_a_zim_file(tmp_path: Path) -> None:
    try:
        install(tmp_path)
    except NotAvailable as error:
        pytest.skip(f"mwoffliner cannot be run: {error}")
    listen = f"127.0.0.1:{free_port()}"
    app = make_app(open_site(configure(tmp_path / "demo", f"http://{listen}")))
    with live_server(app, listen) as base:
        path = copy_to_zim(base, tmp_path)
    assert path.read_bytes()[:4] == _MAGIC
