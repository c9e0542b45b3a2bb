"""Isolation of text from the direction of the text around it."""

from __future__ import annotations

import unicodedata

_LEFT_TO_RIGHT = "\u202a"
_RIGHT_TO_LEFT = "\u202b"
_END = "\u202c"


def isolated(text: str) -> str:
    """Return the text embedded in the direction of its first strong character, if it has one."""
    for character in text:
        kind = unicodedata.bidirectional(character)
        if kind == "L":
            return f"{_LEFT_TO_RIGHT}{text}{_END}"
        if kind in ("R", "AL"):
            return f"{_RIGHT_TO_LEFT}{text}{_END}"
    return text
