"""Clients of the load benchmark: coroutines that send bytes and read one answer at a time."""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass, field

PATIENCE = 120.0
"""Seconds after which an answer is given up."""
_LONGEST = 1 << 26
_CLIENTS_FAULT = 400


@dataclass(frozen=True)
class Asked:
    """What a client sends. ``kind`` names it in the report.

    ``is_hostile`` is for what need not be answered, or not well; ``is_left`` for a client that goes
    away without reading, ``is_half_closed`` for one that tells that it will send no more.
    """

    kind: str
    data: bytes
    is_hostile: bool = False
    is_left: bool = False
    is_half_closed: bool = False


@dataclass
class Tally:
    """What came of the requests."""

    seconds: dict[str, list[float]] = field(default_factory=dict)
    statuses: dict[str, int] = field(default_factory=dict)
    failures: list[str] = field(default_factory=list)

    def note(self, asked: Asked, status: int, head: bytes, seconds: float) -> None:
        """An answer has come."""
        key = f"{asked.kind} {status}"
        self.statuses[key] = self.statuses.get(key, 0) + 1
        if status < _CLIENTS_FAULT:
            self.seconds.setdefault(asked.kind, []).append(seconds)
        is_broken = status >= 500 and status != 503
        if is_broken or b"internal_api_error" in head:
            self.failures.append(f"{asked.kind}: {head[:300]!r} for {asked.data[:300]!r}")

    def broke(self, asked: Asked, error: Exception) -> None:
        """No answer has come, which only a hostile request may expect."""
        key = f"{asked.kind} {type(error).__name__}"
        self.statuses[key] = self.statuses.get(key, 0) + 1
        if not asked.is_hostile:
            self.failures.append(f"{asked.kind}: {error!r} for {asked.data[:300]!r}")


class Client:
    """A keep-alive connection that is opened anew whenever it has been closed."""

    def __init__(self, port: int, tally: Tally) -> None:
        """Connect when the first request is sent."""
        self._port = port
        self._tally = tally
        self._reader: asyncio.StreamReader | None = None
        self._writer: asyncio.StreamWriter | None = None

    async def send(self, asked: Asked) -> None:
        """Send a request and note what comes of it."""
        start = time.perf_counter()
        try:
            async with asyncio.timeout(PATIENCE):
                head = await self._exchange(asked)
        except (OSError, ValueError, EOFError, TimeoutError) as error:
            self.close()
            self._tally.broke(asked, error)
            return
        if head:
            status = int(head.split(b" ", 2)[1])
            self._tally.note(asked, status, head, time.perf_counter() - start)

    def close(self) -> None:
        """Close the connection."""
        if self._writer is not None:
            self._writer.close()
        self._reader = self._writer = None

    async def _exchange(self, asked: Asked) -> bytes:
        if asked.is_hostile:
            self.close()
        if self._reader is None or self._writer is None:
            self._reader, self._writer = await asyncio.open_connection(
                "127.0.0.1", self._port, limit=_LONGEST
            )
        self._writer.write(asked.data)
        if asked.is_half_closed:
            self._writer.write_eof()
        if asked.is_left:
            await asyncio.sleep(0)
            self._writer.transport.abort()
            self._reader = self._writer = None
            return b""
        head = await self._reader.readuntil(b"\r\n\r\n")
        await _read_body(self._reader, head.lower())
        if asked.is_hostile or b"\r\nconnection: close" in head.lower():
            self.close()
        return head


async def _read_body(reader: asyncio.StreamReader, head: bytes) -> None:
    _, announced, length = head.partition(b"\r\ncontent-length:")
    if announced:
        await reader.readexactly(int(length.split(b"\r\n", 1)[0]))
    elif b"transfer-encoding: chunked" in head:
        while size := int(await reader.readuntil(b"\r\n"), 16):
            await reader.readexactly(size + 2)
        await reader.readexactly(2)


async def trickle(port: int, seconds: float) -> None:
    """Send a request's head a byte at a time, without end, on connection after connection."""
    ends = time.monotonic() + seconds
    while time.monotonic() < ends:
        try:
            _, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(b"GET /w/api.php HTTP/1.1\r\nX-Slow: ")
            while time.monotonic() < ends and not writer.is_closing():
                writer.write(b"x")
                await writer.drain()
                await asyncio.sleep(0.5)
            writer.close()
        except OSError:
            await asyncio.sleep(0.5)
