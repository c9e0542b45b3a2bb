"""Addresses of servers: URLs, IP addresses, and how a name is resolved to them."""

from __future__ import annotations

import ipaddress
import re
import socket
import threading
from collections.abc import Sequence
from concurrent.futures import Future
from typing import Any, NamedTuple
from urllib.parse import quote, urlsplit

PORTS = {"http": 80, "https": 443}
_SAFE = "/%:@!$&'()*+,;=~"
_SERVER = re.compile(r"[^\x00-\x20\x7f-\xa0@\\]+")


class WebAddress(NamedTuple):
    """The parts of an HTTP URL, in ASCII; ``target`` is the path with the query."""

    scheme: str
    host: str
    port: int
    target: str

    @property
    def netloc(self) -> str:
        """The host as it is written in a URL."""
        return f"[{self.host}]" if ":" in self.host else self.host

    @classmethod
    def of(cls, url: str) -> WebAddress:
        """Return the parts of a URL, without its fragment.

        Raises:
            ValueError: it is not an HTTP URL, or contains a user name.
        """
        parts = urlsplit(url)
        host, port = parts.hostname or "", parts.port
        if (
            parts.scheme not in PORTS
            or not host
            or port == 0
            or not _SERVER.fullmatch(parts.netloc)
        ):
            raise ValueError(f"{url!r} is not a web address")
        target = quote(parts.path or "/", safe=_SAFE)
        if parts.query:
            target += f"?{quote(parts.query, safe=f'{_SAFE}?')}"
        ascii_host = host if host.isascii() else host.encode("idna").decode()
        return cls(parts.scheme, ascii_host, port or PORTS[parts.scheme], target)


# Prefixes of NAT64, whose packets are sent to the IPv4 address in the last 32 bits.
_TRANSLATED = ipaddress.IPv6Network("64:ff9b::/96"), ipaddress.IPv6Network("64:ff9b:1::/48")


def is_public(text: str) -> bool:
    """Return whether an IP address is public; False for a text that is not an address.

    An IPv6 address that embeds an IPv4 address is public only if both are.
    """
    try:
        address = ipaddress.ip_address(text.partition("%")[0])
    except ValueError:
        return False
    addresses: list[ipaddress.IPv4Address | ipaddress.IPv6Address | None] = [address]
    if isinstance(address, ipaddress.IPv6Address):
        addresses += [address.ipv4_mapped, address.sixtofour, *(address.teredo or ())]
        if any(address in network for network in _TRANSLATED):
            addresses.append(ipaddress.IPv4Address(int(address) & 0xFFFF_FFFF))
    return all(
        each.is_global and not each.is_multicast and not each.is_reserved
        for each in addresses
        if each is not None
    )


_SocketAddress = tuple[int, int, int, str, "tuple[Any, ...]"]
_lookups: dict[tuple[str, int], Future[Sequence[_SocketAddress]]] = {}
_lookups_lock = threading.Lock()


def resolve(host: str, port: int, seconds: float) -> Sequence[_SocketAddress]:
    """Return the result of ``socket.getaddrinfo``.

    Nothing can interrupt the system's resolver, so it runs in a separate thread. While it hangs,
    all who ask for the same host wait for that thread; there is never more than one.

    Raises:
        OSError: the name has no address, or (TimeoutError) it was not resolved in time.
    """
    with _lookups_lock:
        lookup = _lookups.get((host, port))
        if lookup is None:
            lookup = _lookups[host, port] = Future()
            threading.Thread(target=_look_up, args=(host, port, lookup), daemon=True).start()
    try:
        return lookup.result(seconds)
    except TimeoutError:
        raise TimeoutError(f"{host} was not resolved") from None


def _look_up(host: str, port: int, lookup: Future[Sequence[_SocketAddress]]) -> None:
    try:
        addresses = socket.getaddrinfo(host, port, 0, socket.SOCK_STREAM)
    except Exception as error:  # raised again in the waiting threads
        del _lookups[host, port]
        lookup.set_exception(error)
    else:
        del _lookups[host, port]
        lookup.set_result(addresses)
