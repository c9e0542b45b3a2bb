"""Messages between the server and its workers: a length of four bytes, then JSON.

Texts of Lua may be any bytes; those that are no UTF-8 travel as lone surrogates. JSON, because what
a worker sends must be harmless to read whatever has become of it.
"""

from __future__ import annotations

import json
import os
import select
import struct
from typing import Any

MAX_MESSAGE = 64 * 1024 * 1024
"""Bytes that a message may have."""

_LENGTH = struct.Struct(">I")
_CHUNK = 1 << 16
_encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


class Disconnected(Exception):
    """The other side has closed its end."""


class TimedOut(Exception):
    """The other side has said nothing for too long."""


class Channel:
    """Two pipes, used by one thread at a time."""

    def __init__(self, reading: int, writing: int) -> None:
        """Talk over these file descriptors."""
        self._reading = reading
        self._writing = writing
        self._come = bytearray()

    def send(self, message: Any) -> None:
        """Send a message.

        Raises:
            Disconnected: the other side is gone.
        """
        body = _encode(message).encode("utf-8", "surrogateescape")
        data = memoryview(_LENGTH.pack(len(body)) + body)
        try:
            while data:
                data = data[os.write(self._writing, data) :]
        except OSError:
            raise Disconnected from None

    def receive(self, timeout: float | None = None) -> Any:
        """The next message; ``timeout`` in seconds bounds each wait for more of it.

        Raises:
            Disconnected: the other side is gone, or what it sends is no message.
            TimedOut: nothing came in time.
        """
        (size,) = _LENGTH.unpack(self._take(_LENGTH.size, timeout))
        if size > MAX_MESSAGE:
            raise Disconnected
        body = self._take(size, timeout)
        try:
            return json.loads(body.decode("utf-8", "surrogateescape"))
        except (ValueError, RecursionError):
            raise Disconnected from None

    def _take(self, size: int, timeout: float | None) -> bytes:
        """So many bytes; what has come behind them waits."""
        while len(self._come) < size:
            self._await(timeout)
            try:
                more = os.read(self._reading, max(_CHUNK, size - len(self._come)))
            except OSError:
                raise Disconnected from None
            if not more:
                raise Disconnected
            self._come += more
        taken = bytes(self._come[:size])
        del self._come[:size]
        return taken

    def _await(self, timeout: float | None) -> None:
        if timeout is None:
            return
        poll = select.poll()
        poll.register(self._reading, select.POLLIN)
        if not poll.poll(timeout * 1000):
            raise TimedOut
