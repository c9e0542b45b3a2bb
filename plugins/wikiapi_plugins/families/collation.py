"""The sort keys of categories."""

from __future__ import annotations


def sort_key_of(text: str) -> bytes:
    """The key that the collation ``uppercase``, MediaWiki's default, makes of a text."""
    return text.upper().encode("utf-8", "surrogatepass")
