"""Which tables and columns a database has, and what stands for those that it lacks.

Databases of older MediaWiki versions are read as if they were of the current one. What a database
has is found out by looking at its tables and columns, never by its version: an upgrade may have
been left half-way.
"""
