"""A careful HTTP client for one fixed URL whose server is not trusted.

It follows no redirects, uses no proxy and stores no cookies. The IP address to which the host name
resolves is checked, and the connection is made to that same address, so that DNS rebinding (a name
that resolves to another address a moment later) cannot evade the check.

The timeout covers the whole request: resolving the name, connecting, the TLS handshake, sending and
every read end when it is over, so that a server cannot hold a thread by answering byte by byte.
"""

from __future__ import annotations

import http.client
import io
import socket
import ssl
import threading
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import Future
from contextlib import closing
from dataclasses import dataclass
from functools import cached_property
from typing import Any
from urllib.parse import urlencode, urlsplit

from wikiapi import __version__
from wikiapi.errors import ConfigError
from wikiapi.filerepo import RepositoryUnavailable, is_public

_LONGEST_URL = 2000
_SCHEMES = {"http": 80, "https": 443}
_FRAMING = 262_144
"""Bytes received beyond twice the largest body, for headers and the framing of chunks."""


@dataclass(frozen=True, slots=True)
class Endpoint:
    """The parts of the one URL to which requests are sent."""

    scheme: str
    host: str
    port: int
    path: str

    @classmethod
    def of(cls, url: str) -> Endpoint:
        """Return the endpoint of a URL.

        Raises:
            ConfigError: it is not a plain HTTP URL, or contains a user name.
        """
        try:
            parts = urlsplit(url)
            port = parts.port
        except ValueError as error:
            raise ConfigError(f"{url!r} is not a URL") from error
        if parts.scheme not in _SCHEMES or not parts.hostname or parts.username is not None:
            raise ConfigError(f"{url!r} is not a plain http or https URL")
        if parts.query or parts.fragment or any(c <= " " or c > "~" for c in url):
            raise ConfigError(f"{url!r} must end with its path and be plain ASCII")
        return cls(parts.scheme, parts.hostname, port or _SCHEMES[parts.scheme], parts.path or "/")


class Fetcher:
    """Sends requests to an endpoint. Safe to use from several threads."""

    def __init__(self, endpoint: Endpoint, max_bytes: int, *, allow_private: bool) -> None:
        """Limit bodies to ``max_bytes``, and allow or refuse private IP addresses."""
        self.endpoint = endpoint
        self._max_bytes = max_bytes
        self._allow_private = allow_private
        self._resolver = Resolver(endpoint.host, endpoint.port)

    def fetch(self, params: Mapping[str, str], seconds: float) -> bytes:
        """Return the body of the answer to a request.

        Args:
            params: the parameters of the request.
            seconds: the timeout of the whole request, however slowly the answer arrives.

        Raises:
            RepositoryUnavailable: there was no answer, or an unusable one.
        """
        left = _Countdown(seconds)
        try:
            with closing(self._connect(left)) as connection:
                most = 2 * self._max_bytes + _FRAMING
                return self._exchange(_TimedSocket(connection, left, most), params)
        except TimeoutError as error:
            reason = f"no answer within {seconds:.3g} seconds: {error}"
            raise RepositoryUnavailable(reason) from error
        except (OSError, http.client.HTTPException, ValueError) as error:
            raise RepositoryUnavailable(f"{type(error).__name__}: {error}") from error

    def _connect(self, left: _Countdown) -> socket.socket:
        """Connect to the first permitted address that accepts a connection."""
        host = self.endpoint.host
        problem: Exception = OSError(f"{host} has no address")
        for family, kind, protocol, _, address in self._resolver.addresses(left()):
            if not self._allow_private and not is_public(str(address[0])):
                problem = RepositoryUnavailable(f"{host} is at a private address")
                continue
            connection = socket.socket(family, kind, protocol)
            try:
                connection.settimeout(left())
                connection.connect(address)
                if self.endpoint.scheme == "https":
                    connection.settimeout(left())
                    return self._tls.wrap_socket(connection, server_hostname=host)
            except OSError as error:
                connection.close()
                problem = error
            else:
                return connection
        raise problem

    @cached_property
    def _tls(self) -> ssl.SSLContext:
        # Loading the certificates of all authorities takes about 20 ms.
        return ssl.create_default_context()

    def _exchange(self, connection: Any, params: Mapping[str, str]) -> bytes:
        endpoint, query = self.endpoint, urlencode(params)
        headers = {"User-Agent": f"wikiapi/{__version__}", "Accept": "application/json"}
        exchange = http.client.HTTPConnection(endpoint.host, endpoint.port)
        exchange.default_port = _SCHEMES[endpoint.scheme]
        exchange.sock = connection
        if len(query) <= _LONGEST_URL:
            exchange.request("GET", f"{endpoint.path}?{query}", headers=headers)
        else:
            headers["Content-Type"] = "application/x-www-form-urlencoded"
            exchange.request("POST", endpoint.path, query, headers)
        with exchange.getresponse() as response:
            _check(response)
            return self._body(response)

    def _body(self, response: http.client.HTTPResponse) -> bytes:
        body = response.read(self._max_bytes + 1)
        if len(body) > self._max_bytes:
            raise RepositoryUnavailable(f"the answer is longer than {self._max_bytes} bytes")
        if response.length and not response.isclosed():
            raise RepositoryUnavailable("the answer broke off")
        return body


