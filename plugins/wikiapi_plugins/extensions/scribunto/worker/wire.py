"""Messages between the server and its workers: a length of four bytes, then JSON.

A Lua string may contain any bytes; those that are not UTF-8 are represented by lone surrogates. The
format is JSON because a message from a compromised worker must be safe to decode.
"""

from __future__ import annotations

import json
import os
import select
import struct
from typing import Any

MAX_MESSAGE = 32 * 1024 * 1024
"""The largest size of a message in bytes. In JSON, a byte from Lua may take six bytes."""

_LENGTH = struct.Struct(">I")
_CHUNK = 1 << 16
_encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


class Disconnected(Exception):
    """The other side has closed its end, or sent something that is not a message."""


class TimedOut(Exception):
    """Nothing was received in time."""


class Channel:
    """A pair of pipes, used by one thread at a time."""

    def __init__(self, reading: int, writing: int) -> None:
        """Use these file descriptors to read and to write."""
        self._reading = reading
        self._writing = writing
        self._received = bytearray()
        self._poll = select.poll()
        self._poll.register(reading, select.POLLIN)

    def send(self, message: Any) -> None:
        """Send a message.

        Raises:
            Disconnected: the other side has closed its end.
        """
        body = _encode(message).encode("utf-8", "surrogateescape")
        data = memoryview(_LENGTH.pack(len(body)) + body)
        try:
            while data:
                data = data[os.write(self._writing, data) :]
        except OSError:
            raise Disconnected from None

    def receive(self, timeout: float | None = None) -> Any:
        """Return the next message; ``timeout``, in seconds, applies to each read.

        Raises:
            Disconnected: the other side has closed its end, or sent something else.
            TimedOut: nothing was received in time.
        """
        self._fill(_LENGTH.size, timeout)
        (size,) = _LENGTH.unpack_from(self._received)
        if size > MAX_MESSAGE:
            raise Disconnected
        end = _LENGTH.size + size
        self._fill(end, timeout)
        with memoryview(self._received) as received:
            body = str(received[_LENGTH.size : end], "utf-8", "surrogateescape")
        del self._received[:end]
        try:
            return json.loads(body)
        except (ValueError, RecursionError):
            raise Disconnected from None

    def _fill(self, size: int, timeout: float | None) -> None:
        """Read until ``size`` bytes have been received."""
        while (missing := size - len(self._received)) > 0:
            if timeout is not None and not self._poll.poll(timeout * 1000):
                raise TimedOut
            try:
                more = os.read(self._reading, max(_CHUNK, missing))
            except OSError:
                raise Disconnected from None
            if not more:
                raise Disconnected
            self._received += more
