"""Serving a WSGI application with waitress."""

from __future__ import annotations

import ctypes
import gc
import logging
import os
import socket
import sys
from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack, suppress
from io import RawIOBase
from signal import Signals
from typing import Any
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

import waitress
from waitress.adjustments import Adjustments
from waitress.channel import HTTPChannel
from waitress.parser import HTTPRequestParser, ParsingError
from waitress.task import ErrorTask, Task, WSGITask
from waitress.utilities import BadRequest, RequestEntityTooLarge

from wikiapi.config import HttpConfig
from wikiapi.errors import ConfigError
from wikiapi.http.errors import BODY, too_large
from wikiapi.http.reply import Page
from wikiapi.http.serving.connections import (
    Connections,
    allow_files,
    listeners_of,
    most_connections,
    sockets_of,
)
from wikiapi.http.serving.draining import STOPPING, run_until_stopped

MAX_HEADER_BYTES = 65_536
SLACK = 65_536
"""By how much waitress's own limits exceed those that the application enforces."""
_IN_MEMORY = 1 << 40
"""Bytes from which waitress takes a temporary file: never, since it cannot bear a full disk."""
_LAST_PORT = 65_535
_BACKLOG = 1024
"""Connections that wait for processes which share a socket."""
_FRAMING = 65_536
"""Bytes that a body in chunks may have besides its content, of which an eighth comes on top."""


class Parser(HTTPRequestParser):  # type: ignore[misc]
    """Reads a request as waitress does, and refuses two kinds that waitress does not.

    An exception in the main loop would close the connection without an answer, and a line of a
    chunk or trailer that never ends is searched anew with each piece that comes.
    """

    completed: bool

    def parse_header(self, header_plus: bytes) -> None:
        """Read first line and fields.

        Raises:
            ParsingError: they are malformed.
            TransferEncodingNotImplemented: the body is in an encoding that is not known.
        """
        try:
            super().parse_header(header_plus)
        except ValueError as error:  # a host in half a pair of brackets, a length of 5000 digits
            raise ParsingError("The request's head is malformed") from error

    def received(self, data: bytes) -> int:
        """Take the received bytes; return how many of them belong to this request."""
        taken = int(super().received(data))
        if self.chunked and not self.completed:
            content = len(self.body_rcv)
            if self.body_bytes_received - content > _FRAMING + content // 8:
                self.error = BadRequest("The chunks of the body are malformed")
                self.completed = True
        return taken


class _Unread(RawIOBase):
    """The input of a request whose body has not been received, since it is too large."""

    def readable(self) -> bool:
        return True

    def readinto(self, _: object) -> int:
        raise too_large(BODY)


class _TooLarge(WSGITask):  # type: ignore[misc]
    """Calls the application, which refuses a body that has not been received."""

    def execute(self) -> None:
        """Call the application; the connection ends with its answer, as the body may follow."""
        self.set_close_on_finish()
        super().execute()

    def get_environment(self) -> WSGIEnvironment:
        """Return the environment, with the size that the body was going to have."""
        environ: WSGIEnvironment = super().get_environment()
        size = max(self.request.content_length, self.request.body_bytes_received)
        return environ | {"CONTENT_LENGTH": str(size), "wsgi.input": _Unread()}


def _task_of(channel: HTTPChannel, request: HTTPRequestParser) -> Task:
    """Return what answers a request that waitress does not pass on."""
    kind = _TooLarge if isinstance(request.error, RequestEntityTooLarge) else ErrorTask
    return kind(channel, request)


class Channel(HTTPChannel):  # type: ignore[misc]
    """A connection as waitress has it, with our parser, and answers of the application."""

    parser_class = Parser
    error_task_class = staticmethod(_task_of)


def create_server(
    app: WSGIApplication, http: HttpConfig, sockets: Sequence[socket.socket] = ()
) -> Any:
    """Return a waitress server bound to ``http.listen`` (port 0 for any free one), not yet running.

    With sockets that listen already, it uses these instead.

    Headers that proxies add are passed on untouched: the application itself decides which proxies
    it trusts, and must see that a request came through one it does not know.

    Raises:
        ConfigError: the address cannot be used.
    """
    check_port(http.listen)
    where: dict[str, Any] = {"sockets": list(sockets)} if sockets else {"listen": http.listen}
    try:
        server = waitress.create_server(
            Shedding(app, lambda: len(server.task_dispatcher.queue), http.max_waiting),
            **where,
            threads=http.threads,
            ident="wikiapi",
            clear_untrusted_proxy_headers=False,
            max_request_header_size=MAX_HEADER_BYTES,
            # The application refuses larger bodies itself; this spares reading them to the end.
            max_request_body_size=http.max_body + SLACK,
            inbuf_overflow=_IN_MEMORY,
            outbuf_overflow=_IN_MEMORY,
            # Connections closes the idle ones, and stops taking more, before waitress would.
            connection_limit=most_connections(http) + SLACK,
            channel_timeout=int(http.keep_alive) + SLACK,
            expose_tracebacks=False,
        )
    except (OSError, ValueError) as error:
        raise ConfigError(f"cannot listen on {http.listen!r}: {error}") from error
    for listener in listeners_of(sockets_of(server)):
        listener.channel_class = Channel
    # It warns of every request that waits, when there is least time for it; see Shedding.
    logging.getLogger("waitress.queue").setLevel(logging.ERROR)
    return server


