"""Distinguishes public IP addresses from private ones."""

from __future__ import annotations

import ipaddress

_Address = ipaddress.IPv4Address | ipaddress.IPv6Address

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
    return all(_is_global(each) for each in (address, *_embedded(address)))


def _is_global(address: _Address) -> bool:
    return address.is_global and not address.is_multicast and not address.is_reserved


def _embedded(address: _Address) -> list[ipaddress.IPv4Address]:
    """Return the IPv4 addresses embedded in an IPv6 address."""
    if isinstance(address, ipaddress.IPv4Address):
        return []
    addresses = [address.ipv4_mapped, address.sixtofour, *(address.teredo or ())]
    if any(address in network for network in _TRANSLATED):
        addresses.append(ipaddress.IPv4Address(int(address) & 0xFFFF_FFFF))
    return [embedded for embedded in addresses if embedded is not None]
