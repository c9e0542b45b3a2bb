"""Addresses in the form that link tables hold, so that one address is not listed as several."""

from __future__ import annotations

import re
import string
from functools import partial
from ipaddress import AddressValueError, IPv6Address
from urllib.parse import quote

_SAFE = "!#$%&'()*+,-./:;=?@_~"
"""What stays as it is, beside letters and digits."""
_PARTS = re.compile(r"((?:[^/?#]*//)?[^/?#]*)([^?#]*)([^#]*)(.*)\Z", re.DOTALL)
_IPV6 = re.compile(r"(?:[a-z][a-z0-9+.-]*:)?//(?:[^/?#\[\]@]*@)?\[([0-9a-f:]+)\]", re.IGNORECASE)
_ESCAPE = re.compile(r"%[0-9A-Fa-f]{2}")
_PRINTABLE = frozenset(string.digits + string.ascii_letters + string.punctuation)
_NEVER = frozenset('"#%<>[\\]^`{|}')
_RESERVED = {"path": frozenset("/?"), "query": frozenset("&=+;"), "fragment": frozenset()}
"""What means something in each part when it is written out, and not when it is escaped."""


def normalise_url(url: str) -> str:
    """The address with needless escapes undone, the needed ones made, and no ``.`` or ``..``."""
    match = _IPV6.match(url)
    address = match[1] if match and _is_ipv6(match[1]) else ""
    parts = _PARTS.match(quote(url, safe=_SAFE, errors="replace"))
    if parts is None:
        return url
    host, path, query, fragment = parts.groups()
    host = _unescaped(host, "path")
    if address:
        host = host.replace(f"%5B{address}%5D", f"[{address}]", 1)
    path = _without_dots(_unescaped(path, "path"))
    return host + path + _unescaped(query, "query") + _unescaped(fragment, "fragment")


def _is_ipv6(text: str) -> bool:
    try:
        IPv6Address(text)
    except AddressValueError:
        return False
    return True


def _unescaped(text: str, part: str) -> str:
    return _ESCAPE.sub(partial(_character, _RESERVED[part]), text) if "%" in text else text


def _character(reserved: frozenset[str], match: re.Match[str]) -> str:
    character = chr(int(match[0][1:], 16))
    if character in _PRINTABLE and character not in _NEVER and character not in reserved:
        return character
    return match[0].upper()


def _without_dots(path: str) -> str:
    """The path with its ``.`` and ``..`` segments resolved, as RFC 3986 tells in 5.2.4."""
    if "/." not in path:
        return path
    kept: list[str] = []
    segments = path.split("/")
    for segment in segments:
        if segment == "..":
            del kept[max(1, len(kept) - 1) :]
        elif segment != ".":
            kept.append(segment)
    if segments[-1] in (".", ".."):
        kept.append("")
    return "/".join(kept)
