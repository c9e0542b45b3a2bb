"""A server that is told to stop answers all it was asked, and takes nothing new."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from http.client import HTTPConnection, NotConnected
from typing import Any

import pytest
from waitress import wasyncore

from wikiapi.config import HttpConfig
from wikiapi.http.serving.connections import Connections, channels_of
from wikiapi.http.serving.draining import drain
from wikiapi.http.serving.server import create_server

HTTP = HttpConfig(listen="127.0.0.1:0", threads=1)
LARGE = b"x" * 3_000_000
REQUEST = b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"


class Held:
    """An application that answers when it is let go."""

    def __init__(self) -> None:
        self.entered = threading.Semaphore(0)
        self.go = threading.Event()

    def __call__(self, _environ: Any, start_response: Any) -> Iterable[bytes]:
        self.entered.release()
        self.go.wait(20)
        start_response("200 OK", [("Content-Length", str(len(LARGE)))])
        return [LARGE]


class HeldInPieces(Held):
    """One that answers in pieces, the first of them at once."""

    def __call__(self, _environ: Any, start_response: Any) -> Iterable[bytes]:
        start_response("200 OK", [])
        return self._pieces()

    def _pieces(self) -> Iterator[bytes]:
        yield LARGE
        self.entered.release()
        self.go.wait(20)
        yield b"the end"


@pytest.fixture
def held() -> Held:
    return Held()


@pytest.fixture
def server(held: Held) -> Iterator[Any]:
    server = create_server(held, HTTP)
    yield server
    held.go.set()
    server.task_dispatcher.shutdown()


def connected(server: Any) -> socket.socket:
    return socket.create_connection(server.socket.getsockname(), timeout=20)


def received(connection: socket.socket) -> bytes:
    """Return everything until the server closes the connection."""
    data = bytearray()
    with connection:
        while chunk := connection.recv(1 << 16):
            data += chunk
    return bytes(data)


def loop_once(server: Any) -> None:
    wasyncore.loop(0.5, map=server._map, count=1)


def run_until_entered(server: Any, held: Held) -> None:
    """Run the main loop until the application is called."""
    while not held.entered.acquire(blocking=False):
        loop_once(server)


@contextmanager
def drained(server: Any) -> Iterator[None]:
    """Drain a server in another thread while the block runs, then wait for its end."""
    draining = threading.Thread(target=drain, args=(server, Connections(server, HTTP), 20.0))
    draining.start()
    yield
    draining.join(20)
    assert not draining.is_alive()


def test_running_waiting_and_unread_requests_are_answered(server: Any, held: Held) -> None:
    """One is in a thread, one waits for it, one has not even been accepted."""
    clients = [connected(server) for _ in range(2)]
    for client in clients:
        client.sendall(REQUEST)
    run_until_entered(server, held)
    clients.append(connected(server))
    clients[2].sendall(REQUEST)
    address = server.socket.getsockname()
    with drained(server):
        held.go.set()
        answers = [received(client) for client in clients]
    assert [answer.endswith(LARGE) for answer in answers] == [True, True, True]
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(address, timeout=20)


def test_an_answer_is_streamed_to_its_end() -> None:
    held = HeldInPieces()
    server = create_server(held, HTTP)
    client = connected(server)
    client.sendall(REQUEST)
    run_until_entered(server, held)
    with drained(server):
        held.go.set()
        answer = received(client)
    assert answer.endswith(b"the end\r\n0\r\n\r\n")


def test_idle_connections_are_closed(server: Any, held: Held) -> None:
    held.go.set()
    client = connected(server)
    loop_once(server)
    drain(server, Connections(server, HTTP), 20.0)
    assert received(client) == b""


def test_a_client_that_has_just_connected_may_still_ask(server: Any, held: Held) -> None:
    held.go.set()
    client = connected(server)
    loop_once(server)
    server.pull_trigger()  # as a signal does, so that the next round of the loop does not wait
    with drained(server):
        time.sleep(0.2)
        client.sendall(REQUEST)
        assert received(client).endswith(LARGE)


def test_an_answer_announces_that_it_is_the_last_one(server: Any, held: Held) -> None:
    """Of two requests, that is the second one, though the first is still running as well."""
    client = connected(server)
    client.sendall(REQUEST * 2)
    run_until_entered(server, held)
    (channel,) = channels_of(server._map)
    with drained(server):
        while not channel.is_draining:
            time.sleep(0.001)
        held.go.set()
        first, second = received(client).split(b"HTTP/1.1 200 OK\r\n")[1:]
    assert b"Connection: close" not in first
    assert b"Connection: close" in second


def test_a_client_that_asks_on_and_on_does_not_hold_up_the_end(server: Any, held: Held) -> None:
    held.go.set()
    connection = HTTPConnection(*server.socket.getsockname(), timeout=20)
    connection.connect()
    connection.auto_open = 0
    loop_once(server)
    with drained(server), suppress(NotConnected):
        while True:
            connection.request("GET", "/")
            assert connection.getresponse().read() == LARGE


def test_the_grace_ends(server: Any, held: Held) -> None:
    client = connected(server)
    client.sendall(REQUEST)
    run_until_entered(server, held)
    drain(server, Connections(server, HTTP), 0.1)
    assert received(client) == b""
