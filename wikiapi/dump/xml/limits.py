"""What a dump may cost before it is taken for hostile."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class DumpLimits:
    """Ceilings of the dump reader. A dump beyond one is refused with a DumpError."""

    text_chars: int = 20_971_520
    """Characters of a revision's text, over all of its slots."""
    field_chars: int = 131_072
    """Characters of a title, a comment or the parameters of a log entry."""
    name_chars: int = 1_000
    """Characters of any other element, and of the attributes of a tag together."""
    token_bytes: int = 131_072
    """Bytes of one tag or comment, attributes included."""
    depth: int = 32
    """Elements within elements."""
    entries: int = 10_000
    """Namespaces of a wiki, or slots of a revision."""
    ratio: int = 1_000
    """Bytes that a compressed byte may unfold to, on average since the start."""
    ratio_free_bytes: int = 33_554_432
    """Unpacked bytes below which the ratio is not looked at."""
    total_bytes: int = 1 << 46
    """Unpacked bytes of a whole dump."""
    window_bytes: int = 1 << 27
    """Memory that a decompressor may take for its window."""


def limits_for(article_size: int) -> DumpLimits:
    """Return the limits of a wiki: ten times ``article_size``, the size of its largest page."""
    return DumpLimits(text_chars=10 * article_size)
