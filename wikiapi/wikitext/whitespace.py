"""White space: which characters count depends on who removes them."""

from __future__ import annotations

TRIMMED = " \t\n\r\0\x0b"
"""What PHP's ``trim`` removes, and MediaWiki with it: from names, arguments and saved texts."""
HTML_SPACE = " \t\n\r\f"
"""ASCII whitespace of the HTML standard."""
LINE_SPACE = " \t\r\f\v"
"""What a pattern's ``\\s`` takes within a line."""


def trim(text: str) -> str:
    """Return the text without white space at its ends, as PHP's ``trim``."""
    return text.strip(TRIMMED)
