"""Fixtures for clients of the fixture ``wiki``, and a guard against network access."""

from __future__ import annotations

import os
import socket
import tempfile
from pathlib import Path
from typing import Any

import pytest

from wikiapi.testing import Wiki

USER_CONFIG = """\
family, mylang = "wiki", "en"
put_throttle = minthrottle = retry_wait = 0
max_retries = 1
"""


def pytest_configure(config: pytest.Config) -> None:
    """Create a configuration folder for Pywikibot, which reads it when it is imported."""
    folder = tempfile.TemporaryDirectory(prefix="pywikibot-")
    config.add_cleanup(folder.cleanup)
    file = Path(folder.name, "user-config.py")
    file.write_text(USER_CONFIG, encoding="utf-8")
    file.chmod(0o600)
    os.environ["PYWIKIBOT_DIR"] = folder.name


@pytest.fixture(autouse=True)
def nothing_but_loopback(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fail tests that connect to other machines."""
    connect = socket.socket.connect

    def guarded(self: socket.socket, address: Any) -> None:
        assert address[0] in ("127.0.0.1", "localhost"), f"a connection to {address}"
        connect(self, address)

    monkeypatch.setattr(socket.socket, "connect", guarded)


@pytest.fixture
def mwclient_site(wiki: Wiki) -> Any:
    """Return an mwclient site that uses a port of this machine."""
    mwclient = pytest.importorskip("mwclient")
    return mwclient.Site(wiki.host, path=wiki.script_path, scheme="http", max_retries=0)


@pytest.fixture
def inprocess_site(wiki: Wiki) -> Any:
    """Return an mwclient site that uses no socket."""
    mwclient = pytest.importorskip("mwclient")
    from inprocess import session

    return mwclient.Site(
        "wiki.test", path=wiki.script_path, scheme="http", pool=session(wiki.wsgi), max_retries=0
    )


@pytest.fixture
def pywikibot_site(wiki: Wiki) -> Any:
    """Return a Pywikibot site. Each wiki is its own family, because Pywikibot caches families."""
    pywikibot = pytest.importorskip("pywikibot")
    from pywikibot.family import SingleSiteFamily

    host, path = wiki.host, wiki.script_path.rstrip("/")

    class Family(SingleSiteFamily):  # type: ignore[misc, unused-ignore]
        """A family with a single wiki."""

        name = f"wiki{wiki.host.rpartition(':')[2]}"
        domain = host

        def protocol(self, code: str) -> str:
            """Return the protocol."""
            return "http"

        def scriptpath(self, code: str) -> str:
            """Return the path of api.php."""
            return path

    return pywikibot.Site(Family.name, Family())
