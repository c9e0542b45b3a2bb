"""Filling the full-text index. In a database that has none nothing happens."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from wikiapi.store.database import Database
from wikiapi.store.fulltext import index_of_kind
from wikiapi.store.fulltext.base import FullText


def rebuild(db: Database) -> None:
    """Index the current texts of all pages; the fastest way after an import."""
    if index := _index(db):
        index.rebuild()


def remove(db: Database, page_ids: Sequence[int]) -> None:
    """Take indexed pages out. Call before their latest revision changes."""
    if page_ids and (index := _index(db)):
        index.remove(page_ids)


def add(db: Database, page_ids: Sequence[int]) -> None:
    """Index pages that are not in the index, as they are now."""
    if page_ids and (index := _index(db)):
        index.add(page_ids)


def add_texts(db: Database, rows: Iterable[tuple[int, str, str]]) -> None:
    """Index (page id, database key, text) of pages that are not in the index."""
    if index := _index(db):
        index.add_texts(rows)


def begin_bulk(db: Database) -> None:
    """Set the index up for much to come; lasts, over a restart too, until :func:`end_bulk`."""
    if index := _index(db):
        index.bulk(begins=True)


def end_bulk(db: Database) -> None:
    """Set the index up for usual again."""
    if index := _index(db):
        index.bulk(begins=False)


def _index(db: Database) -> FullText | None:
    """Return the index. It is looked up each time, since a store that is being filled may change
    it.
    """
    return index_of_kind(db, db.catalog.full_text())
