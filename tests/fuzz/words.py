"""Lists of words as they are easiest to read."""

from __future__ import annotations


def words(text: str) -> tuple[str, ...]:
    """Return the words of a text, in order."""
    return tuple(text.split())
