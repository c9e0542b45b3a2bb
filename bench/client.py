"""A keep-alive HTTP client that costs next to nothing, so that the server is what is measured."""

from __future__ import annotations

import socket
import time

SEPARATOR = b"\r\n\r\n"
LINE = b"\r\n"


class Connection:
    """One connection that sends the same request again and again, until aimed at another."""

    def __init__(self, port: int, target: str) -> None:
        """Connect to the server on this machine; ``target`` is path and query."""
        self._socket = socket.create_connection(("127.0.0.1", port))
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._port = port
        self.aim(target)

    def aim(self, target: str) -> None:
        """Send another request from now on; ``target`` is path and query."""
        head = f"GET {target} HTTP/1.1\r\nHost: 127.0.0.1:{self._port}"
        self._request = f"{head}\r\nConnection: keep-alive\r\n\r\n".encode()

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

    def close(self) -> None:
        """Close the connection."""
        self._socket.close()

    def _receive(self) -> bytes:
        head, _, rest = self._until(b"", SEPARATOR).partition(SEPARATOR)
        if not head.startswith(b"HTTP/1.1 200"):
            raise RuntimeError(f"unexpected answer: {head[:200]!r}")
        _, announced, length = head.lower().partition(b"content-length:")
        if announced:
            body = self._filled(rest, int(length.split(b"\r\n", 1)[0]))
        else:
            body = self._chunked(rest)
        return head + SEPARATOR + body

    def _chunked(self, data: bytes) -> bytes:
        parts: list[bytes] = []
        while True:
            data = self._until(data, LINE)
            size, _, data = data.partition(LINE)
            data = self._filled(data, int(size, 16) + len(LINE))
            if not int(size, 16):
                return b"".join(parts)
            parts.append(data[: int(size, 16)])
            data = data[int(size, 16) + len(LINE) :]

    def _until(self, data: bytes, end: bytes) -> bytes:
        while end not in data:
            data += self._chunk()
        return data

    def _filled(self, data: bytes, size: int) -> bytes:
        if len(data) >= size:
            return data
        parts, missing = [data], size - len(data)
        while missing > 0:
            parts.append(self._chunk())
            missing -= len(parts[-1])
        return b"".join(parts)

    def _chunk(self) -> bytes:
        chunk = self._socket.recv(65536)
        if not chunk:
            raise ConnectionError("the server closed the connection")
        return chunk
