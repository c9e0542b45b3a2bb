"""A thread waits for the next request of its client, unless somebody else would wait for it."""

from __future__ import annotations

import socket
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, Any

import pytest
from waitress import wasyncore

from tests.unit.http.servers import running
from wikiapi.config import HttpConfig
from wikiapi.http import lingering
from wikiapi.http.draining import drain
from wikiapi.http.server import create_server

if TYPE_CHECKING:
    from collections.abc import Iterator

LONG = 60.0
TIMEOUT = 20


@pytest.fixture(autouse=True, params=["asleep", "awake"])
def patient(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Longer than any test: what passes does not pass because a thread's patience was at an end."""
    is_awake = request.param == "awake"
    monkeypatch.setattr(lingering, "processors", lambda: 2)
    monkeypatch.setattr(lingering, "PATIENCE", 0 if is_awake else LONG)
    monkeypatch.setattr(lingering, "ATTENTION", LONG if is_awake else 0)


class Echo:
    """Answers with the path; ``/held`` when it is let go."""

    def __init__(self) -> None:
        self.entered = threading.Event()
        self.go = threading.Event()

    def __call__(self, environ: Any, start_response: Any) -> list[bytes]:
        path = environ["PATH_INFO"].encode()
        if path == b"/held":
            self.entered.set()
            self.go.wait(TIMEOUT)
        start_response("200 OK", [("Content-Length", str(len(path)))])
        return [path]


class Client:
    """A connection to a server."""

    def __init__(self, address: Any) -> None:
        self.socket = socket.create_connection(address, timeout=TIMEOUT)
        self._data = b""

    def ask(self, *paths: str) -> None:
        requests = [f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n" for path in paths]
        self.socket.sendall("".join(requests).encode())

    def receive(self) -> str:
        """The body of one answer."""
        while b"\r\n\r\n" not in self._data:
            self._more()
        head, _, self._data = self._data.partition(b"\r\n\r\n")
        length = int(head.lower().partition(b"content-length: ")[2].split(b"\r\n")[0])
        while len(self._data) < length:
            self._more()
        body, self._data = self._data[:length], self._data[length:]
        return body.decode()

    def answer(self, path: str) -> str:
        self.ask(path)
        return self.receive()

    def _more(self) -> None:
        chunk = self.socket.recv(4096)
        if not chunk:
            raise ConnectionError(self._data)
        self._data += chunk


@pytest.fixture
def clients() -> Iterator[ExitStack]:
    """Closes them at the end."""
    with ExitStack() as stack:
        yield stack


def connected(clients: ExitStack, address: Any) -> Client:
    client = Client(address)
    clients.callback(client.socket.close)
    return client


@pytest.fixture
def echo() -> Iterator[Echo]:
    echo = Echo()
    yield echo
    echo.go.set()


@contextmanager
def served(echo: Echo, threads: int) -> Iterator[tuple[str, int]]:
    """A server that runs; gives its address."""
    http = HttpConfig(listen="127.0.0.1:0", threads=threads)
    with running(create_server(echo, http)) as port:
        yield "127.0.0.1", port


def loop_until(server: Any, condition: Any) -> None:
    while not condition():
        wasyncore.loop(0.05, map=server._map, count=1)


@pytest.fixture
def server(echo: Echo) -> Iterator[Any]:
    """One whose main loop runs only where a test runs it."""
    server = create_server(echo, HttpConfig(listen="127.0.0.1:0", threads=2))
    # A thread counts as busy until it has started.
    loop_until(server, lambda: not server.task_dispatcher.active_count)
    yield server
    server.task_dispatcher.shutdown()
    wasyncore.close_all(server._map)


def channels(server: Any) -> list[Any]:
    return list(server.active_channels.values())


def first_answer(server: Any, clients: ExitStack) -> Client:
    """A client whose connection is held by the thread that answered it."""
    client = connected(clients, server.socket.getsockname())
    client.ask("/1")
    loop_until(server, lambda: channels(server) and channels(server)[0].held)
    assert client.receive() == "/1"
    return client


def test_the_next_request_does_not_need_the_loop(server: Any, clients: ExitStack) -> None:
    client = first_answer(server, clients)
    assert [client.answer("/22"), client.answer("/333")] == ["/22", "/333"]


def test_the_loop_reads_the_rest_of_what_comes_in_parts(server: Any, clients: ExitStack) -> None:
    client = first_answer(server, clients)
    client.socket.sendall(b"GET /parts HTTP/1.1\r\n")
    loop_until(server, lambda: not channels(server)[0].held)
    client.socket.sendall(b"Host: localhost\r\n\r\n")
    loop_until(server, lambda: channels(server)[0].held)
    assert client.receive() == "/parts"


def test_a_client_that_goes_is_let_go(server: Any, clients: ExitStack) -> None:
    first_answer(server, clients).socket.close()
    loop_until(server, lambda: not channels(server))


def test_nobody_lingers_while_a_server_stops(server: Any, clients: ExitStack) -> None:
    client = first_answer(server, clients)
    drain(server, TIMEOUT)
    assert not server.task_dispatcher.threads
    assert client.socket.recv(1) == b""


def test_an_only_thread_belongs_to_all(echo: Echo, clients: ExitStack) -> None:
    with served(echo, threads=1) as address:
        asking = [connected(clients, address) for _ in range(3)]
        for path in ("/1", "/2"):
            assert [client.answer(path) for client in asking] == [path] * 3


def test_a_thread_leaves_for_a_client_that_waits(echo: Echo, clients: ExitStack) -> None:
    with served(echo, threads=2) as address:
        lingered, long, other = (connected(clients, address) for _ in range(3))
        assert lingered.answer("/1") == "/1"
        long.ask("/held")
        assert echo.entered.wait(TIMEOUT)
        assert other.answer("/2") == "/2"
        assert lingered.answer("/3") == "/3"
        echo.go.set()
        assert long.receive() == "/held"


@pytest.mark.parametrize("threads", [1, 2])
def test_requests_sent_together_are_answered_in_order(
    echo: Echo, clients: ExitStack, threads: int
) -> None:
    with served(echo, threads) as address:
        client = connected(clients, address)
        paths = [f"/{number}" for number in range(50)]
        client.ask(*paths)
        assert [client.receive() for _ in paths] == paths


def test_many_clients_at_once(echo: Echo, clients: ExitStack) -> None:
    with served(echo, threads=3) as address:

        def found(name: int) -> list[str]:
            client = connected(clients, address)
            return [client.answer(f"/{name}/{number}") for number in range(30)]

        with ThreadPoolExecutor(12) as asking:
            answers = list(asking.map(found, range(12)))
    assert answers == [[f"/{name}/{number}" for number in range(30)] for name in range(12)]


@pytest.mark.parametrize(
    ("processors", "at_work", "awake"), [(1, 1, 0.0), (2, 1, LONG), (2, 2, 0.0)]
)
def test_threads_stay_awake_where_nobody_else_needs_the_processor(
    monkeypatch: pytest.MonkeyPatch, processors: int, at_work: int, awake: float
) -> None:
    seconds: list[float] = []
    monkeypatch.setattr(lingering, "processors", lambda: processors)
    monkeypatch.setattr(lingering, "ATTENTION", LONG)
    monkeypatch.setattr(lingering, "_watched", lambda _, awake: seconds.append(awake))
    dispatcher = lingering.LingeringDispatcher()
    dispatcher.threads = set(range(at_work + 1))
    dispatcher.active_count = at_work
    ours, theirs = socket.socketpair()
    with ours, theirs:
        theirs.send(b"!")
        monkeypatch.setattr(lingering, "PATIENCE", LONG)
        assert dispatcher.has_more(ours)
    dispatcher.threads = set()
    dispatcher.shutdown()
    assert seconds == [awake]
