"""Limits beyond which a dump is considered hostile."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["limits_for"]


@dataclass(frozen=True, slots=True)
class DumpLimits:
    """Limits of the dump reader. A dump that exceeds one is refused with a DumpError."""

    text_chars: int = 20_971_520
    """Characters of the texts in all slots of a revision."""
    field_chars: int = 131_072
    """Characters of a title, a comment or the parameters of a log entry."""
    name_chars: int = 1_000
    """Characters of any other element, and of all attributes of a tag together."""
    token_bytes: int = 131_072
    """Bytes of one tag or comment, attributes included."""
    depth: int = 32
    """Depth of nested elements."""
    entries: int = 10_000
    """Namespaces of a wiki, or slots of a revision."""
    ratio: int = 1_000
    """Bytes that a compressed byte may expand to, on average since the start."""
    ratio_free_bytes: int = 33_554_432
    """Unpacked bytes below which the ratio is not checked."""
    total_bytes: int = 1 << 46
    """Unpacked bytes of a whole dump."""
    window_bytes: int = 1 << 27
    """Bytes of memory for the window of a decompressor."""


def limits_for(article_size: int) -> DumpLimits:
    """Return limits with texts of up to ten times ``article_size``, that of the largest page."""
    return DumpLimits(text_chars=10 * article_size)
