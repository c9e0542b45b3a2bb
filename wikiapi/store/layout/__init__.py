"""MediaWiki's older layouts, read as if they were the current one.

What a database has is found out by looking at its tables and columns, never by its version: an
upgrade may have been left half-way. Statements are rewritten once, when they are compiled.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from wikiapi.store.layout.detect import detect
from wikiapi.store.layout.rewriting import CURRENT, Layout

if TYPE_CHECKING:
    from wikiapi.store.database import Database

__all__ = ["CURRENT", "Layout", "layout_of"]


def layout_of(db: Database) -> Layout:
    """The layout of a database; the current one unless it is MediaWiki's, opened for reading."""
    return detect(db) if db.read_only else CURRENT
