"""Connections to servers and through proxies, whose operations all end in time."""

from __future__ import annotations

import io
import socket
import ssl
import time
from base64 import b64encode
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from http.client import HTTPConnection, HTTPException
from typing import Any, NamedTuple, cast
from urllib.parse import unquote, urlsplit
from urllib.request import getproxies, proxy_bypass

from wikiapi.fetching.addresses import PORTS, WebAddress, is_public, resolve
from wikiapi.fetching.errors import Busy, Unacceptable

FRAMING = 1 << 18
"""Bytes received beyond twice the largest body, for headers and the framing of chunks."""


class Countdown:
    """The time that is left for a request."""

    def __init__(self, seconds: float, idle_seconds: float) -> None:
        self._seconds = seconds
        self._idle_seconds = idle_seconds
        self._end = time.monotonic() + seconds

    def __call__(self) -> float:
        """Return the seconds that the next operation may take; raise TimeoutError if none."""
        left = self._end - time.monotonic()
        if left <= 0:
            raise TimeoutError("timed out")
        return min(left, self._idle_seconds)

    @contextmanager
    def errors(self) -> Iterator[None]:
        """Raise errors of the connection, and those of invalid HTTP, as Busy or Unacceptable."""
        try:
            yield
        except (OSError, HTTPException, ValueError) as error:
            if time.monotonic() >= self._end:
                limit = f"{self._seconds:.3g} seconds"
                raise Unacceptable(f"does not send its answer within {limit}: {error}") from error
            raise Busy(f"{type(error).__name__}: {error}") from error


def connect(address: WebAddress, left: Countdown, public_only: bool) -> socket.socket:
    """Return a connection to the first permitted IP address of a server that accepts one."""
    problem: Exception = OSError(f"{address.host} has no address")
    for family, kind, protocol, _, numbers in resolve(address.host, address.port, left()):
        if public_only and not is_public(str(numbers[0])):
            problem = Unacceptable(f"is not asked, because {address.host} is at a private address")
            continue
        connection = socket.socket(family, kind, protocol)
        try:
            connection.settimeout(left())
            connection.connect(numbers)
            return _secured(connection, address, left)
        except OSError as error:
            connection.close()
            problem = error
    raise problem


def _secured(connection: socket.socket, address: WebAddress, left: Countdown) -> socket.socket:
    """Return a connection with TLS if the scheme is that of HTTPS."""
    if address.scheme == "http":
        return connection
    connection.settimeout(left())
    return _tls().wrap_socket(connection, server_hostname=address.host)


@cache
def _tls() -> ssl.SSLContext:
    # Loading the certificates of all authorities takes about 20 ms.
    context = ssl.create_default_context()
    context.set_alpn_protocols(["http/1.1"])
    return context


class Proxy(NamedTuple):
    """A proxy, and the headers that it requires."""

    address: WebAddress
    headers: dict[str, str]


def proxy_for(address: WebAddress) -> Proxy | None:
    """Return the proxy that the environment names for requests to a server."""
    url = getproxies().get(address.scheme)
    if not url or proxy_bypass(address.netloc):
        return None
    parts = urlsplit(url if "//" in url else f"http://{url}")
    headers = {}
    if parts.username is not None:
        account = f"{unquote(parts.username)}:{unquote(parts.password or '')}"
        headers["Proxy-Authorization"] = f"Basic {b64encode(account.encode()).decode()}"
    place = parts._replace(netloc=parts.netloc.rpartition("@")[2])
    return Proxy(WebAddress.of(place.geturl()), headers)


def connect_through(proxy: Proxy, address: WebAddress, left: Countdown) -> socket.socket:
    """Return a connection to a proxy; for HTTPS, through it to the server."""
    connection = connect(proxy.address, left, public_only=False)
    if address.scheme == "http":
        return connection
    try:
        tunnel = open_exchange(proxy.address, connection, left, FRAMING)
        place = f"{address.netloc}:{address.port}"
        tunnel.request("CONNECT", place, headers={"Host": place, **proxy.headers})
        if (status := tunnel.getresponse().status) != 200:
            raise OSError(f"the proxy answers HTTP {status}")
        return _secured(connection, address, left)
    except BaseException:
        connection.close()
        raise


def open_exchange(
    address: WebAddress, connection: socket.socket, left: Countdown, max_received: int
) -> HTTPConnection:
    """Return an object that sends a request on a connection and reads its answer."""
    exchange = HTTPConnection(address.host, address.port)
    exchange.default_port = PORTS[address.scheme]
    exchange.sock = cast("socket.socket", _TimedSocket(connection, left, max_received))
    return exchange


class _TimedSocket:
    """The methods of a socket that ``http.client`` uses, each within the time that is left.

    ``max_received`` limits the bytes received in total, because a negative chunk length makes
    ``http.client`` read until the connection ends.
    """

    def __init__(self, connection: socket.socket, left: Countdown, max_received: int) -> None:
        self._connection = connection
        self._left = left
        self._max_received = max_received

    def sendall(self, data: bytes) -> None:
        rest = memoryview(data)
        while rest:
            self._connection.settimeout(self._left())
            rest = rest[self._connection.send(rest) :]

    def makefile(self, _mode: str) -> io.BufferedReader:
        return io.BufferedReader(_Received(self._connection, self._left, self._max_received))

    def close(self) -> None:
        """Do nothing: ``http.client`` closes the connection before the answer has been read."""


class _Received(io.RawIOBase):
    def __init__(self, connection: socket.socket, left: Countdown, max_received: int) -> None:
        self._connection = connection
        self._left = left
        self._may_come = max_received

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        self._connection.settimeout(self._left())
        count = self._connection.recv_into(buffer)
        self._may_come -= count
        if self._may_come < 0:
            raise Unacceptable("sends an answer that does not end")
        return count
