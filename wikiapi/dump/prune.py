"""Removes pages that a full dump of the present no longer has."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from peewee import fn

from wikiapi.dump.convert import ImportedPage
from wikiapi.dump.deletion import delete_pages
from wikiapi.errors import DumpError
from wikiapi.store.batches import BATCH
from wikiapi.store.database import Database
from wikiapi.store.fields import Int, Timestamp, UInt
from wikiapi.store.models import Page, Revision
from wikiapi.store.models.base import MediaWikiModel
from wikiapi.store.plugintables import create_missing, is_there

IDENTITY = "-prune"
"""What is added to a dump's identity: it is read anew though it may have been imported."""


class Seen(MediaWikiModel):
    """The pages of the dumps that are being read; the table is there for so long only."""

    wseen_page = UInt(key=True)
    wseen_namespace = Int()
    wseen_latest = Timestamp()

    class Meta:
        """Not among the models that every store has."""

        table_name = "wikiapi_seen"


class SeenPages:
    """Notes the pages of dumps, in the transactions that import them."""

    def __init__(self, db: Database) -> None:
        """Make the table, or go on with that of an import that was interrupted."""
        self._db = db
        create_missing(db, [Seen])

    def add(self, pages: Sequence[ImportedPage]) -> None:
        """Note pages."""
        rows = [(p.row.page_id, p.row.namespace, p.latest.timestamp) for p in pages]
        self._db.insert_many(Seen, rows, on_conflict="replace")


def prune(db: Database) -> int:
    """Remove the pages that were not seen; returns how many.

    Left alone are pages in namespaces of which the dumps have none at all, and pages that were
    edited after the dumps' newest edit: they may have been made since.

    Raises:
        DumpError: more than half of the pages would go, so the dumps were hardly full ones.
    """
    if not is_there(db, Seen):
        return 0
    newest = db.scalar(Seen.select(fn.MAX(Seen.wseen_latest)))
    if newest:
        _refuse_if_partial(db, newest)
    removed = 0
    while newest and (batch := [row[0] for row in db.execute(_unseen(newest).limit(BATCH))]):
        removed += delete_pages(db, batch)
    db.execute_sql("DROP TABLE wikiapi_seen")
    return removed


def _refuse_if_partial(db: Database, newest: str) -> None:
    doomed = int(db.scalar(_unseen(newest, fn.COUNT(Page.page_id)).order_by()))
    total = int(db.scalar(Page.select(fn.COUNT(Page.page_id))))
    if doomed * 2 > total:
        db.execute_sql("DROP TABLE wikiapi_seen")
        raise DumpError(
            f"{doomed} of {total} pages are not in the dump, so it is no full one: "
            "none of them was removed"
        )


def _unseen(newest: str, *columns: Any) -> Any:
    seen = Seen.select(Seen.wseen_page)
    namespaces = Seen.select(Seen.wseen_namespace).distinct()
    query = Page.select(*(columns or (Page.page_id,)))
    query = query.join(Revision, on=(Revision.rev_id == Page.page_latest))
    query = query.where(Page.page_namespace.in_(namespaces) & Page.page_id.not_in(seen))
    return query.where(Revision.rev_timestamp <= newest).order_by(Page.page_id)
