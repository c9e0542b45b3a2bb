"""One HTTP request to a server that may do anything: bytes and time are bounded, come what may.

Redirects are not followed: they may lead to another server, and a form is not sent on by them.
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

MOST_BYTES = 1 << 25
"""Bytes of a body, as it is sent and unpacked. MediaWiki's answers end at a third of it."""
BROKEN = (OSError, HTTPException, ValueError)
"""What is raised where an exchange breaks off, or is no HTTP at all."""
_PIECE = 1 << 16


class Unacceptable(Exception):
    """The answer must not be read to its end. The text says what the server does."""


class Reply(NamedTuple):
    """The body, unpacked, and the headers."""

    body: bytes
    headers: Mapping[str, str]


def exchange(
    request: Request, timeout: float, patience: float, *, public_only: bool = False
) -> Reply:
    """Send a request, and return the whole answer.

    Args:
        request: to a web address.
        timeout: seconds for which a connection may be silent.
        patience: seconds after which the whole answer must be there, however slowly it drips.
        public_only: whether a server at a private address must not be connected to.

    Raises:
        Unacceptable: the answer is too long, takes too long or is packed in an unknown way, or the
            server is at a private address.
        HTTPError: the status is not one of success.
        OSError, HTTPException, ValueError: there was no answer, or it broke off.
    """
    with opened(request, timeout, patience, public_only=public_only) as response:
        body = _body(response)
        encoding = response.headers.get("Content-Encoding", "identity").strip().lower()
        if encoding == "gzip":
            body = _unpacked(body)
        elif encoding != "identity":
            raise Unacceptable("compresses its answer in a way that was not requested")
        return Reply(body, cast("Mapping[str, str]", response.headers))


@contextmanager
def opened(
    request: Request, timeout: float, patience: float, *, public_only: bool = False
) -> Iterator[HTTPResponse]:
    """Send a request, and yield the answer, of which only the head has been read.

    Arguments and exceptions are those of :func:`exchange`; what the block raises is raised.
    """
    with (
        _Watch(patience) as watch,
        _opener(watch, public_only).open(request, timeout=timeout) as response,
    ):
        yield response


def pieces(response: HTTPResponse) -> Iterator[bytes]:
    """Yield the body of an answer, as it is sent.

    Raises:
        OSError, HTTPException, ValueError: it broke off.
    """
    while piece := response.read(_PIECE):
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


def _unpacked(data: bytes) -> bytes:
    unpacker = zlib.decompressobj(zlib.MAX_WBITS | 16)
    try:
        unpacked = unpacker.decompress(data, MOST_BYTES + 1)
    except zlib.error as error:
        raise Unacceptable("sends an answer that cannot be decompressed") from error
    _check_size(len(unpacked))
    if not unpacker.eof:
        raise OSError("the answer is incomplete")
    return unpacked


def _check_size(size: int) -> None:
    if size > MOST_BYTES:
        raise Unacceptable(f"sends an answer of more than {MOST_BYTES >> 20} MiB")


class _Watch:
    """Ends the connection when the time is up, under the thread that waits on it."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._is_over = False
        self._socket: socket.socket | None = None
        self._timer = threading.Timer(seconds, self._end)
        self._timer.daemon = True

    def __enter__(self) -> _Watch:
        self._timer.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._timer.cancel()
        if self._is_over and (error is None or isinstance(error, BROKEN)):
            raise Unacceptable(f"does not send its answer within {self._seconds:g} seconds")

    def guard(self, connected: socket.socket) -> None:
        """Set the connection to guard."""
        self._socket = connected
        # Whoever ends it looks for it after this has been set: one of the two sees the other.
        if self._is_over:
            raise TimeoutError("connected too late")

    def _end(self) -> None:
        self._is_over = True
        if self._socket is not None:
            with suppress(OSError):
                # Not as TLS does it, which would leave the reader with a connection in the clear.
                socket.socket.shutdown(self._socket, socket.SHUT_RDWR)


class _Connection(HTTPConnection):
    def __init__(self, watch: _Watch, public_only: bool, host: str, **options: Any) -> None:
        super().__init__(host, **options)
        self._watch = watch
        if public_only:
            # http.client connects by it; TLS comes afterwards.
            self._create_connection = _connect_publicly

    def connect(self) -> None:
        super().connect()
        self._watch.guard(self.sock)


class _SecureConnection(_Connection, HTTPSConnection):
    """The same over TLS."""


def _connect_publicly(
    address: tuple[str, int], timeout: float, _source: object = None
) -> socket.socket:
    """Connect to an address that is checked and then used: a name may mean another one later."""
    host, port = address
    problem: Exception = OSError(f"{host} has no address")
    for family, kind, protocol, _, place in socket.getaddrinfo(host, port, 0, socket.SOCK_STREAM):
        if not is_public(str(place[0])):
            problem = Unacceptable(f"is not asked, because {host} is at a private address")
            continue
        connection = socket.socket(family, kind, protocol)
        try:
            connection.settimeout(timeout)
            connection.connect(place)
        except OSError as error:
            connection.close()
            problem = error
        else:
            return connection
    raise problem


class _Http(HTTPHandler):
    def __init__(self, watch: _Watch, public_only: bool) -> None:
        super().__init__()
        self._watch, self._public_only = watch, public_only

    def http_open(self, req: Request) -> HTTPResponse:
        checked = self._public_only and _is_direct(req)
        return self.do_open(partial(_Connection, self._watch, checked), req)


class _Https(HTTPSHandler):
    def __init__(self, watch: _Watch, public_only: bool) -> None:
        super().__init__()
        self._watch, self._public_only = watch, public_only

    def https_open(self, req: Request) -> HTTPResponse:
        checked = self._public_only and _is_direct(req)
        return self.do_open(partial(_SecureConnection, self._watch, checked), req)


def _is_direct(request: Request) -> bool:
    """Return whether a request goes to the server itself, not to a proxy of the environment."""
    return urlsplit(request.full_url).netloc == request.host


def _opener(watch: _Watch, public_only: bool) -> OpenerDirector:
    """Return an opener for HTTP and the proxies of the environment, without redirects."""
    opener = OpenerDirector()
    for handler in (
        ProxyHandler(),
        _Http(watch, public_only),
        _Https(watch, public_only),
        HTTPDefaultErrorHandler(),
        HTTPErrorProcessor(),
    ):
        opener.add_handler(handler)
    return opener
