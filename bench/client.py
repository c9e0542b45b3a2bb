"""A keep-alive HTTP client that costs next to nothing, so that the server is what is measured."""

from __future__ import annotations

import socket
import time

SEPARATOR = b"\r\n\r\n"
LINE = b"\r\n"
_ROOM = 1 << 20


class Connection:
    """One connection that sends the same request again and again, until aimed at another."""

    def __init__(self, port: int, target: str) -> None:
        """Connect to the server on this machine; ``target`` is path and query."""
        self._socket = socket.create_connection(("127.0.0.1", port))
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._port = port
        # All answers go to the same place: new memory for each would be counted as the server's.
        self._buffer = bytearray(_ROOM)
        self._end = 0
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
        """Return the body of one answer."""
        self._socket.sendall(self._request)
        return b"".join(self._buffer[part] for part in self._receive())

    def close(self) -> None:
        """Close the connection."""
        self._socket.close()

    def _receive(self) -> list[slice]:
        """Take in a whole answer; tells where in the buffer the parts of its body are."""
        self._end = 0
        begin = self._past(SEPARATOR, 0)
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
            line_end = self._past(LINE, begin)
            end = line_end + int(self._buffer[begin : line_end - len(LINE)], 16)
            begin = end + len(LINE)
            self._fill(begin)
            if end == line_end:
                return parts
            parts.append(slice(line_end, end))

    def _past(self, mark: bytes, begin: int) -> int:
        """Where that begins which follows the next mark."""
        while (found := self._buffer.find(mark, begin, self._end)) < 0:
            self._take()
        return found + len(mark)

    def _fill(self, end: int) -> None:
        while self._end < end:
            self._take()

    def _take(self) -> None:
        if self._end == len(self._buffer):
            self._buffer += bytes(len(self._buffer))
        with memoryview(self._buffer)[self._end :] as room:
            received = self._socket.recv_into(room)
        if not received:
            raise ConnectionError("the server closed the connection")
        self._end += received
