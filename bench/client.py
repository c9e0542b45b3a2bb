"""A keep-alive HTTP client that costs next to nothing, so that the server is what is measured."""

from __future__ import annotations

import socket
import time

SEPARATOR = b"\r\n\r\n"


class Connection:
    """One connection that sends the same request again and again."""

    def __init__(self, port: int, target: str) -> None:
        """Connect to the server on this machine; ``target`` is path and query."""
        self._socket = socket.create_connection(("127.0.0.1", port))
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._request = (
            f"GET {target} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: keep-alive\r\n\r\n"
        ).encode()

    def timed(self) -> float:
        """Seconds from sending the request to the last byte of its answer."""
        start = time.perf_counter()
        self._socket.sendall(self._request)
        self._receive()
        return time.perf_counter() - start

    def body(self) -> bytes:
        """The body of one answer."""
        self._socket.sendall(self._request)
        return self._receive().partition(SEPARATOR)[2]

    def _receive(self) -> bytes:
        data = b""
        while SEPARATOR not in data:
            data += self._chunk()
        head, _, body = data.partition(SEPARATOR)
        if not head.startswith(b"HTTP/1.1 200"):
            raise RuntimeError(f"unexpected answer: {head[:200]!r}")
        length = int(head.lower().split(b"content-length:", 1)[1].split(b"\r\n", 1)[0])
        while len(body) < length:
            body += self._chunk()
        return head + SEPARATOR + body

    def _chunk(self) -> bytes:
        chunk = self._socket.recv(65536)
        if not chunk:
            raise ConnectionError("the server closed the connection")
        return chunk
