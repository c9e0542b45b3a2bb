"""A keep-alive HTTP client with little overhead, so that mainly the server is measured."""

from __future__ import annotations

import socket
import time

SEPARATOR = b"\r\n\r\n"
LINE = b"\r\n"
_BUFFER_SIZE = 1 << 20


class Connection:
    """A connection that sends the same request repeatedly, until it is given another one."""

    def __init__(self, port: int, target: str) -> None:
        """Connect to a port of this machine; ``target`` consists of path and query."""
        self._socket = socket.create_connection(("127.0.0.1", port))
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._port = port
        # The buffer is reused: allocating one for each answer would count as the server's time.
        self._buffer = bytearray(_BUFFER_SIZE)
        self._end = 0
        self.set_target(target)

    def set_target(self, target: str) -> None:
        """Send another request from now on; ``target`` consists of path and query."""
        head = f"GET {target} HTTP/1.1\r\nHost: 127.0.0.1:{self._port}"
        self._request = f"{head}\r\nConnection: keep-alive\r\n\r\n".encode()

    def measure(self) -> float:
        """Return the seconds from sending the request to the last byte of its answer."""
        start = time.perf_counter()
        self._socket.sendall(self._request)
        self._receive()
        return time.perf_counter() - start

    def body(self) -> bytes:
        """Return the body of one answer."""
        self._socket.sendall(self._request)
        return b"".join(self._buffer[part] for part in self._receive())

    def close(self) -> None:
        """Close the connection."""
        self._socket.close()

    def _receive(self) -> list[slice]:
        """Receive a whole answer; return the positions of the parts of its body in the buffer."""
        self._end = 0
        begin = self._find_end(SEPARATOR, 0)
        head = bytes(self._buffer[:begin])
        if not head.startswith(b"HTTP/1.1 200"):
            raise RuntimeError(f"unexpected answer: {head[:200]!r}")
        _, announced, length = head.lower().partition(b"content-length:")
        if not announced:
            return self._chunks(begin)
        end = begin + int(length.split(LINE, 1)[0])
        self._fill(end)
        return [slice(begin, end)]

    def _chunks(self, begin: int) -> list[slice]:
        parts: list[slice] = []
        while True:
            line_end = self._find_end(LINE, begin)
            end = line_end + int(self._buffer[begin : line_end - len(LINE)], 16)
            begin = end + len(LINE)
            self._fill(begin)
            if end == line_end:
                return parts
            parts.append(slice(line_end, end))

    def _find_end(self, mark: bytes, begin: int) -> int:
        """Return the position after the next mark."""
        while (position := self._buffer.find(mark, begin, self._end)) < 0:
            self._receive_more()
        return position + len(mark)

    def _fill(self, end: int) -> None:
        while self._end < end:
            self._receive_more()

    def _receive_more(self) -> None:
        if self._end == len(self._buffer):
            self._buffer += bytes(len(self._buffer))
        with memoryview(self._buffer)[self._end :] as room:
            received = self._socket.recv_into(room)
        if not received:
            raise ConnectionError("the server closed the connection")
        self._end += received
