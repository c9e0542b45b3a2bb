"""A shared cache never answers, or dies: pages are made anew, and nobody waits twice."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

from tests.faults.served import PAGES, client_of, outcome
from wikiapi.cache import shared
from wikiapi.testing import make_site

KINDS = pytest.mark.parametrize("scheme", ["redis", "memcached"])


@pytest.fixture(autouse=True)
def short_of_patience(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shared, "TIMEOUT", 0.05)


@contextmanager
def listening(answer: Callable[[socket.socket], None]) -> Iterator[tuple[int, list[int]]]:
    """Yield the port of a server that answers each connection as given, and a counter."""
    kept: list[socket.socket] = []
    met: list[int] = []
    with socket.create_server(("127.0.0.1", 0)) as server:

        def serve() -> None:
            while True:
                try:
                    connection, _ = server.accept()
                except OSError:
                    return
                met.append(1)
                kept.append(connection)
                answer(connection)

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        try:
            yield server.getsockname()[1], met
        finally:
            server.shutdown(socket.SHUT_RDWR)
            thread.join()
            for connection in kept:
                connection.close()


def never(_connection: socket.socket) -> None:
    """Take the connection, and be silent."""


def dies(connection: socket.socket) -> None:
    """Read the question, and close in the midst of the answer."""
    connection.recv(10)
    connection.sendall(b"$1000\r\nhalf")
    connection.close()


def garbage(connection: socket.socket) -> None:
    connection.recv(10)
    connection.sendall(b"\x00\xff nonsense\r\n" * 10)


@KINDS
@pytest.mark.parametrize("answer", [never, dies, garbage])
def test_the_page_is_rendered_all_the_same(
    scheme: str, answer: Callable[[socket.socket], None]
) -> None:
    with listening(answer) as (port, met):
        url = f"{scheme}://127.0.0.1:{port}"
        site = make_site(PAGES, config={"cache": {"url": url, "secret_key": "k"}})
        client = client_of(site)
        assert outcome(client, action="parse", page="World") == "ok"
        asked = len(met)
        assert asked
        for _ in range(5):
            assert outcome(client, action="parse", page="World") == "ok"
        assert len(met) == asked, "a cache that failed is left alone for a while"
        site.cache.close()
        site.db.close()
