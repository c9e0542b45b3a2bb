"""HTML character references, such as ``&amp;`` and ``&#233;``."""

from __future__ import annotations

import re
from html.entities import html5

REFERENCE = re.compile(r"&(?:([^\x00-/:-@\[-`{-\x7f]+);|#([0-9]+);|#[xX]([0-9A-Fa-f]+);|)")
"""Matches a reference by name, or by number in decimal or hexadecimal digits, or a bare ``&``."""
ALIASES = {"\u05e8\u05dc\u05de": "rlm", "\u0631\u0644\u0645": "rlm"}
"""Hebrew and Arabic names of the right-to-left mark, which MediaWiki adds to those of HTML."""
_MAX_DIGITS = 7
_REPLACEMENT = "\ufffd"


def decode_references(text: str) -> str:
    """Return the text with references replaced by their characters, except unknown names."""
    return REFERENCE.sub(_decoded, text) if "&" in text else text


def _decoded(match: re.Match[str]) -> str:
    name, decimal, hexadecimal = match.groups()
    if name:
        return html5.get(f"{ALIASES.get(name, name)};", match[0])
    if not decimal and not hexadecimal:
        return match[0]
    number = codepoint(decimal, hexadecimal)
    return chr(number) if is_valid_codepoint(number) else _REPLACEMENT


def codepoint(decimal: str | None, hexadecimal: str | None) -> int:
    """Return the number in decimal or hexadecimal digits; -1 if it exceeds all code points."""
    digits = (decimal or hexadecimal or "").lstrip("0")
    # The length is limited first, because parsing many digits is slow.
    return int(digits, 10 if decimal else 16) if 0 < len(digits) <= _MAX_DIGITS else -1


def is_valid_codepoint(number: int) -> bool:
    """Return whether both XML and HTML allow the code point in a document."""
    return (
        number in (0x9, 0xA)
        or 0x20 <= number <= 0x7E
        or 0xA0 <= number <= 0xD7FF
        or 0xE000 <= number <= 0xFFFD
        or 0x10000 <= number <= 0x10FFFF
    )
