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

MAX_MESSAGE = 32 * 1024 * 1024
"""Bytes that a message may have: six for each of the longest text that Lua sends."""

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
        """Communicate over these file descriptors."""
        self._reading = reading
        self._writing = writing
        self._come = bytearray()
        self._poll = select.poll()
        self._poll.register(reading, select.POLLIN)

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
        """Return the next message; ``timeout`` in seconds applies to each wait for a part of it.

        Raises:
            Disconnected: the other side is gone, or what it sends is no message.
            TimedOut: nothing came in time.
        """
        self._fill(_LENGTH.size, timeout)
        (size,) = _LENGTH.unpack_from(self._come)
        if size > MAX_MESSAGE:
            raise Disconnected
        end = _LENGTH.size + size
        self._fill(end, timeout)
        with memoryview(self._come) as come:
            body = str(come[_LENGTH.size : end], "utf-8", "surrogateescape")
        del self._come[:end]
        try:
            return json.loads(body)
        except (ValueError, RecursionError):
            raise Disconnected from None

    def _fill(self, size: int, timeout: float | None) -> None:
        """Read until so many bytes have come."""
        while (missing := size - len(self._come)) > 0:
            if timeout is not None and not self._poll.poll(timeout * 1000):
                raise TimedOut
            try:
                more = os.read(self._reading, max(_CHUNK, missing))
            except OSError:
                raise Disconnected from None
            if not more:
                raise Disconnected
            self._come += more
