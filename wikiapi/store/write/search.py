"""Filling the full-text index. On the server databases, which have none, nothing happens."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from wikiapi.store.database import Database


def rebuild(db: Database) -> None:
    """Index the current texts of all pages; the fastest way after an import."""
    if db.is_sqlite:
        with db.atomic():
            db.raw("INSERT INTO searchindex (searchindex) VALUES ('rebuild')")


def remove(db: Database, page_ids: Sequence[int]) -> None:
    """Take indexed pages out. Call before their latest revision changes: the index forgets words by
    reading the text that it was made from.
    """
    if db.is_sqlite and page_ids:
        with db.atomic():
            for page_id in page_ids:
                db.raw("DELETE FROM searchindex WHERE rowid = ?", (page_id,))


def add(db: Database, page_ids: Sequence[int]) -> None:
    """Index pages that are not in the index, as they are now."""
    if db.is_sqlite and page_ids:
        with db.atomic():
            for page_id in page_ids:
                db.raw(
                    "INSERT INTO searchindex (rowid, si_title, si_text)"
                    " SELECT page_id, si_title, si_text FROM searchsource WHERE page_id = ?",
                    (page_id,),
                )
