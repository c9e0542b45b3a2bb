"""Answers are sent by the thread that made them, and their connections stay open."""

from __future__ import annotations

import re
import socket
import threading
from contextlib import closing
from http.client import HTTPConnection
from typing import TYPE_CHECKING, Any

import pytest
from waitress import wasyncore

from tests.unit.http.servers import running
from wikiapi.config import HttpConfig
from wikiapi.http import channel
from wikiapi.http.server import create_server

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

HTTP = HttpConfig(listen="127.0.0.1:0", threads=1)
PIECE = b"x" * 65_536


def greet(_environ: Any, start_response: Any) -> list[bytes]:
    start_response("200 OK", [("Content-Length", "5")])
    return [b"hello"]


def in_pieces(environ: Any, start_response: Any) -> Iterable[bytes]:
    if environ["PATH_INFO"] == "/known":
        start_response("304 Not Modified", [])
        return (b"",)
    start_response("200 OK", [])
    return iter((b"hello, ", b"world"))


def test_an_answer_does_not_wait_for_the_loop() -> None:
    server = create_server(greet, HTTP)
    with socket.create_connection(server.socket.getsockname(), timeout=20) as client:
        client.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
        known = len(server._map)
        while len(server._map) == known:
            wasyncore.loop(1, map=server._map, count=1)
        # The connection is there and the request is read; from here on nobody runs the loop.
        wasyncore.loop(1, map=server._map, count=1)
        received = b""
        while not received.endswith(b"hello"):
            received += client.recv(4096)
    server.task_dispatcher.shutdown()
    wasyncore.close_all(server._map)


@pytest.fixture
def port() -> Iterator[int]:
    with running(create_server(in_pieces, HTTP)) as port:
        yield port


def with_headers(environ: Any, start_response: Any) -> list[bytes]:
    more = [("ETag", '"1"'), ("x-lower", "2"), ("x-lower", "3")]
    path = environ["PATH_INFO"].strip("/")
    if path:
        more.append((path, "theirs"))
    start_response("200 OK", [*more, ("Content-Length", "2")])
    return [b"ok"]


def head_of(path: str, how: str) -> set[str]:
    """The lines of an answer's head but for the date, in lower case."""
    with (
        running(create_server(with_headers, HTTP)) as port,
        socket.create_connection(("127.0.0.1", port), timeout=20) as client,
    ):
        client.sendall(f"GET /{path} HTTP/1.1\r\nHost: localhost\r\n{how}\r\n".encode())
        data = b""
        while not data.endswith(b"\r\n\r\nok"):
            data += client.recv(4096)
    lines = data.decode().lower().split("\r\n\r\n")[0].split("\r\n")
    dates = [line for line in lines if line.startswith("date: ")]
    assert len(dates) == 1
    return set(lines) - set(dates if path != "Date" else ())


