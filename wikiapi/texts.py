"""Small functions of texts: their size, and singular and plural in English messages."""

from __future__ import annotations

__all__ = [
    "byte_length",
    "counted",
]


def counted(number: int, one: str, many: str = "") -> str:
    """Return a number with its noun; ``many``, the plural, is by default ``one`` with an ``s``."""
    return f"{number} {one if number == 1 else many or f'{one}s'}"


def byte_length(text: str) -> int:
    """Return the length in bytes of a text encoded in UTF-8."""
    return len(text) if text.isascii() else len(text.encode("utf-8", "surrogatepass"))
