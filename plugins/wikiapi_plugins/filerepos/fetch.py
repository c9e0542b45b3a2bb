"""One HTTP request to one fixed address, as careful as a request to a stranger must be.

No redirect is followed, no proxy asked, no cookie kept. The address that a name resolves to is
checked before it is connected to, and it is that address which is connected to: a name that
resolves otherwise the next moment (DNS rebinding) gains nothing.
"""

from __future__ import annotations

import http.client
import socket
import ssl
import threading
import time
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import urlencode, urlsplit

from wikiapi import __version__
from wikiapi.errors import ConfigError
from wikiapi.filerepo.repository import RepositoryUnavailable
from wikiapi_plugins.filerepos.addresses import is_public

if TYPE_CHECKING:
    from collections.abc import Mapping

_LONGEST_URL = 2000
_SCHEMES = {"http": 80, "https": 443}


@dataclass(frozen=True, slots=True)
class Endpoint:
    """The one address that may be asked, taken apart."""

    scheme: str
    host: str
    port: int
    path: str

    @classmethod
    def of(cls, url: str) -> Endpoint:
        """Take a URL apart.

        Raises:
            ConfigError: it is no plain HTTP URL, or holds a name and password.
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


@dataclass(frozen=True, slots=True)
class Fetcher:
    """Asks an endpoint. Times are in seconds, sizes in bytes.

    ``timeout`` is for the whole of a request, however slowly its answer drips in.
    """

    endpoint: Endpoint
    timeout: float
    max_bytes: int
    allow_private: bool

    def ask(self, params: Mapping[str, str]) -> bytes:
        """The body of the answer to a request.

        Raises:
            RepositoryUnavailable: there was none, or none that may be used.
        """
        kind = _SafeHttps if self.endpoint.scheme == "https" else _SafeHttp
        connection = kind(self.endpoint, self.timeout, allow_private=self.allow_private)
        try:
            with _Watchdog(connection, self.timeout):
                return self._exchange(connection, params)
        except (OSError, http.client.HTTPException, ValueError) as error:
            raise RepositoryUnavailable(f"{type(error).__name__}: {error}") from error
        finally:
            connection.close()

    def _exchange(self, connection: http.client.HTTPConnection, params: Mapping[str, str]) -> bytes:
        query = urlencode(params)
        headers = {"User-Agent": f"wikiapi/{__version__}", "Accept": "application/json"}
        if len(query) <= _LONGEST_URL:
            connection.request("GET", f"{self.endpoint.path}?{query}", headers=headers)
        else:
            headers["Content-Type"] = "application/x-www-form-urlencoded"
            connection.request("POST", self.endpoint.path, query, headers)
        with connection.getresponse() as response:
            _check(response)
            return self._body(response)

    def _body(self, response: http.client.HTTPResponse) -> bytes:
        body = response.read(self.max_bytes + 1)
        if len(body) > self.max_bytes:
            raise RepositoryUnavailable(f"the answer is longer than {self.max_bytes} bytes")
        if response.length and not response.isclosed():
            raise RepositoryUnavailable("the answer broke off")
        return body


def _check(response: http.client.HTTPResponse) -> None:
    if response.status in range(300, 400):
        raise RepositoryUnavailable(f"HTTP {response.status}: redirects are not followed")
    if response.status != http.client.OK:
        raise RepositoryUnavailable(f"HTTP {response.status}")
    if response.getheader("Content-Encoding", "identity").lower() != "identity":
        raise RepositoryUnavailable("the answer is compressed though nobody asked for it")


class _SafeHttp(http.client.HTTPConnection):
    """A connection to an address that was checked."""

    def __init__(self, endpoint: Endpoint, timeout: float, *, allow_private: bool) -> None:
        super().__init__(endpoint.host, endpoint.port, timeout=timeout)
        self._limit = timeout
        self._allow_private = allow_private
        self.opened: socket.socket | None = None
        """The socket, which ``sock`` no longer is once the answer has begun."""
        self.is_expired = False

    def connect(self) -> None:
        self.sock = self.opened = _connect(self.host, self.port, self._limit, self._allow_private)
        # The watchdog looks for the socket after it has set this, so one of the two sees the other.
        if self.is_expired:
            raise TimeoutError("connected too late")


class _SafeHttps(_SafeHttp):
    def connect(self) -> None:
        super().connect()
        context = ssl.create_default_context()
        self.sock = self.opened = context.wrap_socket(self.sock, server_hostname=self.host)


class _Watchdog:
    """Ends a connection under the thread that waits on it when the time is up."""

    def __init__(self, connection: _SafeHttp, seconds: float) -> None:
        self._connection = connection
        self._seconds = seconds
        self._timer = threading.Timer(seconds, self._end)
        self._timer.daemon = True

    def __enter__(self) -> None:
        self._timer.start()

    def __exit__(self, *_: object) -> None:
        self._timer.cancel()
        if self._connection.is_expired:
            raise RepositoryUnavailable(f"no answer within {self._seconds:g} seconds")

    def _end(self) -> None:
        self._connection.is_expired = True
        if self._connection.opened is not None:
            with suppress(OSError):
                self._connection.opened.shutdown(socket.SHUT_RDWR)


def _connect(host: str, port: int, timeout: float, allow_private: bool) -> socket.socket:
    """A connection to the first of a name's addresses that answers and may be connected to."""
    deadline = time.monotonic() + timeout
    problem: Exception = OSError(f"{host} has no address")
    for family, kind, protocol, _, address in socket.getaddrinfo(host, port, 0, socket.SOCK_STREAM):
        if not allow_private and not is_public(str(address[0])):
            problem = RepositoryUnavailable(f"{host} is at a private address")
            continue
        connection = socket.socket(family, kind, protocol)
        try:
            connection.settimeout(max(deadline - time.monotonic(), 0.001))
            connection.connect(address)
            connection.settimeout(timeout)
        except OSError as error:
            connection.close()
            problem = error
        else:
            return connection
    raise problem
