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
_CHUNK = 1 << 20
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
        first = self._read(_LENGTH.size, timeout, at_once=True)
        (size,) = _LENGTH.unpack(first[: _LENGTH.size])
        if size > MAX_MESSAGE:
            raise Disconnected
        rest = first[_LENGTH.size :]
        if len(rest) < size:
            rest += self._read(size - len(rest), timeout)
        try:
            return json.loads(rest.decode("utf-8", "surrogateescape"))
        except (ValueError, RecursionError):
            raise Disconnected from None

    def _read(self, size: int, timeout: float | None, *, at_once: bool = False) -> bytes:
        """So many bytes; with ``at_once`` also what has come behind them."""
        data = b""
        while len(data) < size:
            self._await(timeout)
            try:
                more = os.read(self._reading, _CHUNK if at_once else min(size - len(data), _CHUNK))
            except OSError:
                raise Disconnected from None
            if not more:
                raise Disconnected
            data += more
        return data

    def _await(self, timeout: float | None) -> None:
        if timeout is None:
            return
        poll = select.poll()
        poll.register(self._reading, select.POLLIN)
        if not poll.poll(timeout * 1000):
            raise TimedOut
