"""Where a request comes from: the client's address, and whether it sits on this very machine."""

from __future__ import annotations

import ipaddress
from typing import TYPE_CHECKING

from wikiapi.errors import ConfigError
from wikiapi.remember import remembered

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from wsgiref.types import WSGIEnvironment

IpAddress = ipaddress.IPv4Address | ipaddress.IPv6Address
_PROXY_HEADERS = ("via", "forwarded", "x-real-ip")
_LOCAL_NAMES = frozenset({"localhost", "127.0.0.1", "[::1]"})


class ClientAddresses:
    """Finds the client behind trusted proxies."""

    def __init__(self, trusted_proxies: Iterable[str]) -> None:
        """Take addresses or networks of proxies.

        Raises:
            ConfigError: one of them is neither.
        """
        self._trusted = [_network(text) for text in trusted_proxies]

    def find(self, environ: WSGIEnvironment) -> str:
        """The client's address: the nearest one that is no trusted proxy."""
        nearest: str = environ.get("REMOTE_ADDR") or "127.0.0.1"
        forwarded: str = environ.get("HTTP_X_FORWARDED_FOR", "")
        if not forwarded or not self._trusted:
            return nearest
        hops = [hop.strip() for hop in forwarded.split(",")]
        while hops and self._is_trusted(nearest) and parse_address(hops[-1]):
            nearest = hops.pop()
        return nearest

    def _is_trusted(self, text: str) -> bool:
        address = parse_address(text)
        return address is not None and any(address in network for network in self._trusted)


def is_local(environ: WSGIEnvironment, headers: Mapping[str, str]) -> bool:
    """Whether the client is on this machine, came through no proxy, and knows where it is.

    The last means that the ``Host`` it asks for is the machine itself: a web page elsewhere whose
    name was made to lead here (DNS rebinding) is not local.
    """
    address = parse_address(environ.get("REMOTE_ADDR", ""))
    if address is None or not address.is_loopback:
        return False
    if any(name in _PROXY_HEADERS or name.startswith("x-forwarded") for name in headers):
        return False
    return _host_name(headers.get("host", "localhost")) in _LOCAL_NAMES


@remembered(1024)
def parse_address(text: str) -> IpAddress | None:
    """An IP address, a mapped IPv4 one as itself; ``None`` for anything else."""
    try:
        address = ipaddress.ip_address(text)
    except ValueError:
        return None
    mapped = address.ipv4_mapped if isinstance(address, ipaddress.IPv6Address) else None
    return mapped or address


def _host_name(host: str) -> str:
    name, colon, port = host.rpartition(":")
    return (name if colon and port.isdigit() else host).lower()


def _network(text: str) -> ipaddress.IPv4Network | ipaddress.IPv6Network:
    try:
        return ipaddress.ip_network(text, strict=False)
    except ValueError as error:
        raise ConfigError(f"http.trusted_proxies: {text!r} is no address or network") from error
