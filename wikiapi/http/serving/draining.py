"""Stops a waitress server without dropping requests.

After SIGTERM or SIGINT no connections are accepted. Requests received before are answered
completely before the server ends. waitress itself would cancel waiting requests and discard answers
in its buffers.
"""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from waitress import wasyncore

from wikiapi.http.serving.connections import Connections, channels_of, listeners_of, sockets_of

if TYPE_CHECKING:
    from waitress.channel import HTTPChannel


_DRAINING_POLL = 0.05
_UNTIL_IDLE = 1.0
"""Seconds for which a client may have been connected, or answered, before its connection counts as
idle: it may just be sending a request, and many clients do not repeat one that is lost."""
STOPPING = (signal.SIGTERM, signal.SIGINT)
"""The signals that stop a server of a single process."""


def run_until_stopped(
    server: Any,
    connections: Connections,
    grace: float,
    keep_running: Callable[[], bool] = lambda: True,
    signals: Sequence[signal.Signals] = STOPPING,
) -> None:
    """Run a waitress server until a signal arrives; then drain it.

    Args:
        server: a server created by ``waitress.create_server``.
        connections: its connections.
        grace: seconds in which running requests may finish. A second signal ends them at once,
            unless it is SIGTERM, which programs that manage processes may send several times.
        keep_running: called in each round of the loop; the server stops if it returns false.
        signals: the signals that stop the server.
    """
    sockets = sockets_of(server)
    pause = 0.0
    with _stopping_on_signals(sockets, signals) as stopping:
        while sockets and keep_running() and not stopping.is_set():
            # Unlike select, poll supports any number of open files.
            wasyncore.loop(pause, use_poll=True, map=sockets, count=1)
            pause = connections.look_after()
        drain(server, connections, grace)


def drain(server: Any, connections: Connections, grace: float) -> None:
    """Accept no more connections, answer the received requests, and close the server.

    Clients that keep their connections learn from an answer that it is the last one.
    """
    sockets = sockets_of(server)
    deadline = time.monotonic() + grace
    for listener in listeners_of(sockets):
        for _ in range(listener.adj.backlog):  # connections that the kernel has already accepted
            before = len(sockets)
            listener.handle_accept()
            if len(sockets) == before:
                break
        # Not the listener's own close, which also closes the trigger that the threads need.
        wasyncore.dispatcher.close(listener)
    for channel in channels_of(sockets):
        channel.is_draining = True
    idle: dict[HTTPChannel, float] = {}
    while (channels := channels_of(sockets)) and (now := time.monotonic()) < deadline:
        idle = {channel: idle.get(channel, now) for channel in channels if not _is_busy(channel)}
        for channel, since in idle.items():
            if now - since >= _UNTIL_IDLE:
                channel.handle_close()
        wasyncore.loop(_DRAINING_POLL, use_poll=True, map=sockets, count=1)
        connections.look_after()
    server.task_dispatcher.shutdown(timeout=max(0.0, deadline - time.monotonic()))
    wasyncore.close_all(sockets)


def _is_busy(channel: HTTPChannel) -> bool:
    has_request = channel.requests or channel.request is not None
    return bool(has_request or channel.total_outbufs_len)


@contextmanager
def _stopping_on_signals(
    sockets: dict[int, Any], signals: Sequence[signal.Signals]
) -> Iterator[threading.Event]:
    """Yield an event that is set by the signals, which also wake the loop."""
    stopping = threading.Event()
    if threading.current_thread() is not threading.main_thread():
        yield stopping  # Only the main thread can have signal handlers.
        return

    def stop(number: int, _frame: object) -> None:
        if stopping.is_set() and number != signal.SIGTERM:
            raise SystemExit(1)
        stopping.set()
        for listener in listeners_of(sockets)[:1]:
            listener.pull_trigger()

    previous = {number: signal.signal(number, stop) for number in signals}
    try:
        yield stopping
    finally:
        for number, handler in previous.items():
            signal.signal(number, handler)
