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
        connection = self._connection()
        watchdog = threading.Timer(self.timeout, _cut, (connection,))
        watchdog.daemon = True
        watchdog.start()
        try:
            return self._exchange(connection, params)
        except (OSError, http.client.HTTPException, ValueError) as error:
            raise RepositoryUnavailable(f"{type(error).__name__}: {error}") from error
        finally:
            watchdog.cancel()
            connection.close()

    def _connection(self) -> http.client.HTTPConnection:
        endpoint = self.endpoint
        kind = _SafeHttps if endpoint.scheme == "https" else _SafeHttp
        connection = kind(endpoint.host, endpoint.port, timeout=self.timeout)
        connection.allow_private = self.allow_private
        return connection

    def _exchange(self, connection: http.client.HTTPConnection, params: Mapping[str, str]) -> bytes:
        query = urlencode(params)
        headers = {"User-Agent": f"wikiapi/{__version__}", "Accept": "application/json"}
        if len(query) <= _LONGEST_URL:
            connection.request("GET", f"{self.endpoint.path}?{query}", headers=headers)
        else:
            headers["Content-Type"] = "application/x-www-form-urlencoded"
            connection.request("POST", self.endpoint.path, query, headers)
        response = connection.getresponse()
        _check(response)
        body = response.read(self.max_bytes + 1)
        if len(body) > self.max_bytes:
            raise RepositoryUnavailable(f"the answer is longer than {self.max_bytes} bytes")
        if not response.isclosed() and response.length:
            raise RepositoryUnavailable("the answer broke off")
        return body


def _check(response: http.client.HTTPResponse) -> None:
    if response.status in range(300, 400):
        raise RepositoryUnavailable(f"HTTP {response.status}: redirects are not followed")
    if response.status != http.client.OK:
        raise RepositoryUnavailable(f"HTTP {response.status}")
    if response.getheader("Content-Encoding", "identity").lower() != "identity":
        raise RepositoryUnavailable("the answer is compressed though nobody asked for it")


def _cut(connection: http.client.HTTPConnection) -> None:
    """End a connection under the thread that waits on it."""
    if connection.sock is not None:
        try:
            connection.sock.shutdown(socket.SHUT_RDWR)
        except OSError:
            return


class _SafeHttp(http.client.HTTPConnection):
    allow_private = False

    def connect(self) -> None:
        self.sock = _connect(self.host, self.port, self.timeout or 0, self.allow_private)


class _SafeHttps(_SafeHttp):
    def connect(self) -> None:
        super().connect()
        context = ssl.create_default_context()
        self.sock = context.wrap_socket(self.sock, server_hostname=self.host)


def _connect(host: str, port: int, timeout: float, allow_private: bool) -> socket.socket:
    """A connection to the first of a name's addresses that answers and may be connected to."""
    problem: Exception = OSError(f"{host} has no address")
    for family, kind, protocol, _, address in socket.getaddrinfo(host, port, 0, socket.SOCK_STREAM):
        if not allow_private and not is_public(str(address[0])):
            problem = RepositoryUnavailable(f"{host} is at a private address")
            continue
        connection = socket.socket(family, kind, protocol)
        try:
            connection.settimeout(timeout)
            connection.connect(address)
        except OSError as error:
            connection.close()
            problem = error
        else:
            return connection
    raise problem
