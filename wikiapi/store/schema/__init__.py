"""The tables and columns that a database has, and replacements for those that it lacks.

Databases of older MediaWiki versions are read as if they had the current schema. What they have is
determined from their tables and columns, not from a version number, because an upgrade may be
incomplete.
"""
