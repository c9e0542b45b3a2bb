"""Small text helpers that follow MediaWiki's idea of white space."""

from __future__ import annotations

BLANKS = " \t\n\r\0\x0b"
"""What is trimmed from names and arguments; other white space is content."""


def trim(text: str) -> str:
    """The text without blanks at its ends."""
    return text.strip(BLANKS)
