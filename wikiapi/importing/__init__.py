"""Import of XML dumps, folders of wikitext and media files into a store."""

from __future__ import annotations

RECENT_DAYS = 90
"""How many days before the newest change count as recent; MediaWiki's default."""
