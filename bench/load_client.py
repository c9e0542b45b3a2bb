"""Clients of the load benchmark: coroutines that send a request and read its answer."""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass, field

TIMEOUT = 120.0
"""Seconds that a client waits for an answer."""
_LONGEST = 1 << 26
_BAD_REQUEST = 400


@dataclass(frozen=True)
class Request:
    """A request as bytes. ``kind`` names it in the report.

    ``is_hostile`` marks a request that needs no answer or only an error, ``is_abandoned`` one whose
    client disconnects without reading, and ``is_half_closed`` one whose client closes its sending
    side.
    """

    kind: str
    data: bytes
    is_hostile: bool = False
    is_abandoned: bool = False
    is_half_closed: bool = False


@dataclass(frozen=True)
class Failure:
    """A request that was not answered correctly, and the port of its client.

    The port is 0 if the client could not connect.
    """

    text: str
    port: int


@dataclass
class Tally:
    """The outcomes of the requests."""

    seconds: dict[str, list[float]] = field(default_factory=dict)
    statuses: dict[str, int] = field(default_factory=dict)
    failures: list[Failure] = field(default_factory=list)

    def record(self, request: Request, status: int, head: bytes, seconds: float, port: int) -> None:
        """Record an answer."""
        key = f"{request.kind} {status}"
        self.statuses[key] = self.statuses.get(key, 0) + 1
        if status < _BAD_REQUEST:
            self.seconds.setdefault(request.kind, []).append(seconds)
        is_broken = status >= 500 and status != 503
        if is_broken or b"internal_api_error" in head:
            text = f"{request.kind}: {head[:300]!r} for {request.data[:300]!r}"
            self.failures.append(Failure(text, port))

    def record_failure(self, request: Request, error: Exception, port: int) -> None:
        """Record that no answer came; for a request that is not hostile, this is a failure."""
        key = f"{request.kind} {type(error).__name__}"
        self.statuses[key] = self.statuses.get(key, 0) + 1
        if not request.is_hostile:
            text = f"{request.kind}: {error!r} for {request.data[:300]!r}"
            self.failures.append(Failure(text, port))


class Client:
    """A keep-alive connection that is opened again whenever it has been closed."""

    def __init__(self, port: int, tally: Tally) -> None:
        """Initialise a client, which connects with its first request."""
        self._port = port
        self._tally = tally
        self._reader: asyncio.StreamReader | None = None
        self._writer: asyncio.StreamWriter | None = None
        self._own_port = 0

    async def send(self, request: Request) -> None:
        """Send a request and record its outcome."""
        start = time.perf_counter()
        try:
            async with asyncio.timeout(TIMEOUT):
                head = await self._exchange(request)
        except (OSError, ValueError, EOFError, TimeoutError) as error:
            self.close()
            self._tally.record_failure(request, error, self._own_port)
            return
        if head:
            status = int(head.split(b" ", 2)[1])
            seconds = time.perf_counter() - start
            self._tally.record(request, status, head, seconds, self._own_port)

    def close(self) -> None:
        """Close the connection."""
        if self._writer is not None:
            self._writer.close()
        self._reader = self._writer = None

    async def _exchange(self, request: Request) -> bytes:
        if request.is_hostile:
            self.close()
        if self._reader is None or self._writer is None:
            self._own_port = 0
            self._reader, self._writer = await asyncio.open_connection(
                "127.0.0.1", self._port, limit=_LONGEST
            )
            self._own_port = self._writer.get_extra_info("sockname")[1]
        self._writer.write(request.data)
        if request.is_half_closed:
            self._writer.write_eof()
        if request.is_abandoned:
            await asyncio.sleep(0)
            self._writer.transport.abort()
            self._reader = self._writer = None
            return b""
        head = await self._reader.readuntil(b"\r\n\r\n")
        await _read_body(self._reader, head.lower())
        if request.is_hostile or b"\r\nconnection: close" in head.lower():
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
    """Send an endless request head one byte at a time, on one connection after another."""
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
