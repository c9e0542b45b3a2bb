"""The client of the benchmarks reads answers of a known length and in chunks, in any pieces."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import pytest

from bench.client import Connection

HEAD = b"HTTP/1.1 200 OK\r\n"
CHUNKED = HEAD + b"Transfer-Encoding: chunked\r\n\r\n"


@contextmanager
def answering(pieces: Sequence[bytes]) -> Iterator[int]:
    """Run a server for one connection that sends the pieces after every request; yield its port."""

    def serve() -> None:
        connection, _ = listener.accept()
        with connection:
            while connection.recv(65536):
                for piece in pieces:
                    connection.sendall(piece)

    with socket.create_server(("127.0.0.1", 0)) as listener:
        thread = threading.Thread(target=serve)
        thread.start()
        yield listener.getsockname()[1]
    thread.join()


def cuts(answer: bytes, size: int) -> list[bytes]:
    return [answer[start : start + size] for start in range(0, len(answer), size)]


@pytest.mark.parametrize("size", [1, 7, 1000])
@pytest.mark.parametrize(
    ("answer", "body"),
    [
        (HEAD + b"Content-Length: 5\r\n\r\nhello", b"hello"),
        (HEAD + b"content-length: 0\r\n\r\n", b""),
        (CHUNKED + b"5\r\nhello\r\n0\r\n\r\n", b"hello"),
        (CHUNKED + b"A\r\n0\r\n\r\n0\r\n\r\n\r\n3\r\nend\r\n0\r\n\r\n", b"0\r\n\r\n0\r\n\r\nend"),
        (CHUNKED + b"0\r\n\r\n", b""),
    ],
)
def test_body_is_whole(answer: bytes, body: bytes, size: int) -> None:
    with answering(cuts(answer, size)) as port:
        connection = Connection(port, "/")
        assert [connection.body(), connection.body()] == [body, body]
        connection.close()


def test_body_may_be_larger_than_any_before() -> None:
    body = bytes(range(256)) * 20_000
    with answering([HEAD + b"Content-Length: %d\r\n\r\n" % len(body) + body]) as port:
        connection = Connection(port, "/")
        assert [connection.body(), connection.body()] == [body, body]
        connection.close()


def test_error_is_refused() -> None:
    with answering([b"HTTP/1.1 500 No\r\nContent-Length: 0\r\n\r\n"]) as port:
        connection = Connection(port, "/")
        with pytest.raises(RuntimeError, match="500 No"):
            connection.measure()
        connection.close()
