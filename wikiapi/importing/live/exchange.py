"""Sends one HTTP request to an untrusted server, with limits on bytes and time.

Redirects are not followed: they may lead to another server, and would drop the form that is sent.
"""

from __future__ import annotations

import socket
import threading
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import partial
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from types import TracebackType
from typing import TYPE_CHECKING, Any, NamedTuple, cast
from urllib.parse import urlsplit
from urllib.request import (
    HTTPDefaultErrorHandler,
    HTTPErrorProcessor,
    HTTPHandler,
    HTTPSHandler,
    OpenerDirector,
    ProxyHandler,
    Request,
)

from wikiapi.filerepo.addresses import is_public

if TYPE_CHECKING:
    from http.client import HTTPResponse

MAX_BYTES = 1 << 25
"""Bytes of a body, compressed or not. MediaWiki's answers reach a third of that."""
BROKEN = (OSError, HTTPException, ValueError)
"""Exceptions for a connection that fails or is closed early, and for invalid HTTP."""
_PIECE_SIZE = 1 << 16


class Unacceptable(Exception):
    """The answer is refused. The text is a predicate of the server, as in "sends ..."."""


class Reply(NamedTuple):
    """An answer: the decompressed body, and the headers."""

    body: bytes
    headers: Mapping[str, str]


def exchange(
    request: Request, timeout: float, total_timeout: float, *, public_only: bool = False
) -> Reply:
    """Send a request, and return the whole answer.

    Args:
        request: the request, to an HTTP URL.
        timeout: seconds that each operation on the connection may take.
        total_timeout: seconds that the whole answer may take.
        public_only: whether servers at private addresses are refused.

    Raises:
        Unacceptable: the answer is too long, takes too long or has an unknown encoding, or the
            server is at a private address.
        HTTPError: the status is not one of success.
        OSError, HTTPException, ValueError: there is no answer, or it is incomplete.
    """
    with opened(request, timeout, total_timeout, public_only=public_only) as response:
        body = _body(response)
        encoding = response.headers.get("Content-Encoding", "identity").strip().lower()
        if encoding == "gzip":
            body = _decompressed(body)
        elif encoding != "identity":
            raise Unacceptable("compresses its answer in a way that was not requested")
        return Reply(body, cast("Mapping[str, str]", response.headers))


@contextmanager
def opened(
    request: Request, timeout: float, total_timeout: float, *, public_only: bool = False
) -> Iterator[HTTPResponse]:
    """Send a request, and yield the answer, of which only the headers have been read.

    Arguments and exceptions are those of :func:`exchange`.
    """
    with (
        _TimeLimit(total_timeout) as limit,
        _opener(limit, public_only).open(request, timeout=timeout) as response,
    ):
        yield response


def pieces(response: HTTPResponse) -> Iterator[bytes]:
    """Yield the body of an answer in pieces, without decompressing it.

    Raises:
        OSError, HTTPException, ValueError: the body is incomplete.
    """
    while piece := response.read(_PIECE_SIZE):
        yield piece
    if response.length:
        raise OSError("the answer is incomplete")


def _body(response: HTTPResponse) -> bytes:
    parts, size = [], 0
    for piece in pieces(response):
        parts.append(piece)
        size += len(piece)
        _check_size(size)
    return b"".join(parts)


def _decompressed(data: bytes) -> bytes:
    decompressor = zlib.decompressobj(zlib.MAX_WBITS | 16)
    try:
        decompressed = decompressor.decompress(data, MAX_BYTES + 1)
    except zlib.error as error:
        raise Unacceptable("sends an answer that cannot be decompressed") from error
    _check_size(len(decompressed))
    if not decompressor.eof:
        raise OSError("the answer is incomplete")
    return decompressed


def _check_size(size: int) -> None:
    if size > MAX_BYTES:
        raise Unacceptable(f"sends an answer of more than {MAX_BYTES >> 20} MiB")


class _TimeLimit:
    """Shuts a connection down after some seconds, while another thread may be reading from it."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._is_expired = False
        self._socket: socket.socket | None = None
        self._timer = threading.Timer(seconds, self._expire)
        self._timer.daemon = True

    def __enter__(self) -> _TimeLimit:
        self._timer.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._timer.cancel()
        if self._is_expired and (error is None or isinstance(error, BROKEN)):
            raise Unacceptable(f"does not send its answer within {self._seconds:g} seconds")

    def watch(self, connected: socket.socket) -> None:
        """Set the connection to shut down."""
        self._socket = connected
        # The timer sets the flag before it reads the socket, so one of the two sees the other.
        if self._is_expired:
            raise TimeoutError("connected too late")

    def _expire(self) -> None:
        self._is_expired = True
        if self._socket is not None:
            with suppress(OSError):
                # The shutdown of an SSLSocket would let the reader continue without TLS.
                socket.socket.shutdown(self._socket, socket.SHUT_RDWR)


class _Connection(HTTPConnection):
    def __init__(self, limit: _TimeLimit, public_only: bool, host: str, **options: Any) -> None:
        super().__init__(host, **options)
        self._time_limit = limit
        if public_only:
            # http.client calls this to connect, before the TLS handshake.
            self._create_connection = _connect_publicly

    def connect(self) -> None:
        super().connect()
        self._time_limit.watch(self.sock)


class _SecureConnection(_Connection, HTTPSConnection):
    """A connection with TLS."""


def _connect_publicly(
    address: tuple[str, int], timeout: float, _source: object = None
) -> socket.socket:
    """Return a socket connected to a public address of a host.

    The address that was checked is used: resolving the name again may give another one.
    """
    host, port = address
    problem: Exception = OSError(f"{host} has no address")
    for family, kind, protocol, _, sockaddr in socket.getaddrinfo(
        host, port, 0, socket.SOCK_STREAM
    ):
        if not is_public(str(sockaddr[0])):
            problem = Unacceptable(f"is not asked, because {host} is at a private address")
            continue
        connection = socket.socket(family, kind, protocol)
        try:
            connection.settimeout(timeout)
            connection.connect(sockaddr)
        except OSError as error:
            connection.close()
            problem = error
        else:
            return connection
    raise problem


class _Http(HTTPHandler):
    def __init__(self, limit: _TimeLimit, public_only: bool) -> None:
        super().__init__()
        self._time_limit, self._public_only = limit, public_only

    def http_open(self, req: Request) -> HTTPResponse:
        checked = self._public_only and _is_direct(req)
        return self.do_open(partial(_Connection, self._time_limit, checked), req)


class _Https(HTTPSHandler):
    def __init__(self, limit: _TimeLimit, public_only: bool) -> None:
        super().__init__()
        self._time_limit, self._public_only = limit, public_only

    def https_open(self, req: Request) -> HTTPResponse:
        checked = self._public_only and _is_direct(req)
        return self.do_open(partial(_SecureConnection, self._time_limit, checked), req)


def _is_direct(request: Request) -> bool:
    """Return whether a request goes to the server itself, not to a proxy of the environment."""
    return urlsplit(request.full_url).netloc == request.host


def _opener(limit: _TimeLimit, public_only: bool) -> OpenerDirector:
    """Return an opener for HTTP and the proxies of the environment, without redirects."""
    opener = OpenerDirector()
    for handler in (
        ProxyHandler(),
        _Http(limit, public_only),
        _Https(limit, public_only),
        HTTPDefaultErrorHandler(),
        HTTPErrorProcessor(),
    ):
        opener.add_handler(handler)
    return opener
