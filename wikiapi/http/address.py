"""The origin of requests: the client's address, and whether the server's own user sent it."""

from __future__ import annotations

import ipaddress
import os
import re
import socket
import struct
from collections.abc import Iterable, Mapping
from wsgiref.types import WSGIEnvironment

from wikiapi.errors import ConfigError
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
_SOCK_DIAG, _BY_FAMILY, _REQUEST = 4, 20, 1
_ESTABLISHED = 1
_HEAD = struct.Struct("=IHHII")
"""The header of a netlink message: length, type, flags, sequence number, process id."""
_DIAG_REQUEST = struct.Struct("=BBBxI")
"""Family, protocol, extensions, states; the two ends of the connection follow."""
_ANYWHERE = struct.pack("=III", 0, 0xFFFFFFFF, 0xFFFFFFFF)
"""Any interface, any cookie."""
_DIAG_REPLY = struct.Struct("=BBxx48xIIIII")
"""Family, state, the two ends, a timer, two queues, user, inode (``struct inet_diag_msg``)."""
_KERNEL_TIMEOUT = 1.0


class ClientAddresses:
    """Determines the addresses of clients behind trusted proxies."""

    def __init__(self, trusted_proxies: Iterable[str]) -> None:
        """Take the addresses or networks of proxies.

        Raises:
            ConfigError: a text is neither an address nor a network.
        """
        self._trusted = [_network(text) for text in trusted_proxies]

    def find(self, environ: WSGIEnvironment) -> str:
        """Return the client's address: the nearest one that is not a trusted proxy."""
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
    """Return whether the user who runs this server sent the request, directly from this machine.

    A loopback address as the client's address is not sufficient: a proxy on this machine has one
    too, and need not identify itself, and so has a browser that shows a page of another site. A
    local request must therefore also

    - be for a loopback address and this port, not for a host name that resolves to it (DNS
      rebinding), and in HTTP/1.1, which many proxies use only if configured to;
    - have no header that is added by proxies, or by browsers for other sites;
    - come from a process of the same user, according to Linux, since proxies usually run as other
      users. On other systems, no request is local.
    """
    address = parse_address(environ.get("REMOTE_ADDR", ""))
    if address is None or not address.is_loopback:
        return False
    if environ.get("SERVER_PROTOCOL") == "HTTP/1.0":
        return False
    if any(name in _PROXY_HEADERS or name.startswith(_PROXY_PREFIXES) for name in headers):
        return False
    host = headers.get("host", "")
    scheme = environ.get("wsgi.url_scheme", "http")
    own = f"{scheme}://{host}"
    if headers.get("origin", own) != own or headers.get("sec-fetch-site", "none") not in _OWN_SITE:
        return False
    name, port = _host(host, "443" if scheme == "https" else "80")
    is_here = name in _LOCAL_NAMES and port == str(environ.get("SERVER_PORT"))
    return is_here and _is_same_user(address, str(environ.get("REMOTE_PORT", "")), port)


def _host(host: str, default: str) -> tuple[str, str]:
    """Return the name and the port in a ``Host`` header."""
    name, colon, port = host.rpartition(":")
    has_port = colon and port.isascii() and port.isdigit()
    return (name.lower(), port) if has_port else (host.lower(), default)


def _is_same_user(client: IpAddress, client_port: str, port: str) -> bool:
    """Return whether the client of a local connection is a process of this process's user."""
    if not _PORT.match(client_port):
        return False
    return user_of(client, int(client_port), int(port)) == os.geteuid()


@memoize(1024)
def parse_address(text: str) -> IpAddress | None:
    """Return the IP address in a text, or ``None``; mapped IPv4 addresses become plain ones."""
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
        raise ConfigError(f"http.trusted_proxies: {text!r} is not an address or network") from error


def user_of(client: IpAddress, client_port: int, port: int) -> int | None:
    """Return the id of the user whose socket at ``client`` is connected to a port of this machine.

    Returns ``None`` if there is no such connection, or if the system does not tell. Only Linux
    does, by netlink (see sock_diag(7)), and however many sockets there are. Its table of sockets in
    ``/proc`` says the same, but takes a hundred times as long to read, 11 ms for 20 sockets.
    """
    is_4 = client.version == 4
    family = socket.AF_INET if is_4 else socket.AF_INET6
    here = ipaddress.ip_address("127.0.0.1" if is_4 else "::1").packed
    ends = struct.pack("!HH16s16s", client_port, port, client.packed, here) + _ANYWHERE
    request = _DIAG_REQUEST.pack(family, socket.IPPROTO_TCP, 0, 1 << _ESTABLISHED) + ends
    head = _HEAD.pack(_HEAD.size + len(request), _BY_FAMILY, _REQUEST, 1, 0)
    try:
        with socket.socket(socket.AF_NETLINK, socket.SOCK_DGRAM, _SOCK_DIAG) as kernel:
            kernel.settimeout(_KERNEL_TIMEOUT)
            kernel.send(head + request)
            reply = kernel.recv(4096)
        if _HEAD.unpack_from(reply)[1] != _BY_FAMILY:
            return None
        _, state, _, _, _, user, inode = _DIAG_REPLY.unpack_from(reply, _HEAD.size)
    except (AttributeError, OSError, struct.error):  # without AF_NETLINK: not Linux
        return None
    # A socket that its process has closed belongs to nobody, but is reported as root's.
    return int(user) if state == _ESTABLISHED and inode else None
