"""What highlighting of source may cost."""

from __future__ import annotations

MAX_BYTES = 102_400
"""Longer texts are better shown as they are."""


def is_too_long(source: str) -> bool:
    """Whether a text is too long to be highlighted."""
    return len(source.encode("utf-8", "replace")) > MAX_BYTES
