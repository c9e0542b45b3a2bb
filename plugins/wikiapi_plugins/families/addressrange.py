"""Addresses and ranges in the hexadecimal form in which they are compared."""

from __future__ import annotations

import ipaddress
from typing import TYPE_CHECKING, Any, NamedTuple

from wikiapi.store.bounds import with_prefix
from wikiapi.store.models import BlockTarget
from wikiapi.title.addresses import spell_address

if TYPE_CHECKING:
    from ipaddress import IPv4Network, IPv6Network

_LEAST_BITS = {"IPv4": 16, "IPv6": 19}
"""Ranges with fewer fixed bits are too wide to be asked for."""
_SHARED = {"IPv4": 4, "IPv6": 8}
"""Digits that the ends of every range in the store share: 16 bits, 19 with the mark of IPv6."""


class AddressRange(NamedTuple):
    """A range by its first and last address in hexadecimal digits."""

    first: str
    last: str
    bits: int
    version: str

    @property
    def least_bits(self) -> int:
        """How many bits must be fixed."""
        return _LEAST_BITS[self.version]

    @property
    def is_too_wide(self) -> bool:
        """Whether fewer are."""
        return self.bits < self.least_bits


def read_range(text: str) -> AddressRange | None:
    """The range that a text writes with ``/``, or of one address; None for what is neither."""
    spelled = spell_address(text)
    if spelled is None:
        return None
    network = ipaddress.ip_network(spelled, strict=False)
    ends = (_hex(network, network.network_address), _hex(network, network.broadcast_address))
    return AddressRange(*ends, network.prefixlen, f"IPv{network.version}")


def _hex(network: IPv4Network | IPv6Network, address: Any) -> str:
    number = int(address)
    return f"{number:08X}" if network.version == 4 else f"v6-{number:032X}"


def covering(wanted: AddressRange) -> Any:
    """A condition: the target of a block is the address, or a range that holds the whole range."""
    table = BlockTarget
    shared = wanted.first[: _SHARED[wanted.version]]
    near = with_prefix(table.bt_range_start, shared)
    ranges = near[0] & near[1]
    ranges &= (table.bt_range_start <= wanted.first) & (table.bt_range_end >= wanted.last)
    if wanted.first != wanted.last:
        return ranges
    return ranges | (table.bt_ip_hex == wanted.first)


def shown_address(digits: str) -> str:
    """An address as people write it."""
    if digits.startswith("v6-"):
        return spell_address(str(ipaddress.IPv6Address(int(digits[3:], 16)))) or ""
    return str(ipaddress.IPv4Address(int(digits, 16)))
