"""Small functions of texts: white space at their ends, their size, and English plurals."""

from __future__ import annotations

__all__ = [
    "byte_length",
    "counted",
]


TRIMMED = " \t\n\r\0\x0b"
"""What PHP's ``trim`` removes, which MediaWiki applies to names, arguments and saved texts."""


def trim(text: str) -> str:
    """Return the text without white space at its ends, like PHP's ``trim``."""
    return text.strip(TRIMMED)


def counted(number: int, one: str, many: str = "") -> str:
    """Return a number with its noun; ``many``, the plural, is by default ``one`` with an ``s``."""
    return f"{number} {one if number == 1 else many or f'{one}s'}"


LONGEST_COMMENT = 500
"""The longest summary or reason that is stored, in characters."""


def cut_comment(text: str) -> str:
    """Return a text cut to the maximal length of summaries and reasons."""
    if len(text) <= LONGEST_COMMENT:
        return text
    return f"{text[: LONGEST_COMMENT - 3].rstrip(TRIMMED)}..."


def byte_length(text: str) -> int:
    """Return the length in bytes of a text encoded in UTF-8."""
    return len(text) if text.isascii() else len(text.encode("utf-8", "surrogatepass"))
