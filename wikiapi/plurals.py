"""Singular and plural in English messages."""

from __future__ import annotations


def counted(number: int, one: str, many: str = "") -> str:
    """Return a number with its noun; ``many``, the plural, is by default ``one`` with an ``s``."""
    return f"{number} {one if number == 1 else many or f'{one}s'}"