def test_headers_are_those_of_waitress(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = [
        (path, how)
        for path in ("", "Date", "Server")
        for how in ("", "Connection: close\r\n", "Connection: Keep-Alive\r\n")
    ]
    ours = [head_of(*each) for each in asked]
    monkeypatch.delattr(channel.PromptTask, "build_response_header")
    assert ours == [head_of(*each) for each in asked]
    assert "server: wikiapi" in ours[0]


def connected(port: int) -> closing[HTTPConnection]:
    return closing(HTTPConnection("127.0.0.1", port, timeout=20))


def received(client: socket.socket) -> bytes:
    """All that comes until the server closes the connection."""
    data = bytearray()
    while chunk := client.recv(1 << 16):
        data += chunk
    return bytes(data)


def test_a_connection_outlives_answers_without_a_stated_length(port: int) -> None:
    with connected(port) as connection:
        connection.connect()
        first = connection.sock
        for path, status, body in [("/", 200, b"hello, world"), ("/known", 304, b"")] * 2:
            connection.request("GET", path)
            reply = connection.getresponse()
            assert (reply.status, reply.read()) == (status, body)
            assert "connection" not in {name.lower() for name, _ in reply.getheaders()}
            assert connection.sock is first


@pytest.mark.parametrize("path", ["/", "/known"])
def test_a_connection_is_closed_if_the_client_asks_for_it(path: str, port: int) -> None:
    with connected(port) as connection:
        connection.request("GET", path, headers={"Connection": "close"})
        reply = connection.getresponse()
        assert reply.headers["connection"] == "close"
        reply.read()


def test_old_clients_know_the_end_by_the_close(port: int) -> None:
    with socket.create_connection(("127.0.0.1", port), timeout=20) as client:
        client.sendall(b"GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")
        answer = received(client)
    assert answer.endswith(b"\r\n\r\nhello, world")
    assert b"chunked" not in answer


class Endless:
    """An answer without end, that notes when nobody takes it any more."""

    def __init__(self) -> None:
        self.closed = threading.Event()

    def __call__(self, environ: Any, start_response: Any) -> Iterable[bytes]:
        if environ["PATH_INFO"] == "/short":
            return greet(environ, start_response)
        start_response("200 OK", [])
        return self._pieces()

    def _pieces(self) -> Iterator[bytes]:
        try:
            while True:
                yield PIECE
        finally:
            self.closed.set()


def test_a_client_that_takes_nothing_does_not_keep_the_thread(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(channel, "_PATIENCE", 0.05)
    endless = Endless()
    with (
        running(create_server(endless, HTTP)) as port,
        socket.create_connection(("127.0.0.1", port), timeout=20) as client,
    ):
        client.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert endless.closed.wait(20)
        with connected(port) as connection:
            connection.request("GET", "/short")
            assert connection.getresponse().read() == b"hello"
        assert not received(client).endswith(b"0\r\n\r\n"), "nobody takes it for the whole"


def long(environ: Any, start_response: Any) -> list[bytes]:
    body = PIECE * 200
    start_response("200 OK", [("Content-Length", str(len(body)))])
    return [body if environ["REQUEST_METHOD"] == "GET" else b""]


def test_what_the_socket_does_not_take_at_once_follows() -> None:
    with running(create_server(long, HTTP)) as port, connected(port) as connection:
        for _ in range(3):
            connection.request("GET", "/")
            reply = connection.getresponse()
            assert reply.read() == PIECE * 200
            connection.request("HEAD", "/")
            reply = connection.getresponse()
            assert (reply.headers["content-length"], reply.read()) == (str(len(PIECE) * 200), b"")


def test_long_answers_to_requests_sent_together() -> None:
    with (
        running(create_server(long, HTTP)) as port,
        socket.create_connection(("127.0.0.1", port), timeout=20) as client,
    ):
        request = b"GET / HTTP/1.1\r\nHost: localhost\r\n"
        client.sendall((request + b"\r\n") * 2 + request + b"Connection: close\r\n\r\n")
        assert received(client).count(PIECE * 200) == 3


def echo_environ(environ: Any, start_response: Any) -> list[bytes]:
    """Everything that is told of a request, and what an earlier one left behind."""
    told = {key: value for key, value in environ.items() if isinstance(value, str)}
    told["body"] = environ["wsgi.input"].read().decode()
    body = repr(sorted(told.items())).encode()
    environ["left.behind"] = "by the application"
    start_response("200 OK", [("Content-Length", str(len(body)))])
    return [body]


def asked(connection: HTTPConnection, method: str, target: str, body: str | None = None) -> bytes:
    connection.request(method, target, body)
    return connection.getresponse().read()


def test_requests_of_a_connection_are_told_as_first_ones_are() -> None:
    targets = ["/", "/w/api.php?a=b%20c", "//double?x", "*", "/w/api.php?a=b%20c", "/%41#f"]
    requests = [(method, target, None) for method in ("GET", "DELETE") for target in targets]
    requests[4:4] = [("POST", "/posted", "some text"), ("GET", "/after", None)]
    with running(create_server(echo_environ, HTTP)) as port:
        with closing(HTTPConnection("127.0.0.1", port, timeout=20)) as connection:
            found = [asked(connection, *request) for request in requests]
            source = connection.sock.getsockname()[1]
        for request, answer in zip(requests, found, strict=True):
            with closing(HTTPConnection("127.0.0.1", port, timeout=20)) as alone:
                first = asked(alone, *request)
                port_of_first = alone.sock.getsockname()[1]
            ports = (f"'{port_of_first}'".encode(), f"'{source}'".encode())
            assert answer == first.replace(*ports)


def test_requests_that_are_read_ahead_keep_their_fields() -> None:
    """They are all read before the first is answered, and a later one has the last one's fields."""
    names = ["one", "one", "other", "third", "third", "one"]
    heads = [f"GET / HTTP/1.1\r\nHost: localhost\r\nX-Name: {name}\r\n\r\n" for name in names]
    with running(create_server(echo_environ, HTTP)) as port:
        for groups in (heads, ["".join(heads)], ["".join(heads[:3]), *heads[2:3], *heads[3:]]):
            with socket.create_connection(("127.0.0.1", port), timeout=20) as client:
                found = [name for group in groups for name in _names_told(client, group)]
            asked_for = [name for group in groups for name in re.findall("X-Name: (.*?)\r", group)]
            assert found == asked_for


def _names_told(client: socket.socket, heads: str) -> list[str]:
    client.sendall(heads.encode())
    received = b""
    while received.count(b"HTTP_X_NAME") < heads.count("X-Name") or not received.endswith(b"]"):
        received += client.recv(65536)
    return re.findall("'HTTP_X_NAME', '(.*?)'", received.decode())
