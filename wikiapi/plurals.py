"""Numbers with the word that they count, in messages in English."""

from __future__ import annotations


def counted(number: int, one: str, many: str = "") -> str:
    """Return a number with the words for one, or for many: by default those with an ``s``."""
    return f"{number} {one if number == 1 else many or f'{one}s'}"
