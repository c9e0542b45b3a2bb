"""Import of XML dumps, folders of wikitext and media files into a store."""

from __future__ import annotations

RECENT_DAYS = 90
"""Days before the newest change whose changes are recent; MediaWiki's default."""
