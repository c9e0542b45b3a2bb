"""Numbers and what they count, in English messages."""

from __future__ import annotations


def counted(number: int, one: str, many: str = "") -> str:
    """Return a number and what it counts; ``many`` is by default ``one`` with an ``s``."""
    return f"{number} {one if number == 1 else many or f'{one}s'}"
