"""Row 80: a page of another site gives its own name the address of a server of `wikiapi mcp`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from wikiapi.config import parse_config
from wikiapi.testing import make_site
from wikiapi_plugins.mcp.reading import WikiReader
from wikiapi_plugins.mcp.serving import make_server, security_for, server_names

if TYPE_CHECKING:
    from starlette.testclient import TestClient


@pytest.fixture(scope="module")
def guarded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    """Return a client of a server that listens on all addresses."""
    # Imported here: it takes two seconds, also in processes that collect these tests only.
    pytest.importorskip("mcp")
    from starlette.testclient import TestClient

    config = parse_config({"site": {"server": "https://wiki.example.org"}})
    site = make_site({"Main Page": "x"}, config=config)
    names = server_names(config, "0.0.0.0", ["Tools.Example.net"])
    app = make_server(site, WikiReader(site)).streamable_http_app(
        host="0.0.0.0",
        stateless_http=True,
        transport_security=security_for(names),
    )
    with TestClient(app) as client:
        yield client
    site.db.close()


def status(client: TestClient, **headers: str) -> int:
    """Return the status of a request for the names of the tools."""
    accepted = {"Accept": "application/json, text/event-stream"}
    call = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
    return client.post("/mcp", json=call, headers={**accepted, **headers}).status_code


@pytest.mark.parametrize(
    "host", ["localhost:8090", "127.0.0.1:8090", "[::1]:8090", "wiki.example.org", "localhost"]
)
def test_own_names_are_answered(guarded: TestClient, host: str) -> None:
    assert status(guarded, Host=host) == 200
    assert status(guarded, Host=host, Origin=f"http://{host}") == 200


def test_names_of_the_command_line_are_answered(guarded: TestClient) -> None:
    assert status(guarded, Host="tools.example.net:8090") == 200


@pytest.mark.parametrize("host", ["evil.example:8090", "0.0.0.0:8090", "localhost.evil.example"])
def test_other_names_are_misdirected(guarded: TestClient, host: str) -> None:
    assert status(guarded, Host=host) == 421


@pytest.mark.parametrize(
    "origin", ["http://evil.example", "null", "https://localhost.evil.example"]
)
def test_pages_of_other_sites_are_refused(guarded: TestClient, origin: str) -> None:
    assert status(guarded, Host="localhost:8090", Origin=origin) == 403
