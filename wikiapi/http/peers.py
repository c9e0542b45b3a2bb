"""Whose process is at the other end of a connection within this machine: what Linux tells."""

from __future__ import annotations

import ipaddress
import re
import socket
import struct
import sys
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from wikiapi.http.address import IpAddress

_SOCK_DIAG, _BY_FAMILY, _REQUEST = 4, 20, 1
_ESTABLISHED = 1
_HEAD = struct.Struct("=IHHII")
"""Of a message: length, type, flags, number, process."""
_ASKED = struct.Struct("=BBBxI")
"""Family, protocol, extensions, states; then the two ends."""
_ANYWHERE = struct.pack("=III", 0, 0xFFFFFFFF, 0xFFFFFFFF)
"""Any interface, any cookie."""
_TOLD = struct.Struct("=BBxx48xIIIII")
"""Family, state, the two ends, a timer, two queues, user, inode (``struct inet_diag_msg``)."""
_PATIENCE = 1.0
_MOST_SOCKETS = 1_048_576
"""Bytes of the system's table of sockets that are read: some seven thousand."""


def user_of(client: IpAddress, client_port: int, port: int) -> int | None:
    """The user whose socket ``client`` and its port are, connected to a port of this machine.

    ``None`` where there is no such connection, and where the system does not tell.
    """
    with suppress(OSError, struct.error):
        return _asked(client, client_port, port)
    with suppress(OSError):
        return _looked_up(client, client_port, port)
    return None


def _asked(client: IpAddress, client_port: int, port: int) -> int | None:
    """Ask the kernel for the one socket, in 20 microseconds however many there are (sock_diag(7)).

    Raises:
        OSError: there is none, or this kernel cannot be asked.
    """
    is_4 = client.version == 4
    family = socket.AF_INET if is_4 else socket.AF_INET6
    here = ipaddress.ip_address("127.0.0.1" if is_4 else "::1").packed
    ends = struct.pack("!HH16s16s", client_port, port, client.packed, here) + _ANYWHERE
    asked = _ASKED.pack(family, socket.IPPROTO_TCP, 0, 1 << _ESTABLISHED) + ends
    head = _HEAD.pack(_HEAD.size + len(asked), _BY_FAMILY, _REQUEST, 1, 0)
    with socket.socket(_netlink(), socket.SOCK_DGRAM, _SOCK_DIAG) as kernel:
        kernel.settimeout(_PATIENCE)
        kernel.send(head + asked)
        reply = kernel.recv(4096)
    if _HEAD.unpack_from(reply)[1] != _BY_FAMILY:
        raise OSError("no such socket")
    _, state, _, _, _, user, inode = _TOLD.unpack_from(reply, _HEAD.size)
    # One that its process has closed belongs to nobody, and is shown as root's.
    return int(user) if state == _ESTABLISHED and inode else None


def _netlink() -> int:
    family: int | None = getattr(socket, "AF_NETLINK", None)
    if family is None:
        raise OSError("not Linux")
    return family


def _looked_up(client: IpAddress, client_port: int, port: int) -> int | None:
    """Look into the table of sockets: there are systems that have nothing else.

    Raises:
        OSError: this one has no such table.
    """
    mapped = ipaddress.ip_address(f"::ffff:{client}") if client.version == 4 else client
    for table, address in (("tcp", client), ("tcp6", mapped)):
        with Path(f"/proc/net/{table}").open("rb") as file:
            sockets = file.read(_MOST_SOCKETS)
        # Its own end, ours, the state of being connected; then queues and timers, user, inode.
        ends = rf"{_shown(address)}:{client_port:04X} [0-9A-F]+:{port:04X} {_ESTABLISHED:02X}"
        line = rf" {ends} \S+ \S+ \S+ +([0-9]+) +[0-9]+ +[1-9]"
        if found := re.search(line.encode(), sockets):
            return int(found[1])
    return None


def _shown(address: IpAddress) -> str:
    """An address as the table has it: words of four bytes in the order of the processor."""
    packed = address.packed
    words = (packed[start : start + 4] for start in range(0, len(packed), 4))
    return "".join(f"{int.from_bytes(word, sys.byteorder):08X}" for word in words)
