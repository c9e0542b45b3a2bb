"""Fills the full-text index in bulk, with texts that are in memory anyway."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wikiapi.store.fields import Long, Serial
from wikiapi.store.models.base import MediaWikiModel

if TYPE_CHECKING:
    from collections.abc import Iterable

    from wikiapi.store.database import Database

# FTS5's own settings, https://www.sqlite.org/fts5.html#fts5_configuration_options. Words are
# gathered in memory for longer and merged on disk not at all: twice as fast.
_BULK = {"hashsize": 16 << 20, "automerge": 0}
_USUAL = {"hashsize": 1 << 20, "automerge": 4}


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


def begin_bulk(db: Database) -> None:
    """Set the index up for much to come; lasts, over a restart too, until :func:`end_bulk`."""
    _configure(db, _BULK)


def end_bulk(db: Database) -> None:
    """Set the index up for usual again."""
    _configure(db, _USUAL)


def _configure(db: Database, values: dict[str, int]) -> None:
    if db.is_sqlite:
        for name, value in values.items():
            db.raw("INSERT INTO searchindex (searchindex, rank) VALUES (?, ?)", (name, value))
