"""Updates the full-text index. In a database without one, these functions do nothing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager

from wikiapi.store.database import Database
from wikiapi.store.fulltext import FullText, index_of_kind


def rebuild(db: Database) -> None:
    """Index the current texts of all pages, which is the fastest way after an import."""
    if index := _index(db):
        index.rebuild()


@contextmanager
def reindexing(db: Database, page_id: int, *, is_new: bool = False) -> Iterator[None]:
    """Return a context manager in which the latest revision of a page may change.

    A page that ``is_new`` is not in the index yet.
    """
    index = _index(db)
    if index and not is_new:
        index.remove([page_id])
    yield
    if index:
        index.add([page_id])


def remove(db: Database, page_ids: Sequence[int]) -> None:
    """Remove pages from the index. Call this before their latest revision changes."""
    if page_ids and (index := _index(db)):
        index.remove(page_ids)


def add(db: Database, page_ids: Sequence[int]) -> None:
    """Add the current texts of pages that are not in the index."""
    if page_ids and (index := _index(db)):
        index.add(page_ids)


def add_texts(db: Database, rows: Iterable[tuple[int, str, str]]) -> None:
    """Add (page id, database key, text) of pages that are not in the index."""
    if index := _index(db):
        index.add_texts(rows)


def begin_bulk(db: Database) -> None:
    """Prepare the index for the insertion of many pages.

    The settings are stored in the database until :func:`end_bulk` is called.
    """
    if index := _index(db):
        index.bulk(begins=True)


def end_bulk(db: Database) -> None:
    """Return the index to its normal settings."""
    if index := _index(db):
        index.bulk(begins=False)


def _index(db: Database) -> FullText | None:
    """Return the index, if any."""
    return index_of_kind(db, db.full_text)
