"""Whether few rows meet a condition, so that it is faster to sort them than to scan in an order.

Databases decide this by statistics of their tables. SQLite has none unless it is told to collect
them, and those of MediaWiki's own databases are outdated.
"""

from __future__ import annotations

from typing import Any

from wikiapi.store.database import Database

RARE = 5_000
"""A number of rows that can be read and sorted in a few hundredths of a second."""


def is_rare(db: Database, query: Any) -> bool:
    """Return whether a query has at most ``RARE`` rows. One query, which reads no more than these.

    There must be an index for all conditions of the query.
    """
    return db.row(query.limit(1).offset(RARE)) is None
