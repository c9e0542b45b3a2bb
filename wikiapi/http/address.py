"""Where a request comes from: the client's address, and whether it sits on this very machine."""

from __future__ import annotations

import ipaddress
import os
import re
from collections.abc import Iterable, Mapping
from wsgiref.types import WSGIEnvironment

from wikiapi.errors import ConfigError
from wikiapi.http.peers import user_of
from wikiapi.memoize import memoize

IpAddress = ipaddress.IPv4Address | ipaddress.IPv6Address
_PROXY_HEADERS = frozenset(
    {
        "via", "forwarded", "x-real-ip", "x-client-ip", "x-cluster-client-ip", "true-client-ip",
        "client-ip", "proxy-connection", "x-proxyuser-ip", "x-original-host", "x-original-url",
    }
)  # fmt: skip
_PROXY_PREFIXES = ("x-forwarded", "cf-", "x-envoy", "x-amzn", "x-arr-", "fastly-", "x-varnish")
_OWN_SITE = ("none", "same-origin")
_PORT = re.compile(r"[0-9]{1,5}\Z", re.ASCII)
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
    """Whether the very user who runs this server asks it, from this machine and directly.

    An address of this machine is not enough. A proxy has one too, and need not say that it is one;
    so does the browser of somebody who looks at a page of another site. So whoever asks

    - has asked this very address and port, not a name that was made to lead here (DNS rebinding),
      in HTTP/1.1, which many proxies talk only where they are told to;
    - has nothing in its header that proxies add, or browsers for other sites;
    - is a process of the same user, as Linux tells. Proxies are run by users of their own. Where
      the system does not tell, nobody is local.
    """
    address = parse_address(environ.get("REMOTE_ADDR", ""))
    if address is None or not address.is_loopback:
        return False
    if environ.get("SERVER_PROTOCOL") == "HTTP/1.0" or any(map(_is_of_proxy, headers)):
        return False
    host = headers.get("host", "")
    scheme = environ.get("wsgi.url_scheme", "http")
    own = f"{scheme}://{host}"
    if headers.get("origin", own) != own or headers.get("sec-fetch-site", "none") not in _OWN_SITE:
        return False
    name, port = _host(host, "443" if scheme == "https" else "80")
    is_here = name in _LOCAL_NAMES and port == str(environ.get("SERVER_PORT"))
    return is_here and _is_same_user(address, str(environ.get("REMOTE_PORT", "")), port)


def _is_of_proxy(header: str) -> bool:
    return header in _PROXY_HEADERS or header.startswith(_PROXY_PREFIXES)


def _host(host: str, default: str) -> tuple[str, str]:
    """Name and port of a ``Host``."""
    name, colon, port = host.rpartition(":")
    has_port = colon and port.isascii() and port.isdigit()
    return (name.lower(), port) if has_port else (host.lower(), default)


def _is_same_user(client: IpAddress, client_port: str, port: str) -> bool:
    """Whether the other end of a connection within this machine is a socket of our own user."""
    if not _PORT.match(client_port):
        return False
    return user_of(client, int(client_port), int(port)) == os.geteuid()


@memoize(1024)
def parse_address(text: str) -> IpAddress | None:
    """An IP address, a mapped IPv4 one as itself; ``None`` for anything else."""
    try:
        address = ipaddress.ip_address(text)
    except ValueError:
        return None
    mapped = address.ipv4_mapped if isinstance(address, ipaddress.IPv6Address) else None
    return mapped or address


def _network(text: str) -> ipaddress.IPv4Network | ipaddress.IPv6Network:
    try:
        return ipaddress.ip_network(text, strict=False)
    except ValueError as error:
        raise ConfigError(f"http.trusted_proxies: {text!r} is no address or network") from error
