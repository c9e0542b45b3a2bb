"""Messages over a pair of pipes: a length of four bytes, then JSON.

The format is JSON because the answer of a compromised worker must be safe to decode.
"""

from __future__ import annotations

import json
import os
import select
import struct
import time
from typing import Any

MAX_MESSAGE = 64 * 1024 * 1024
"""The largest size of a message in bytes."""

_LENGTH = struct.Struct(">I")
_CHUNK = 1 << 16
_FOREVER = float("inf")
_encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


class Disconnected(Exception):
    """The other side has closed its end, or sent something that is not a message."""


class TimedOut(Exception):
    """A message was not sent or received in time."""


class Channel:
    """A pair of pipes, used by one thread at a time."""

    def __init__(self, reading: int, writing: int) -> None:
        """Use these file descriptors to read and to write."""
        self._reading, self._writing = reading, writing
        self._received = bytearray()
        for descriptor in (reading, writing):
            os.set_blocking(descriptor, False)

    def send(self, message: Any, seconds: float = _FOREVER) -> None:
        """Send a message.

        Raises:
            Disconnected: the other side has closed its end.
            TimedOut: the other side did not read the message in time.
        """
        end = time.monotonic() + seconds
        # A text may contain half of a surrogate pair, which strict UTF-8 cannot encode.
        body = _encode(message).encode("utf-8", "surrogatepass")
        data = memoryview(_LENGTH.pack(len(body)) + body)
        while data:
            try:
                data = data[os.write(self._writing, data) :]
            except BlockingIOError:
                _wait(self._writing, select.POLLOUT, end)
            except OSError:
                raise Disconnected from None

    def receive(self, seconds: float = _FOREVER) -> Any:
        """Return the next message.

        Raises:
            Disconnected: the other side has closed its end, or sent something else.
            TimedOut: the message did not arrive in time.
        """
        end = time.monotonic() + seconds
        self._fill(_LENGTH.size, end)
        (size,) = _LENGTH.unpack_from(self._received)
        if size > MAX_MESSAGE:
            raise Disconnected
        size += _LENGTH.size
        self._fill(size, end)
        body = bytes(self._received[_LENGTH.size : size])
        del self._received[:size]
        try:
            return json.loads(body.decode("utf-8", "surrogatepass"))
        except (ValueError, RecursionError):
            raise Disconnected from None

    def _fill(self, size: int, end: float) -> None:
        """Read until ``size`` bytes have been received."""
        while (missing := size - len(self._received)) > 0:
            try:
                more = os.read(self._reading, max(_CHUNK, missing))
            except BlockingIOError:
                _wait(self._reading, select.POLLIN, end)
                continue
            except OSError:
                raise Disconnected from None
            if not more:
                raise Disconnected
            self._received += more


def _wait(descriptor: int, event: int, end: float) -> None:
    """Wait until a pipe can be read or written.

    Raises:
        TimedOut: the time ``end`` was reached first.
    """
    poll = select.poll()
    poll.register(descriptor, event)
    left = end - time.monotonic()
    if left <= 0 or not poll.poll(None if left == _FOREVER else left * 1000):
        raise TimedOut
