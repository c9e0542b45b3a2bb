"""Limits the connections of a waitress server.

waitress accepts a number of connections, and then no more until one of them ends, and gives clients
unlimited time. A client that opens many connections and leaves them idle would lock out all others.
Here everything that the server awaits from a client has a time limit. If there are too many
connections, or they use too much memory, those that have waited longest for their client are
closed. Connections that wait for the server are never closed.

All of this happens between two rounds of the main loop, in the thread that owns the connections.
"""

from __future__ import annotations

import logging
import os
import sys
import time
from typing import Any, NamedTuple

from waitress.channel import HTTPChannel
from waitress.server import BaseWSGIServer

try:
    import resource
except ImportError:  # Windows, which has no such limit
    resource = None  # type: ignore[assignment]

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence

from wikiapi.config import HttpConfig

logger = logging.getLogger(__name__)

MAX_BUFFERED_BYTES = 134_217_728
"""Maximum total size in memory of the bodies and answers of all connections, in bytes."""
SLOWEST_BODY = 1024
"""Minimum rate in bytes per second at which a body must arrive, after the time for a head."""
_PERIOD, _BRIEF = 0.5, 0.05
"""Seconds between two checks: normally, and if connections or files are scarce."""
_FILES_FOR_THREAD, _FILES_FOR_REST = 16, 64
"""Open files reserved for each thread (its store, a worker's pipes), and for everything else."""
_FILES_LEFT = 8
"""Number of open files that are always left free, since even handling an error requires some."""
_WORTH_CLOSING = 131_072
"""Minimum number of bytes that a connection must hold to be closed to free memory."""
_MOMENT = 0.25
"""Seconds for which a new connection is not closed to make room, as its request may follow."""
_FOR_ANSWER = 1.0
"""Seconds by which the waiting time of a client that is receiving an answer is reduced."""
_SECONDS_BETWEEN_WARNINGS = 60.0


def sockets_of(server: Any) -> dict[int, Any]:
    """Return the sockets of a server by file number; waitress has two kinds of servers."""
    sockets: dict[int, Any] = server.map if hasattr(server, "map") else server._map
    return sockets


def listeners_of(sockets: dict[int, Any]) -> list[BaseWSGIServer]:
    """Return the sockets that accept connections, one for each address."""
    return [entry for entry in sockets.values() if isinstance(entry, BaseWSGIServer)]


def channels_of(sockets: dict[int, Any]) -> list[HTTPChannel]:
    """Return the sockets that are connections to clients."""
    return [entry for entry in sockets.values() if isinstance(entry, HTTPChannel)]


def allow_files(http: HttpConfig) -> None:
    """Raise the process's limit of open files to what its connections need, as far as possible."""
    if resource is None:
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    needed = http.max_connections + _files_set_aside(http)
    if hard != resource.RLIM_INFINITY:
        needed = min(needed, hard)
    if soft != resource.RLIM_INFINITY and soft < needed:
        resource.setrlimit(resource.RLIMIT_NOFILE, (needed, hard))