def check_port(listen: str) -> None:
    """Check the port: the resolver silently takes one beyond 16 bits for another one.

    Raises:
        ConfigError: there is no port, or it is too large.
    """
    _, colon, port = listen.rpartition(":")
    if not colon or not (port.isascii() and port.isdigit()) or int(port[:6]) > _LAST_PORT:
        raise ConfigError(f"cannot listen on {listen!r}: it must be HOST:PORT")


def listening_sockets(listen: str) -> list[socket.socket]:
    """Return sockets that listen at an address, which may be a name with several of them.

    Raises:
        ConfigError: the address cannot be used.
    """
    check_port(listen)
    with ExitStack() as opened:
        try:
            sockets = [
                opened.enter_context(
                    socket.create_server(address[:2], family=family, backlog=_BACKLOG)
                )
                for family, _, _, address in Adjustments(listen=listen).listen
            ]
        except (OSError, ValueError) as error:
            raise ConfigError(f"cannot listen on {listen!r}: {error}") from error
        opened.pop_all()
        return sockets


def check_free(listen: str) -> None:
    """Check that an address can be listened on, before anything that takes longer.

    Raises:
        ConfigError: the port is taken, or there is no such address.
    """
    for each in listening_sockets(listen):
        each.close()


def serve(
    app: WSGIApplication,
    http: HttpConfig,
    on_bound: Callable[[str], None] = lambda _: None,
    *,
    sockets: Sequence[socket.socket] = (),
    goes_on: Callable[[], bool] = lambda: True,
    signals: Sequence[Signals] = STOPPING,
) -> None:
    """Serve until a signal, by default SIGINT or SIGTERM; received requests are still answered.

    Args:
        app: the application.
        http: its settings.
        on_bound: gets the address, ``http://127.0.0.1:8080``, once the server listens.
        sockets: listening sockets to use instead, which other processes may share.
        goes_on: is called several times a second; the server stops when it returns false.
        signals: those that stop it.

    Raises:
        ConfigError: the address cannot be used.
    """
    share_heap()
    keep_heap()
    allow_files(http)
    server = create_server(app, http, sockets)
    on_bound(address_of(listeners_of(sockets_of(server))[0].socket))
    run_until_stopped(server, Connections(server, http), http.shutdown_grace, goes_on, signals)


_ANY = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104 - not to listen on, but to open


def address_of(listening: socket.socket) -> str:
    """Return the address of a listening socket, as this machine can open it."""
    host, port = listening.getsockname()[:2]
    host = _ANY.get(host, host)
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


# glibc gives each thread a heap of its own (up to eight for each core). What one thread allocates
# and another frees leaves holes that neither fills, so that a server's memory grows for hours
# while what Python holds stays the same. Python computes in one thread at a time, which therefore
# loses nothing when all share one heap (https://man7.org/linux/man-pages/man3/mallopt.3.html).

_ARENA_MAX = -8
_THRESHOLDS = (10_000, 10, 10)
"""Allocations after which young objects are looked through; how often older ones are with them."""
_SETTING = "MALLOC_ARENA_MAX"
"""The variable of the same setting of glibc, which has priority."""


def share_heap() -> None:
    """Make all threads that start from now on use one heap, if the C library allows it."""
    if sys.platform == "linux" and _SETTING not in os.environ:
        with suppress(AttributeError, OSError):  # other C libraries have one heap anyway
            ctypes.CDLL(None).mallopt(_ARENA_MAX, 1)


def keep_heap() -> None:
    """Exclude the objects of start-up, which are never freed, from garbage collection.

    It would otherwise look through all of it every few requests, for some tens of milliseconds.
    What a request makes is mostly gone by the time its answer is sent, so that is looked through
    less often than usual too.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(*_THRESHOLDS)


# waitress queues requests that no thread is free for. Behind a long queue every client waits for
# answers that earlier ones have given up on, so a server under more load than it bears answers
# nobody in time. Past a bound we say so instead, cheaply, and the rest are still served.

_BUSY = Page(
    503,
    "The server is busier than it can bear. Ask again in a moment.",
    (("Retry-After", "1"),),
)


class Shedding:
    """An application that refuses requests while more than ``most`` others wait behind them."""

    def __init__(self, app: WSGIApplication, waiting: Callable[[], int], most: int) -> None:
        """Take the application, and a function that returns the number of waiting requests."""
        self._app = app
        self._waiting = waiting
        self._most = most

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        """Answer one request, as WSGI has it."""
        if self._waiting() <= self._most:
            return self._app(environ, start_response)
        reply = _BUSY.reply()
        reply.headers.append(("Content-Length", str(len(reply.body))))
        start_response(reply.status_line, reply.headers)
        return (reply.body,)
