"""Connections that wait for their clients are closed in time, and those that work are not."""

from __future__ import annotations

import os
import socket
import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from typing import Any

import pytest
from waitress import wasyncore

from wikiapi.config import HttpConfig
from wikiapi.http.serving import connections
from wikiapi.http.serving.connections import Connections, allow_files, most_connections
from wikiapi.http.serving.server import create_server

GET = b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"
ENDLESS = b"GET /endless HTTP/1.1\r\nHost: localhost\r\n\r\n"
LARGE = b"GET /large HTTP/1.1\r\nHost: localhost\r\n\r\n"
HELD = b"GET /held HTTP/1.1\r\nHost: localhost\r\n\r\n"
POST = b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100000\r\n\r\n"
TIMEOUT = 20


class Served:
    """A server whose main loop runs where a test runs it, by a clock that the test turns."""

    def __init__(self, clients: ExitStack, **settings: Any) -> None:
        http = HttpConfig(
            listen="127.0.0.1:0", keep_alive=10, client_timeout=20, request_deadline=60, **settings
        )
        self.now = 0.0
        self.held, self.freed = threading.Event(), threading.Semaphore(0)
        self.server = create_server(self._answer, http)
        self.connections = Connections(self.server, http, lambda: self.now)
        self._clients = clients
        clients.callback(self._end)

    def _answer(self, environ: Any, start_response: Any) -> Iterable[bytes]:
        path = environ["PATH_INFO"]
        if path == "/endless":
            start_response("200 OK", [])
            return self._endless()
        if path == "/held":
            self.held.wait(TIMEOUT)
        body = b"x" * 8_000_000 if path == "/large" else b"hello"
        start_response("200 OK", [("Content-Length", str(len(body)))])
        return [body]

    def _endless(self) -> Iterator[bytes]:
        try:
            while True:
                yield b"x" * 1_000_000
        finally:
            self.freed.release()

    def _end(self) -> None:
        self.held.set()
        for channel in self.channels:
            channel.handle_close()
        self.server.task_dispatcher.shutdown()
        wasyncore.close_all(self.server._map)

    def client(self, sent: bytes = b"") -> socket.socket:
        """Return a new client, connected, whose first bytes the server has read."""
        client = socket.socket()
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 65_536)
        client.settimeout(TIMEOUT)
        self._clients.callback(client.close)
        client.connect(self.server.socket.getsockname())
        client.sendall(sent)
        self.rounds()
        return client

    def after(self, seconds: float) -> None:
        """Let a second and more time pass, as the server sees it: it looks at both ends of it."""
        self.rounds()
        self.now += 1
        self.connections.look_after()
        self.now += seconds
        self.connections.look_after()
        self.rounds()

    def rounds(self) -> None:
        """Let the main loop do what there is to do."""
        for _ in range(4):
            wasyncore.loop(0.003, use_poll=True, map=self.server._map, count=1)
        self.connections.look_after()

    def until(self, condition: Callable[[], object]) -> None:
        while not condition():
            self.rounds()

    @property
    def channels(self) -> list[Any]:
        return list(self.server.active_channels.values())

    @property
    def unsent(self) -> int:
        return sum(channel.total_outbufs_len for channel in self.channels)


@pytest.fixture
def clients() -> Iterator[ExitStack]:
    """Yield a stack that closes everything at the end."""
    with ExitStack() as stack:
        yield stack


def is_open(client: socket.socket) -> bool:
    """Return whether the server has not closed the connection, without receiving anything."""
    client.setblocking(False)
    try:
        return bool(client.recv(1, socket.MSG_PEEK))
    except BlockingIOError:
        return True
    except ConnectionError:
        return False
    finally:
        client.settimeout(TIMEOUT)


def take_all(served: Served, client: socket.socket) -> bytes:
    """Return an answer of five bytes."""
    client.setblocking(False)
    data = b""
    while not data.endswith(b"hello"):
        served.rounds()
        try:
            data += client.recv(65_536)
        except BlockingIOError:
            continue
    return data


def test_idle_connections_are_closed(clients: ExitStack) -> None:
    served = Served(clients)
    fresh, asking = served.client(), served.client()
    served.after(7)
    asking.sendall(GET)
    take_all(served, asking)
    served.after(3)
    assert (is_open(fresh), is_open(asking)) == (False, True)
    served.after(11)
    assert not is_open(asking)


@pytest.mark.parametrize("begun", [b"G", b"\r\n", GET[:-2]])
def test_a_head_has_its_time_however_it_drips(clients: ExitStack, begun: bytes) -> None:
    served = Served(clients)
    client = served.client(begun)
    for _ in range(4):
        served.after(3.9)
        assert is_open(client)
        client.sendall(b"X")
    served.after(2)
    assert not is_open(client)


def test_a_body_has_as_much_time_as_it_is_long(clients: ExitStack) -> None:
    served = Served(clients)
    dripping, steady = served.client(POST), served.client(POST)
    for _ in range(5):
        served.after(4)
        dripping.send(b"x")
        steady.sendall(b"x" * 10_000)
    assert (is_open(dripping), is_open(steady)) == (False, True)
    steady.sendall(b"x" * 50_000)
    assert take_all(served, steady).startswith(b"HTTP/1.1 200 OK")


