"""Serving a WSGI application with waitress."""

from __future__ import annotations

import signal
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import waitress

from wikiapi.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from wsgiref.types import WSGIApplication

MAX_HEADER_BYTES = 65_536
_SLACK = 65_536
_LAST_PORT = 65_535


def create_server(
    app: WSGIApplication, listen: str, *, threads: int, max_body: int = 12_582_912
) -> Any:
    """A waitress server bound to ``HOST:PORT`` (port 0 for any free one), not yet running.

    Headers that proxies add are passed on untouched: the application itself decides which proxies
    it trusts, and must see that a request came through one it does not know.

    Raises:
        ConfigError: the address cannot be used.
    """
    _check_port(listen)
    try:
        return waitress.create_server(
            app,
            listen=listen,
            threads=threads,
            ident="wikiapi",
            clear_untrusted_proxy_headers=False,
            max_request_header_size=MAX_HEADER_BYTES,
            # The application refuses larger bodies itself; this spares reading them to the end.
            max_request_body_size=max_body + _SLACK,
            expose_tracebacks=False,
        )
    except (OSError, ValueError) as error:
        raise ConfigError(f"cannot listen on {listen!r}: {error}") from error


def _check_port(listen: str) -> None:
    """The resolver takes a port beyond 16 bits for another one, without a word."""
    _, colon, port = listen.rpartition(":")
    if not colon or not (port.isascii() and port.isdigit()) or int(port[:6]) > _LAST_PORT:
        raise ConfigError(f"cannot listen on {listen!r}: it must be HOST:PORT")


def serve(
    app: WSGIApplication, listen: str, threads: int = 4, *, max_body: int = 12_582_912
) -> None:
    """Serve until the process is told to end (SIGINT or SIGTERM); running requests are finished.

    Raises:
        ConfigError: the address cannot be used.
    """
    server = create_server(app, listen, threads=threads, max_body=max_body)
    with _stopping_on_sigterm():
        server.run()


@contextmanager
def _stopping_on_sigterm() -> Iterator[None]:
    """Treat SIGTERM as waitress treats an interrupt: it stops the workers and returns."""
    if threading.current_thread() is not threading.main_thread():
        yield  # Python lets the main thread alone have signal handlers.
        return

    def stop(_signal: int, _frame: object) -> None:
        raise SystemExit(0)

    previous = signal.signal(signal.SIGTERM, stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, previous)
