"""Serving a WSGI application with waitress."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any

import waitress
from waitress.channel import HTTPChannel
from waitress.parser import HTTPRequestParser, ParsingError
from waitress.utilities import BadRequest

from wikiapi.errors import ConfigError
from wikiapi.http.connections import (
    Connections,
    allow_files,
    listeners_of,
    most_connections,
    sockets_of,
)
from wikiapi.http.draining import run_until_stopped
from wikiapi.http.heap import keep_heap, share_heap
from wikiapi.http.overload import Shedding

if TYPE_CHECKING:
    from wsgiref.types import WSGIApplication

    from wikiapi.config import HttpConfig

MAX_HEADER_BYTES = 65_536
_SLACK = 65_536
_IN_MEMORY = 1 << 40
"""Bytes from which waitress takes a temporary file: never, since it cannot bear a full disk."""
_LAST_PORT = 65_535
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
        """Take what has come; returns how much of it belongs to this request."""
        taken = int(super().received(data))
        if self.chunked and not self.completed:
            content = len(self.body_rcv)
            if self.body_bytes_received - content > _FRAMING + content // 8:
                self.error = BadRequest("The chunks of the body are malformed")
                self.completed = True
        return taken


class Channel(HTTPChannel):  # type: ignore[misc]
    """A connection as waitress has it, with our parser."""

    parser_class = Parser


def create_server(app: WSGIApplication, http: HttpConfig) -> Any:
    """A waitress server bound to ``http.listen`` (port 0 for any free one), not yet running.

    Headers that proxies add are passed on untouched: the application itself decides which proxies
    it trusts, and must see that a request came through one it does not know.

    Raises:
        ConfigError: the address cannot be used.
    """
    _check_port(http.listen)
    try:
        server = waitress.create_server(
            Shedding(app, lambda: len(server.task_dispatcher.queue), http.max_waiting),
            listen=http.listen,
            threads=http.threads,
            ident="wikiapi",
            clear_untrusted_proxy_headers=False,
            max_request_header_size=MAX_HEADER_BYTES,
            # The application refuses larger bodies itself; this spares reading them to the end.
            max_request_body_size=http.max_body + _SLACK,
            inbuf_overflow=_IN_MEMORY,
            outbuf_overflow=_IN_MEMORY,
            # Connections closes the idle ones, and stops taking more, before waitress would.
            connection_limit=most_connections(http) + _SLACK,
            channel_timeout=int(http.keep_alive) + _SLACK,
            expose_tracebacks=False,
        )
    except (OSError, ValueError) as error:
        raise ConfigError(f"cannot listen on {http.listen!r}: {error}") from error
    for listener in listeners_of(sockets_of(server)):
        listener.channel_class = Channel
    # It warns of every request that waits, when there is least time for it; see Shedding.
    logging.getLogger("waitress.queue").setLevel(logging.ERROR)
    return server


def _check_port(listen: str) -> None:
    """The resolver takes a port beyond 16 bits for another one, without a word."""
    _, colon, port = listen.rpartition(":")
    if not colon or not (port.isascii() and port.isdigit()) or int(port[:6]) > _LAST_PORT:
        raise ConfigError(f"cannot listen on {listen!r}: it must be HOST:PORT")


def serve(app: WSGIApplication, http: HttpConfig) -> None:
    """Serve until the process is told to end (SIGINT or SIGTERM); what was asked is answered.

    Raises:
        ConfigError: the address cannot be used.
    """
    share_heap()
    keep_heap()
    allow_files(http)
    server = create_server(app, http)
    run_until_stopped(server, Connections(server, http), http.shutdown_grace)
