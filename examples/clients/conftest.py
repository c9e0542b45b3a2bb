"""A guard against network access, and a client of the fixture ``wiki`` without a socket.

The fixtures ``mwclient_site`` and ``pywikibot_site`` are wikiapi's own.
"""

from __future__ import annotations

import socket
from typing import Any

import pytest

from wikiapi.testing import Wiki


@pytest.fixture(autouse=True)
def nothing_but_loopback(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fail tests that connect to other machines."""
    connect = socket.socket.connect

    def guarded(self: socket.socket, address: Any) -> None:
        assert address[0] in ("127.0.0.1", "localhost"), f"a connection to {address}"
        connect(self, address)

    monkeypatch.setattr(socket.socket, "connect", guarded)


@pytest.fixture
def inprocess_site(wiki: Wiki) -> Any:
    """Return an mwclient site that uses no socket."""
    mwclient = pytest.importorskip("mwclient")
    from inprocess import session

    site = mwclient.Site(
        "wiki.test", path=wiki.script_path, scheme="http", pool=session(wiki.wsgi), max_retries=0
    )
    site.login("Ada", "Ada-password")
    return site
