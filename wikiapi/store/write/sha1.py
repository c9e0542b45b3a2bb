"""Hashes of contents as MediaWiki writes them: SHA-1 in base 36, padded to 31 digits."""

from __future__ import annotations

import hashlib

_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
_PAIRS = tuple(high + low for high in _DIGITS for low in _DIGITS)
WIDTH = 31


def sha1_base36(data: bytes) -> str:
    """The hash of bytes, as rev_sha1, content_sha1 and img_sha1 hold it."""
    number = int.from_bytes(hashlib.sha1(data, usedforsecurity=False).digest(), "big")
    pairs = []
    for _ in range((WIDTH + 1) // 2):
        number, rest = divmod(number, 36 * 36)
        pairs.append(_PAIRS[rest])
    return "".join(reversed(pairs))[-WIDTH:]


def combined_sha1(hashes: dict[str, str]) -> str:
    """A revision's hash from those of its slots by role: its main slot's if that is the only one.

    With several slots they are chained in the order of their roles' names, each time hashing what
    has come so far followed by the next.
    """
    ordered = [hashes[role] for role in sorted(hashes)]
    total = ordered[0]
    for digest in ordered[1:]:
        total = sha1_base36((total + digest).encode())
    return total
