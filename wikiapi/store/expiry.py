"""Expiry columns of blocks and protections: 14 digits, or a text for no expiry."""

from __future__ import annotations

INFINITY = "infinity"
"""The expiry of what is in force until it is removed."""


def is_in_force(expiry: str, now: str) -> bool:
    """Return whether an expiry is later than ``now``, which has 14 digits."""
    return expiry == INFINITY or expiry > now
