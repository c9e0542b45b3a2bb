"""Fills the full-text index with texts that are in memory anyway."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wikiapi.store.fields import Long, Serial
from wikiapi.store.models.base import MediaWikiModel

if TYPE_CHECKING:
    from collections.abc import Iterable

    from wikiapi.store.database import Database


class SearchIndex(MediaWikiModel):
    """The index as a table that can be inserted into."""

    rowid = Serial()
    si_title = Long()
    si_text = Long()

    class Meta:
        """Not among the models that become tables: a migration makes it."""

        table_name = "searchindex"


def add_texts(db: Database, rows: Iterable[tuple[int, str, str]]) -> None:
    """Index (page id, database key, text) of pages that are not in the index."""
    if db.is_sqlite:
        db.insert_many(SearchIndex, rows)
