"""Peewee models of MediaWiki's tables, one subject per file."""
