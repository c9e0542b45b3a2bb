"""Counterparts of MediaWiki's extensions, each a plugin that can be switched off by name."""