def test_a_client_that_reads_nothing_of_its_answer_frees_the_thread(clients: ExitStack) -> None:
    served = Served(clients, threads=1)
    client = served.client(ENDLESS)
    served.until(lambda: served.unsent > 16_777_216)
    served.after(15)
    assert is_open(client)
    served.after(10)
    assert served.freed.acquire(timeout=TIMEOUT)
    take_all(served, served.client(GET))


def test_a_slow_reader_frees_the_thread_at_the_end_of_the_request_time(
    clients: ExitStack,
) -> None:
    served = Served(clients, threads=1)
    client = served.client(ENDLESS)
    served.until(lambda: served.unsent > 16_777_216)
    for _ in range(5):
        before = served.unsent
        while served.unsent == before:
            client.recv(65_536)
            served.rounds()
        served.after(11)
        assert client.recv(1)
        assert not served.freed.acquire(blocking=False)
    served.after(11)
    assert served.freed.acquire(timeout=TIMEOUT)


def test_a_client_that_waits_for_the_server_is_not_closed(clients: ExitStack) -> None:
    served = Served(clients, threads=1, max_connections=8)
    working, queued = served.client(HELD), served.client(GET)
    for _ in range(10):
        served.client()
        served.after(1000)
    served.held.set()
    assert take_all(served, working).startswith(b"HTTP/1.1 200 OK")
    assert take_all(served, queued).startswith(b"HTTP/1.1 200 OK")


def test_in_a_crowd_there_is_room_for_the_next(clients: ExitStack) -> None:
    served = Served(clients, max_connections=16)
    crowd = [served.client(begun) for begun in (b"", b"GET ", POST) for _ in range(4)]
    for _ in range(10):
        served.after(0.5)
        crowd.append(served.client())
        take_all(served, served.client(GET))
    assert not any(map(is_open, crowd[:4]))
    assert is_open(crowd[-1])


def test_new_connections_are_not_closed_before_a_request_can_arrive(clients: ExitStack) -> None:
    served = Served(clients, max_connections=16)
    crowd = [served.client() for _ in range(20)]
    assert all(map(is_open, crowd))
    assert not served.server.accepting
    for _ in range(4):
        served.after(0)
    assert served.server.accepting
    assert not is_open(crowd[0])
    assert is_open(crowd[-1])


def test_answers_and_bodies_do_not_take_all_memory(
    clients: ExitStack, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "MAX_BUFFERED_BYTES", 20_000_000)
    served = Served(clients)
    idle = served.client()
    for _ in range(4):
        served.client(LARGE)
    served.until(lambda: not any(channel.requests for channel in served.channels))
    served.after(0)
    assert len(served.channels) == 3
    assert is_open(idle), "to close it would not help"


def test_where_requests_wait_slow_clients_have_half_of_the_threads(clients: ExitStack) -> None:
    served = Served(clients, threads=4)
    for _ in range(4):
        served.client(ENDLESS)
    # The sum does not tell: one may still be sending while the others hold more than that.
    served.until(lambda: all(channel.total_outbufs_len > 16_777_216 for channel in served.channels))
    quick = served.client(GET)
    served.after(0)
    take_all(served, quick)
    for _ in range(2):
        assert served.freed.acquire(timeout=TIMEOUT)
    served.after(1)
    assert not served.freed.acquire(blocking=False)


def test_without_files_no_connection_is_taken_until_there_are_some(
    clients: ExitStack, monkeypatch: pytest.MonkeyPatch
) -> None:
    served = Served(clients)
    oldest = served.client()
    served.after(0)
    newest = served.client()

    def fail(_number: int) -> int:
        raise OSError(24, "Too many open files")

    with monkeypatch.context() as patched:
        patched.setattr(os, "dup", fail)
        served.now = served.connections.look_after() + served.now
        served.connections.look_after()
        assert not served.server.accepting
        assert (is_open(oldest), is_open(newest)) == (False, True)
    served.after(0.1)
    assert served.server.accepting


def test_warnings_are_few(clients: ExitStack, caplog: pytest.LogCaptureFixture) -> None:
    served = Served(clients, max_connections=16)
    for _ in range(40):
        served.client()
        served.now += 0.3
    assert len(caplog.records) == 1
    assert "to make room" in caplog.text


@pytest.mark.skipif(sys.platform == "win32", reason="there is no such limit")
@pytest.mark.parametrize(
    ("before", "max_connections", "after", "most"),
    [
        ((64, 64), 500, 64, 32),
        ((1024, 4096), 500, 1024, 500),
        ((256, 4096), 500, 628, 500),
        ((256, 400), 500, 400, 272),
        ((1024, -1), 5000, 5128, 5000),
        ((-1, -1), 5000, -1, 5000),
    ],
)
def test_open_files(
    monkeypatch: pytest.MonkeyPatch,
    before: tuple[int, int],
    max_connections: int,
    after: int,
    most: int,
) -> None:
    import resource

    limits = [before]
    monkeypatch.setattr(resource, "getrlimit", lambda _: limits[-1])
    monkeypatch.setattr(resource, "setrlimit", lambda _, new: limits.append(new))
    http = HttpConfig(max_connections=max_connections, threads=4)
    allow_files(http)
    assert limits[-1] == (after, before[1])
    assert most_connections(http) == most