def most_connections(http: HttpConfig) -> int:
    """Return the maximum number of connections, by the settings and the limit of open files."""
    files = _most_files()
    return min(http.max_connections, max(files // 2, files - _files_set_aside(http)))


def _files_set_aside(http: HttpConfig) -> int:
    return http.threads * _FILES_FOR_THREAD + _FILES_FOR_REST


def _most_files() -> int:
    if resource is None:
        return sys.maxsize
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return sys.maxsize if soft == resource.RLIM_INFINITY else soft


class _Awaited(NamedTuple):
    """Something that the server awaits from a client, within a number of seconds.

    The time starts again when ``state`` changes, which shows that the client has made progress.
    """

    what: str
    state: Hashable
    seconds: float


class Connections:
    """The connections of a server, and what it awaits from their clients."""

    def __init__(
        self,
        server: Any,
        http: HttpConfig,
        clock: Callable[[], float] = time.monotonic,
        on_count: Callable[[int | None], None] | None = None,
    ) -> None:
        """Take a server that waitress has created.

        ``on_count`` is called with the number of open sockets after each round of the main loop,
        or ``None`` if the server no longer accepts connections.
        """
        self._sockets = sockets_of(server)
        self._queue = server.task_dispatcher.queue
        self._http = http
        self._clock = clock
        self._on_count = on_count
        self._most = most_connections(http)
        self._most_files = _most_files()
        self._states: dict[tuple[HTTPChannel, str], tuple[Hashable, float]] = {}
        self._next = clock()
        self._is_stuck = False
        self._closed = 0
        self._warned = -_SECONDS_BETWEEN_WARNINGS

    def look_after(self) -> float:
        """Close connections if necessary; return how many seconds the main loop may sleep.

        Must be called after each round of the loop, which accepts at most one connection.
        """
        listeners = listeners_of(self._sockets)
        if self._on_count is not None:
            self._on_count(len(self._sockets) if listeners else None)
        is_short = self._is_short_of_files()
        now = self._clock()
        if now >= self._next or (self._is_crowded() and not self._is_stuck):
            waiting = self._close_late(now)
            if is_short or self._is_crowded():
                patient = [channel for channel, since in waiting.items() if since < now - _MOMENT]
                self._close(patient[: max(1, len(self._sockets) // 8)])
            self._free_threads(waiting)
            self._free_memory(waiting)
            if self._closed and now - self._warned >= _SECONDS_BETWEEN_WARNINGS:
                logger.warning(
                    "closed %d connections that waited longest for their clients, to make room",
                    self._closed,
                )
                self._closed, self._warned = 0, now
            is_short = is_short and self._is_short_of_files()
            self._is_stuck = self._is_crowded()
            self._next = now + (_BRIEF if is_short or self._is_stuck or self._queue else _PERIOD)
        for listener in listeners:
            # A connection that cannot be accepted would wake the loop again and again.
            listener.accepting = not is_short and len(self._sockets) < self._most
        return max(0.0, self._next - now)

    def _is_crowded(self) -> bool:
        return len(self._sockets) > self._most * 7 // 8

    def _close_late(self, now: float) -> dict[HTTPChannel, float]:
        """Close the connections whose clients have exceeded a time limit.

        Returns the others that wait for their clients, longest first, with the start of the wait.
        """
        states, waiting, late = {}, {}, []
        for channel in channels_of(self._sockets):
            begun, ends = [], []
            for awaited in self._awaited_from(channel):
                key = (channel, awaited.what)
                state, since = self._states.get(key, (None, now))
                states[key] = awaited.state, since if state == awaited.state else now
                begun.append(states[key][1])
                ends.append(states[key][1] + awaited.seconds)
            if ends and min(ends) < now:
                late.append(channel)
            elif ends:
                # A client that is receiving an answer should not lose it when there are many.
                waiting[channel] = begun[0] + (_FOR_ANSWER if channel.total_outbufs_len else 0.0)
        self._states = states
        _end(late)
        return dict(sorted(waiting.items(), key=lambda item: item[1]))

    def _awaited_from(self, channel: HTTPChannel) -> Iterator[_Awaited]:
        """Yield what the server awaits from a client, unless the client waits for the server."""
        patience = self._http.client_timeout
        unsent = channel.total_outbufs_len
        answered = channel.requests[:1]
        if unsent:
            yield _Awaited("progress in receiving an answer", unsent, patience)
            if answered and unsent > channel.adj.outbuf_high_watermark:
                # The thread sleeps, so it cannot notice that the time for its request is up.
                deadline = self._http.request_deadline or float("inf")
                yield _Awaited("release of a thread", answered[0], deadline)
        elif answered:
            return
        elif channel.request is None:
            yield _Awaited("a request", channel.last_activity, self._http.keep_alive)
        elif channel.request.headers_finished:
            due = channel.request.body_bytes_received / SLOWEST_BODY
            yield _Awaited("a body", channel.request, patience + due)
        else:
            yield _Awaited("a head", channel.request, patience)

    def _free_threads(self, waiting: Iterable[HTTPChannel]) -> None:
        """While requests wait, limit the threads that wait for slow clients to half of all."""
        # A thread waits for these clients to receive data.
        holding = [
            channel
            for channel in waiting
            if channel.requests and channel.total_outbufs_len > channel.adj.outbuf_high_watermark
        ]
        if self._queue:
            self._close(holding[: max(0, len(holding) - self._http.threads // 2)])

    def _free_memory(self, waiting: Iterable[HTTPChannel]) -> None:
        held = {channel: _held(channel) for channel in channels_of(self._sockets)}
        excess = sum(held.values()) - MAX_BUFFERED_BYTES
        for channel in waiting:
            if excess > 0 and held.get(channel, 0) > _WORTH_CLOSING:
                excess -= held[channel]
                self._close([channel])

    def _is_short_of_files(self) -> bool:
        """Return whether few more files can be opened, by the lowest free file number."""
        if resource is None or not self._sockets:
            return False
        try:
            number = os.dup(next(iter(self._sockets)))
        except OSError:
            return True
        os.close(number)
        return number >= self._most_files - _FILES_LEFT

    def _close(self, channels: Sequence[HTTPChannel]) -> None:
        """Close connections within their time limits, to make room for others."""
        self._closed += len(channels)
        _end(channels)


def _end(channels: Iterable[HTTPChannel]) -> None:
    for channel in channels:
        if channel.connected:
            # This discards what is left to send, and wakes a thread that waits for the client.
            channel.handle_close()


def _held(channel: HTTPChannel) -> int:
    """Return the memory used by bodies and answers in bytes, including sent parts of a buffer."""
    held = 0
    for request in (*channel.requests, channel.request):
        held += request.body_bytes_received if request else 0
    for outbuf in tuple(channel.outbufs):
        # The shortest answers are not in a file, and files that are sent directly have no buffer.
        file = getattr(getattr(outbuf, "buf", None), "file", None)
        held += sys.getsizeof(file) if file else 0
    return held
