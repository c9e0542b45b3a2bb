"""Stopping a waitress server without dropping a request.

On SIGTERM or SIGINT no connection is taken any more; what has been asked by then is answered and
sent to its last byte before the server ends. waitress itself would cancel waiting requests and
leave answers in its buffers.
"""

from __future__ import annotations

import signal
import threading
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from waitress import wasyncore
from waitress.channel import HTTPChannel
from waitress.server import BaseWSGIServer

if TYPE_CHECKING:
    from collections.abc import Iterator

_POLL = 1.0
_DRAINING_POLL = 0.05
_SIGNALS = (signal.SIGTERM, signal.SIGINT)


def run_until_stopped(server: Any, grace: float) -> None:
    """Run a server of waitress until a signal asks the process to end; then drain it.

    Args:
        server: what ``waitress.create_server`` made.
        grace: seconds that running requests are given; a second signal ends them at once.
    """
    sockets = _sockets(server)
    with _stopping_on_signals(sockets) as stopping:
        while sockets and not stopping.is_set():
            # Unlike select, poll bears any number of open files.
            wasyncore.loop(_POLL, use_poll=True, map=sockets, count=1)
        drain(server, grace)


def drain(server: Any, grace: float) -> None:
    """Take no more connections, answer what was asked, and close the server."""
    sockets = _sockets(server)
    deadline = time.monotonic() + grace
    _stop_listening(server)
    idle: set[HTTPChannel] = set()
    while _let_idle_go(sockets, idle) and time.monotonic() < deadline:
        wasyncore.loop(_DRAINING_POLL, use_poll=True, map=sockets, count=1)
    server.task_dispatcher.shutdown(timeout=max(0.0, deadline - time.monotonic()))
    wasyncore.close_all(sockets)


def listeners(server: Any) -> list[BaseWSGIServer]:
    """What takes connections: one for each address."""
    return [entry for entry in _sockets(server).values() if isinstance(entry, BaseWSGIServer)]


def _sockets(server: Any) -> dict[int, Any]:
    """Waitress keeps all it listens to and talks to in one map; its two servers name it apart."""
    sockets: dict[int, Any] = server.map if hasattr(server, "map") else server._map
    return sockets


def _stop_listening(server: Any) -> None:
    sockets = _sockets(server)
    for listener in listeners(server):
        known = -1
        while len(sockets) > known:  # connections that the kernel has taken on our behalf
            known = len(sockets)
            listener.handle_accept()
        # Not the listener's own close, which takes the trigger that the threads need.
        wasyncore.dispatcher.close(listener)


def _let_idle_go(sockets: dict[int, Any], idle: set[HTTPChannel]) -> bool:
    """Close connections that were idle before and still are; tells whether any are left.

    Between two calls the loop has read what a client had sent already.
    """
    channels = [entry for entry in sockets.values() if isinstance(entry, HTTPChannel)]
    still = {channel for channel in channels if not _is_busy(channel)}
    for channel in still & idle:
        channel.will_close = True
    idle.clear()
    idle |= still
    return bool(channels)


def _is_busy(channel: HTTPChannel) -> bool:
    asked = channel.requests or channel.request is not None
    return bool(asked or channel.total_outbufs_len)


@contextmanager
def _stopping_on_signals(sockets: dict[int, Any]) -> Iterator[threading.Event]:
    """An event that SIGTERM and SIGINT set; the loop is woken to see it."""
    stopping = threading.Event()
    if threading.current_thread() is not threading.main_thread():
        yield stopping  # Python lets the main thread alone have signal handlers.
        return

    def stop(_signal: int, _frame: object) -> None:
        if stopping.is_set():
            raise SystemExit(1)
        stopping.set()
        _wake(sockets)

    previous = {number: signal.signal(number, stop) for number in _SIGNALS}
    try:
        yield stopping
    finally:
        for number, handler in previous.items():
            signal.signal(number, handler)


def _wake(sockets: dict[int, Any]) -> None:
    for entry in list(sockets.values()):
        if isinstance(entry, BaseWSGIServer):
            entry.pull_trigger()
            return
