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
        grace: seconds in which running requests may finish; a second signal ends them at once.
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
    """Accept no more connections, answer the received requests, and close the server."""
    sockets = sockets_of(server)
    deadline = time.monotonic() + grace
    _stop_listening(sockets)
    idle: set[HTTPChannel] = set()
    while _close_idle(sockets, idle) and time.monotonic() < deadline:
        wasyncore.loop(_DRAINING_POLL, use_poll=True, map=sockets, count=1)
        connections.look_after()
    server.task_dispatcher.shutdown(timeout=max(0.0, deadline - time.monotonic()))
    wasyncore.close_all(sockets)


def _stop_listening(sockets: dict[int, Any]) -> None:
    for listener in listeners_of(sockets):
        for _ in range(listener.adj.backlog):  # connections that the kernel has already accepted
            known = len(sockets)
            listener.handle_accept()
            if len(sockets) == known:
                break
        # Not the listener's own close, which also closes the trigger that the threads need.
        wasyncore.dispatcher.close(listener)


def _close_idle(sockets: dict[int, Any], idle: set[HTTPChannel]) -> bool:
    """Close connections that are idle as they were in the last call; return whether any are left.

    Between two calls, the loop reads what clients have already sent.
    """
    channels = channels_of(sockets)
    still = {channel for channel in channels if not _is_busy(channel)}
    for channel in still & idle:
        channel.handle_close()
    idle.clear()
    idle |= still
    return bool(channels)


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

    def stop(_signal: int, _frame: object) -> None:
        if stopping.is_set():
            raise SystemExit(1)
        stopping.set()
        _wake(sockets)

    previous = {number: signal.signal(number, stop) for number in signals}
    try:
        yield stopping
    finally:
        for number, handler in previous.items():
            signal.signal(number, handler)


def _wake(sockets: dict[int, Any]) -> None:
    for listener in listeners_of(sockets)[:1]:
        listener.pull_trigger()
