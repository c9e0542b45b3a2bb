"""IP addresses as ip_changes and block_target keep them: hexadecimal, so that ranges sort."""

from __future__ import annotations

import ipaddress


def ip_to_hex(text: str) -> str:
    """Eight digits for IPv4, ``v6-`` and 32 for IPv6, empty for what is no address."""
    # Names are many and addresses few: most are told apart by their first letter.
    if not text or text[0] not in "0123456789abcdefABCDEF:" or "%" in text:
        return ""
    try:
        address = ipaddress.ip_address(text)
    except ValueError:
        return ""
    return f"{int(address):08X}" if address.version == 4 else f"v6-{int(address):032X}"
