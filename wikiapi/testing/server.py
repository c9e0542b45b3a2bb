"""A real server in a thread of the test, for clients that want a socket to talk to."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from wsgiref.types import WSGIApplication

from waitress import wasyncore
from waitress.server import create_server

ANY_PORT = "127.0.0.1:0"
_POLL = 1.0


@contextmanager
def live_server(app: WSGIApplication, listen: str = ANY_PORT, *, threads: int = 4) -> Iterator[str]:
    """Serve an application inside the block; yield ``http://HOST:PORT``.

    Args:
        app: the application.
        listen: address and port; any free port when not given.
        threads: number of worker threads.

    Raises:
        OSError: the port is taken.
    """
    host, _, port = listen.rpartition(":")
    # Bound before waitress starts its workers, which outlive a failure to bind.
    listener = socket.create_server((host, int(port)))
    server = create_server(app, sockets=[listener], threads=threads)
    try:
        with serving(server):
            yield f"http://{host}:{listener.getsockname()[1]}"
    finally:
        listener.close()


@contextmanager
def serving(server: Any) -> Iterator[None]:
    """Run a server of waitress in a thread until the block is left; then it is closed."""
    stopping = threading.Event()

    def run() -> None:
        while not stopping.is_set():
            wasyncore.loop(_POLL, use_poll=True, map=server._map, count=1)

    loop = threading.Thread(target=run, name="wikiapi-live-server")
    loop.start()
    try:
        yield
    finally:
        stopping.set()
        server.pull_trigger()
        loop.join()
        server.task_dispatcher.shutdown()
        # Loop and workers would trip over sockets, or the trigger, that are closed before they end.
        wasyncore.close_all(server._map)
