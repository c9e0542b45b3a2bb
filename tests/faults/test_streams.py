"""Long answers whose client leaves, or whose texts are lost, while they are sent."""

from __future__ import annotations

import json
import logging
import socket
import struct
import threading
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from http.client import HTTPConnection, IncompleteRead
from typing import Any

import pytest

from tests.faults.served import client_of
from tests.unit.http.servers import running
from wikiapi.api.format import Format, Rendered
from wikiapi.config import HttpConfig
from wikiapi.hookspecs import hookimpl
from wikiapi.http.app import make_app
from wikiapi.http.serving.server import create_server
from wikiapi.site import Site
from wikiapi.testing import make_site

PAGES = {f"Page {n}": "word " * 100_000 for n in range(6)}
EXPORT = {
    "action": "query", "titles": "|".join(PAGES), "export": "1", "exportnowrap": "1",
}  # fmt: skip
EXPORT_PATH = "/w/api.php?action=query&generator=allpages&gaplimit=50&export=1&exportnowrap=1"
SHORT_PATH = "/w/api.php?action=query&titles=Page+1&format=json"
LINGER = struct.pack("ii", 1, 0)
"""Closing sends a reset, as of a client that has crashed."""


class Endless:
    """A format whose pieces never end, and what it notes of them."""

    def __init__(self) -> None:
        self.begun = threading.Event()
        self.ended = threading.Event()

    @hookimpl
    def register_formats(self) -> Iterable[type[Format]]:
        noted = self

        class EndlessFormat(Format):
            """Goes on."""

            name = "endless"

            def render(self, root: Any) -> Rendered:
                return Rendered(b"", "text/plain")

            def stream(self, root: Any) -> Rendered:
                return Rendered(b"", "text/plain", pieces=noted.pieces())

        return [EndlessFormat]

    def pieces(self) -> Iterator[bytes]:
        self.begun.set()
        try:
            while True:
                yield b"x" * 65_536
        finally:
            self.ended.set()


@contextmanager
def serving(site: Site) -> Iterator[int]:
    http = HttpConfig(listen="127.0.0.1:0", threads=1)
    with running(create_server(make_app(site), http)) as port:
        yield port


def asked(port: int, path: str) -> bytes:
    with closing(HTTPConnection("127.0.0.1", port, timeout=20)) as connection:
        connection.request("GET", path)
        return connection.getresponse().read()


@pytest.mark.parametrize("read", [0, 1000, 1_000_000])
def test_the_work_ends_when_the_client_leaves(read: int) -> None:
    endless = Endless()
    site = make_site(
        {"Page 1": "x" * 2000}, plugins=[endless], config={"http": {"stream_above": 1000}}
    )
    path = "/w/api.php?action=query&titles=Page+1&prop=revisions&rvprop=content&format=endless"
    with serving(site) as port:
        with socket.create_connection(("127.0.0.1", port), timeout=20) as client:
            client.sendall(f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
            assert endless.begun.wait(20)
            taken = 0
            while taken < read:
                taken += len(client.recv(65_536))
            client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, LINGER)
        assert endless.ended.wait(20)
        assert b'"Page 1"' in asked(port, SHORT_PATH), "the one thread is free again"
    site.db.close()


_LOSE = """
DELETE FROM text WHERE old_id IN (
  SELECT CAST(substr(content_address, 4) AS INTEGER)
  FROM content
  JOIN slots ON slot_content_id = content_id
  JOIN page ON page_latest = slot_revision_id
  WHERE page_title = ?
)"""


def lose_text(site: Site, page: str) -> None:
    """Remove the row of a page's text, as in a partially restored database."""
    with site.db.atomic():
        site.db.execute_sql(_LOSE, [page.replace(" ", "_")])


def test_a_client_notices_that_an_answer_is_cut(caplog: pytest.LogCaptureFixture) -> None:
    site = make_site(PAGES)
    with serving(site) as port:
        whole = asked(port, EXPORT_PATH)
        assert whole.endswith(b"</mediawiki>\n")
        lose_text(site, "Page 5")
        with caplog.at_level(logging.ERROR), pytest.raises(IncompleteRead) as caught:
            asked(port, EXPORT_PATH)
        assert whole.startswith(caught.value.partial[:1000])
        assert b"</mediawiki>" not in caught.value.partial
        assert "there is no text" in caplog.text
        assert b'"Page 1"' in asked(port, SHORT_PATH)
    site.db.close()


def test_what_is_lost_at_the_beginning_is_an_ordinary_error() -> None:
    site = make_site(PAGES)
    lose_text(site, "Page 0")
    reply = client_of(site).reply("GET", EXPORT)
    assert reply.status == 200
    assert reply.headers["mediawiki-api-error"] == "internal_api_error_DBQueryError"
    assert "error" in json.loads(reply.body)
    site.db.close()