def _check(response: http.client.HTTPResponse) -> None:
    if response.status in range(300, 400):
        raise RepositoryUnavailable(f"HTTP {response.status}: redirects are not followed")
    if response.status != http.client.OK:
        raise RepositoryUnavailable(f"HTTP {response.status}")
    if response.getheader("Content-Encoding", "identity").lower() != "identity":
        raise RepositoryUnavailable("the answer is compressed although that was not requested")


class _Countdown:
    """The time that is left for a request."""

    def __init__(self, seconds: float) -> None:
        self._end = time.monotonic() + seconds

    def __call__(self) -> float:
        """Return the seconds that are left; raise TimeoutError if none are."""
        left = self._end - time.monotonic()
        if left <= 0:
            raise TimeoutError("timed out")
        return left


class _TimedSocket:
    """The methods of a socket that ``http.client`` uses, each within the time that is left.

    ``most`` limits the bytes received in total, because a negative chunk length makes
    ``http.client`` read until the connection ends.
    """

    def __init__(self, connection: socket.socket, left: _Countdown, most: int) -> None:
        self._connection = connection
        self._left = left
        self._most = most

    def sendall(self, data: bytes) -> None:
        rest = memoryview(data)
        while rest:
            self._connection.settimeout(self._left())
            rest = rest[self._connection.send(rest) :]

    def makefile(self, _mode: str) -> io.BufferedReader:
        return io.BufferedReader(_Received(self._connection, self._left, self._most))

    def close(self) -> None:
        """Do nothing: ``http.client`` closes the connection before the answer has been read."""


class _Received(io.RawIOBase):
    def __init__(self, connection: socket.socket, left: _Countdown, most: int) -> None:
        self._connection = connection
        self._left = left
        self._may_come = most

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        self._connection.settimeout(self._left())
        count = self._connection.recv_into(buffer)
        self._may_come -= count
        if self._may_come < 0:
            raise RepositoryUnavailable("the answer does not end")
        return count


_Address = tuple[int, int, int, str, "tuple[Any, ...]"]


class Resolver:
    """Resolves one host name, with a timeout.

    Nothing can interrupt the system's resolver, so it runs in a separate thread. While it hangs,
    all callers wait for that thread; there is never more than one.
    """

    def __init__(self, host: str, port: int) -> None:
        """Initialise for a host and a port."""
        self._host = host
        self._port = port
        self._lock = threading.Lock()
        self._running: Future[Sequence[_Address]] | None = None

    def addresses(self, seconds: float) -> Sequence[_Address]:
        """Return the result of ``socket.getaddrinfo``.

        Raises:
            OSError: the name has no address, or (TimeoutError) it was not resolved in time.
        """
        with self._lock:
            if self._running is None:
                running: Future[Sequence[_Address]] = Future()
                threading.Thread(target=self._resolve, args=(running,), daemon=True).start()
                self._running = running
            running = self._running
        try:
            return running.result(seconds)
        except TimeoutError:
            raise TimeoutError(f"{self._host} was not resolved") from None

    def _resolve(self, running: Future[Sequence[_Address]]) -> None:
        try:
            found = socket.getaddrinfo(self._host, self._port, 0, socket.SOCK_STREAM)
        except Exception as error:  # raised again in the waiting threads
            self._end()
            running.set_exception(error)
        else:
            self._end()
            running.set_result(found)

    def _end(self) -> None:
        with self._lock:
            self._running = None
