"""The site's counters."""

from __future__ import annotations

from typing import NamedTuple

from wikiapi.store.database import Database
from wikiapi.store.models import SiteStats


class Statistics(NamedTuple):
    """The counters. ``articles`` counts content pages with a link, ``edits`` counts
    revisions and deletions, but not revisions that only record something, such as a move.
    """

    edits: int = 0
    articles: int = 0
    pages: int = 0
    users: int = 0
    active_users: int = 0
    images: int = 0


def statistics(db: Database) -> Statistics:
    """Return the counters; if MediaWiki has several rows, they are added up. One query."""
    table = SiteStats
    query = table.select(
        table.ss_total_edits,
        table.ss_good_articles,
        table.ss_total_pages,
        table.ss_users,
        table.ss_active_users,
        table.ss_images,
    )
    rows = db.execute(query)
    return Statistics(
        *(sum(max(value or 0, 0) for value in column) for column in zip(*rows, strict=True))
    )
