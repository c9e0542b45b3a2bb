"""Threads that stay with a connection for a moment after they have answered on it.

A client that goes through a list asks again as soon as it has its answer. Through waitress's main
loop, each of its requests wakes two threads, one after the other, which takes longer than many a
request. The thread that answered is awake already: it reads the next request itself, and gives the
connection back to the loop if none comes, or if anybody else would have to wait for the thread.
"""

from __future__ import annotations

import select
import socket
import weakref
from contextlib import suppress
from time import perf_counter
from typing import TYPE_CHECKING, Any

from waitress.task import ThreadedTaskDispatcher

from wikiapi.processors import processors

if TYPE_CHECKING:
    from waitress.channel import HTTPChannel
    from waitress.server import BaseWSGIServer

PATIENCE = 0.02
"""Seconds that a thread waits for the next request of a client."""
ATTENTION = 0.0003
"""Seconds at its beginning in which the thread stays awake, as long as no other one is at work.

Quick clients need no more. A processor that is woken starts slowly, without what it had at hand: it
takes a third longer for a short request.
"""
_CAN_WAIT = hasattr(select, "poll")


class LingeringDispatcher(ThreadedTaskDispatcher):  # type: ignore[misc]
    """Threads that answer requests, one of which is always left for other clients."""

    def __init__(self) -> None:
        """Begin without threads, as waitress does."""
        super().__init__()
        self._bell = _Bell()
        # A client that has the same processor could not ask while a thread keeps it busy.
        self._may_stay_awake = processors() > 1
        self._lingering = 0
        self._hurried = not _CAN_WAIT

    def add_task(self, task: HTTPChannel) -> None:
        """Have a request answered, by a thread that lingers if no other is free."""
        super().add_task(task)
        if self._lingering and self.is_short:
            self._bell.ring()

    @property
    def is_short(self) -> bool:
        """Whether more requests wait than there are threads that do nothing."""
        return len(self.queue) > self._idle

    def hurry(self) -> None:
        """Let no thread linger any more."""
        self._hurried = True
        self._bell.ring_for_ever()

    def has_more(self, connection: socket.socket) -> bool:
        """Wait a moment for the client to send something; false where others come first."""
        with self.lock:
            if self._hurried or self.queue or not self._idle:
                return False
            self._lingering += 1
            stays_awake = self._may_stay_awake and self.active_count == 1
        try:
            return self._bell.silent_until(connection, PATIENCE, ATTENTION if stays_awake else 0.0)
        finally:
            with self.lock:
                self._lingering -= 1

    def shutdown(self, cancel_pending: bool = True, timeout: float = 5) -> bool:
        """End all threads; those still at work when the time is over are left alone."""
        self.hurry()
        cancelled = bool(super().shutdown(cancel_pending, timeout))
        if not self.threads:
            self._bell.close()
        return cancelled

    @property
    def _idle(self) -> int:
        return int(len(self.threads) - self.stop_count - self.active_count)


class ChannelServer:
    """The server as one of its channels sees it.

    While a thread stays with the channel, the main loop is not to answer its requests, and is woken
    only if it has something to send or to close.
    """

    def __init__(self, server: BaseWSGIServer, channel: Any) -> None:
        """Stand between the two."""
        self._server = server
        self._channel = weakref.proxy(channel)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._server, name)

    def add_task(self, channel: Any) -> None:
        """Have the channel's first request answered by any thread, unless one does already."""
        if not channel.held:
            self._server.add_task(channel)

    def pull_trigger(self) -> None:
        """Wake the main loop."""
        if not self._channel.held or self._channel.writable():
            self._server.pull_trigger()


class _Bell:
    """Calls threads that wait for their clients; each call is heard by one of them."""

    def __init__(self) -> None:
        self._hears, self._rings = socket.socketpair()
        self._hears.setblocking(False)
        self._rings.setblocking(False)

    def ring(self) -> None:
        with suppress(OSError):  # It rings already, or there is nobody left to hear it.
            self._rings.send(b"!")

    def ring_for_ever(self) -> None:
        self._rings.close()  # The other end is readable from now on.

    def silent_until(self, connection: socket.socket, seconds: float, awake: float) -> bool:
        """Whether the connection has something to read before the bell rings or the time is up.

        The thread sleeps only after it has looked for so many seconds ``awake``.
        """
        poll = select.poll()
        poll.register(connection, select.POLLIN)
        poll.register(self._hears, select.POLLIN)
        found = _watched(poll, awake) or poll.poll(seconds * 1000)
        ready = {descriptor for descriptor, _ in found}
        if self._hears.fileno() in ready:
            with suppress(OSError):  # Another thread has heard it too.
                self._hears.recv(1)
            return False
        return bool(ready)

    def close(self) -> None:
        self._hears.close()
        self._rings.close()


def _watched(poll: select.poll, seconds: float) -> list[tuple[int, int]]:
    """What is ready within so many seconds, without sleeping."""
    end = perf_counter() + seconds
    found: list[tuple[int, int]] = []
    while not found and perf_counter() < end:
        found = poll.poll(0)
    return found
