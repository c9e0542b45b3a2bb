"""Which connections a server of waitress keeps.

waitress takes a number of connections and then none until one of them ends, and clients may take
all the time they like. So whoever opens connections and leaves them as they are shuts out everybody
else. Here each thing that a client owes the server has its time, and where there are too many
connections, or they hold too much memory, those are closed that have waited longest for their
client. Whatever waits for the server itself is left alone.

All of it happens between two rounds of the main loop, in the thread that owns the connections.
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

MOST_HELD = 134_217_728
"""Bytes of bodies and answers that all connections may hold together, in memory."""
SLOWEST_BODY = 1024
"""Bytes a second that a body has to come with, beyond the time that a head may take."""
_PERIOD, _BRIEF = 0.5, 0.05
"""Seconds between two looks: usually, and where connections or files are short."""
_FILES_FOR_THREAD, _FILES_FOR_REST = 16, 64
"""Open files set aside: for a thread (its store, a worker's pipes), and for all else."""
_FILES_LEFT = 8
"""Numbers of files that are always free: without any, not even an error could be handled."""
_WORTH_CLOSING = 131_072
"""Bytes that a connection must hold to be closed for the sake of memory."""
_MOMENT = 0.25
"""Seconds for which a new connection is not closed to make room: its request is on its way."""
_FOR_ANSWER = 1.0
"""Seconds for which a client that takes an answer counts as having waited less than others."""
_SECONDS_BETWEEN_WARNINGS = 60.0


def sockets_of(server: Any) -> dict[int, Any]:
    """Return all that a server listens to and talks to; waitress has two kinds of servers."""
    sockets: dict[int, Any] = server.map if hasattr(server, "map") else server._map
    return sockets


def listeners_of(sockets: dict[int, Any]) -> list[BaseWSGIServer]:
    """Return the servers that accept connections: one for each address."""
    return [entry for entry in sockets.values() if isinstance(entry, BaseWSGIServer)]


def channels_of(sockets: dict[int, Any]) -> list[HTTPChannel]:
    """Return the connections."""
    return [entry for entry in sockets.values() if isinstance(entry, HTTPChannel)]


def allow_files(http: HttpConfig) -> None:
    """Raise the process's own limit of open files to what its connections need, where it may."""
    if resource is None:
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    needed = http.max_connections + _files_set_aside(http)
    if hard != resource.RLIM_INFINITY:
        needed = min(needed, hard)
    if soft != resource.RLIM_INFINITY and soft < needed:
        resource.setrlimit(resource.RLIMIT_NOFILE, (needed, hard))


def most_connections(http: HttpConfig) -> int:
    """Return the largest number of connections: as configured, or as the limit of files allows."""
    files = _most_files()
    return min(http.max_connections, max(files // 2, files - _files_set_aside(http)))


def _files_set_aside(http: HttpConfig) -> int:
    return http.threads * _FILES_FOR_THREAD + _FILES_FOR_REST


def _most_files() -> int:
    if resource is None:
        return sys.maxsize
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return sys.maxsize if soft == resource.RLIM_INFINITY else soft


class _Debt(NamedTuple):
    """What a client owes: ``state`` changes when it gives something, ``seconds`` is its time."""

    what: str
    state: Hashable
    seconds: float


class Connections:
    """The connections of a server, and what the clients owe it."""

    def __init__(
        self, server: Any, http: HttpConfig, clock: Callable[[], float] = time.monotonic
    ) -> None:
        """Take a server that waitress has made."""
        self._sockets = sockets_of(server)
        self._queue = server.task_dispatcher.queue
        self._http = http
        self._clock = clock
        self._most = most_connections(http)
        self._most_files = _most_files()
        self._seen: dict[tuple[HTTPChannel, str], tuple[Hashable, float]] = {}
        self._next = clock()
        self._is_stuck = False
        self._closed = 0
        self._warned = -_SECONDS_BETWEEN_WARNINGS

    def look_after(self) -> float:
        """Close what must be closed; return how many seconds the main loop may sleep.

        To be called after each round of the loop, which takes one connection at most.
        """
        is_short = self._is_short_of_files()
        now = self._clock()
        if now >= self._next or (self._is_crowded() and not self._is_stuck):
            waiting = self._close_late(now)
            if is_short or self._is_crowded():
                patient = [channel for channel, since in waiting.items() if since < now - _MOMENT]
                self._close(patient[: max(1, len(self._sockets) // 8)])
            self._free_threads(waiting)
            self._free_memory(waiting)
            self._warn(now)
            is_short = is_short and self._is_short_of_files()
            self._is_stuck = self._is_crowded()
            self._next = now + (_BRIEF if is_short or self._is_stuck or self._queue else _PERIOD)
        for listener in listeners_of(self._sockets):
            # A connection that cannot be taken would wake the loop again and again.
            listener.accepting = not is_short and len(self._sockets) < self._most
        return max(0.0, self._next - now)

    def _is_crowded(self) -> bool:
        return len(self._sockets) > self._most * 7 // 8

    def _close_late(self, now: float) -> dict[HTTPChannel, float]:
        """Close connections whose client's time is up.

        Gives the others that wait for their clients, and since when; the longest waiting first.
        """
        seen, waiting, late = {}, {}, []
        for channel in channels_of(self._sockets):
            begun, ends = [], []
            for debt in self._debts(channel):
                key = (channel, debt.what)
                state, since = self._seen.get(key, (None, now))
                seen[key] = debt.state, since if state == debt.state else now
                begun.append(seen[key][1])
                ends.append(seen[key][1] + debt.seconds)
            if ends and min(ends) < now:
                late.append(channel)
            elif ends:
                # Who is in the midst of an answer is not to lose it in a crowd.
                waiting[channel] = begun[0] + (_FOR_ANSWER if channel.total_outbufs_len else 0.0)
        self._seen = seen
        _end(late)
        return dict(sorted(waiting.items(), key=lambda item: item[1]))

    def _debts(self, channel: HTTPChannel) -> Iterator[_Debt]:
        """Yield what the server waits for from a client, unless the client waits for the server."""
        patience = self._http.client_timeout
        unsent = channel.total_outbufs_len
        answered = channel.requests[:1]
        if unsent:
            yield _Debt("to take of its answer", unsent, patience)
            if answered and unsent > channel.adj.outbuf_high_watermark:
                # The thread sleeps, and cannot find out itself that its request's time is up.
                deadline = self._http.request_deadline or float("inf")
                yield _Debt("to free a thread", answered[0], deadline)
        elif answered:
            return
        elif channel.request is None:
            yield _Debt("a request", channel.last_activity, self._http.keep_alive)
        elif channel.request.headers_finished:
            due = channel.request.body_bytes_received / SLOWEST_BODY
            yield _Debt("a body", channel.request, patience + due)
        else:
            yield _Debt("a head", channel.request, patience)

    def _free_threads(self, waiting: Iterable[HTTPChannel]) -> None:
        """Limit the threads that wait for slow clients to half while requests wait."""
        holding = [channel for channel in waiting if _holds_thread(channel)]
        if self._queue:
            self._close(holding[: max(0, len(holding) - self._http.threads // 2)])

    def _free_memory(self, waiting: Iterable[HTTPChannel]) -> None:
        held = {channel: _held(channel) for channel in channels_of(self._sockets)}
        excess = sum(held.values()) - MOST_HELD
        for channel in waiting:
            if excess > 0 and held.get(channel, 0) > _WORTH_CLOSING:
                excess -= held[channel]
                self._close([channel])

    def _is_short_of_files(self) -> bool:
        """Return whether hardly any file can be opened, by the lowest free number."""
        if resource is None or not self._sockets:
            return False
        try:
            number = os.dup(next(iter(self._sockets)))
        except OSError:
            return True
        os.close(number)
        return number >= self._most_files - _FILES_LEFT

    def _close(self, channels: Sequence[HTTPChannel]) -> None:
        """Close connections whose time is not up yet, since others need what they hold."""
        self._closed += len(channels)
        _end(channels)

    def _warn(self, now: float) -> None:
        if self._closed and now - self._warned >= _SECONDS_BETWEEN_WARNINGS:
            logger.warning(
                "closed %d connections that waited longest for their clients, to make room",
                self._closed,
            )
            self._closed, self._warned = 0, now


def _end(channels: Iterable[HTTPChannel]) -> None:
    for channel in channels:
        if channel.connected:
            # At once, whatever is left to send; a thread that waits for the client is woken.
            channel.handle_close()


def _holds_thread(channel: HTTPChannel) -> bool:
    """Return whether a thread waits for the client to take something."""
    return bool(channel.requests and channel.total_outbufs_len > channel.adj.outbuf_high_watermark)


def _held(channel: HTTPChannel) -> int:
    """Return the bytes that bodies and answers occupy, including sent parts of a buffer."""
    held = 0
    for request in (*channel.requests, channel.request):
        held += request.body_bytes_received if request else 0
    for outbuf in tuple(channel.outbufs):
        # The shortest answers are in no file, and files that are sent as they are in no buffer.
        file = getattr(getattr(outbuf, "buf", None), "file", None)
        held += sys.getsizeof(file) if file else 0
    return held
