"""wikiapi: MediaWiki's Action API, answered from a Peewee store without PHP."""

from __future__ import annotations

__version__ = "0.1.0"
