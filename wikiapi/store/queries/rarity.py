"""Whether few rows meet a condition: then they are gathered rather than looked for in an order.

Databases decide this by statistics of their tables. SQLite has none unless it is told to make
them, and MediaWiki's own databases have old ones.
"""

from __future__ import annotations

from typing import Any

from wikiapi.store.database import Database

RARE = 5_000
"""So many rows are gathered and sorted in a few hundredths of a second."""


def is_rare(db: Database, query: Any) -> bool:
    """Return whether a query has at most ``RARE`` rows. One query, which reads no more of them.

    An index must serve all conditions of the query.
    """
    return db.row(query.limit(1).offset(RARE)) is None
