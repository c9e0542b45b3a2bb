"""The normal form of IP addresses and ranges in titles, user names and the store."""

from __future__ import annotations

import ipaddress
import re

_ADDRESS = re.compile(r"([0-9A-Fa-f:.]+)(?:/([0-9]{1,3}))?\Z", re.ASCII)
_LEADING_ZEROS = re.compile(r"(?:(?<=\.)|\A)0+(?=[0-9])")


def spell_address(text: str) -> str | None:
    """Return the normal form of an IP address or range, or ``None`` for other texts.

    Leading zeros are removed. IPv6 addresses have all eight groups, in capitals. The prefix length
    of a range is unchanged.
    """
    match = _ADDRESS.match(text)
    if match is None:
        return None
    try:
        address = ipaddress.ip_address(_LEADING_ZEROS.sub("", match[1]))
    except ValueError:
        return None
    if match[2] is None:
        return _spelled(address)
    return f"{_spelled(address)}/{match[2]}" if int(match[2]) <= address.max_prefixlen else None


def _spelled(address: ipaddress.IPv4Address | ipaddress.IPv6Address) -> str:
    if isinstance(address, ipaddress.IPv4Address):
        return str(address)
    return ":".join(f"{int(group, 16):X}" for group in address.exploded.split(":"))
