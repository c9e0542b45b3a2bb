"""Serves a wiki on a port from a thread of the test, for clients that need a socket."""

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
    """Serve an application until the block is left; yield ``http://HOST:PORT``.

    Args:
        app: the application.
        listen: address and port, by default a free local port.
        threads: number of worker threads.

    Raises:
        OSError: the port is in use.
    """
    host, _, port = listen.rpartition(":")
    # Bound before waitress starts its threads, which would continue to run if binding failed.
    listener = socket.create_server((host, int(port)))
    server = create_server(app, sockets=[listener], threads=threads)
    try:
        with serving(server):
            yield f"http://{host}:{listener.getsockname()[1]}"
    finally:
        listener.close()


@contextmanager
def serving(server: Any) -> Iterator[None]:
    """Run a waitress server in a thread until the block is left, then close it."""
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
        # Closed only now, because the loop and the worker threads use the sockets until they end.
        wasyncore.close_all(server._map)
