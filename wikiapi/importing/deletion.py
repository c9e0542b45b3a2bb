"""Deletes pages as MediaWiki does: revisions are moved to the archive and can be restored.

Pages are deleted when a newer full dump does not contain them (:func:`prune`), or when they have
been deleted on a live wiki.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from peewee import fn

from wikiapi.errors import DumpError
from wikiapi.importing.convert import ImportedPage
from wikiapi.pages.archive import archive, delete_pages
from wikiapi.store.database import Database
from wikiapi.store.fields import Int, Timestamp, UInt
from wikiapi.store.models import Page, Revision, UpdateLog
from wikiapi.store.models.base import MediaWikiModel
from wikiapi.store.queries import pages as stored_pages
from wikiapi.store.queries.pages import PageRow
from wikiapi.store.schema.migrate import create_missing, is_there
from wikiapi.store.sql.batches import BATCH

_DISPLACED = "wikiapi-displaced-"
PRUNE_IDENTITY = "-prune"
"""The suffix of the identity of a dump imported to prune, so that it is read even if it was
imported before."""


def note_displaced(db: Database, rows: Iterable[PageRow]) -> None:
    """Record pages whose titles are now those of other pages.

    A displaced page was renamed if the dump has it under another title, and deleted otherwise; see
    :func:`settle_displaced`.
    """
    values = [(f"{_DISPLACED}{row.page_id}", f"{row.namespace}:{row.title}") for row in rows]
    db.insert_many(UpdateLog, values, on_conflict="replace")


def settle_displaced(db: Database) -> int:
    """Archive the revisions of displaced pages that are not in the store; return their number.

    Call this after the last of the dumps that belong together.
    """
    query = UpdateLog.select(UpdateLog.ul_key, UpdateLog.ul_value)
    noted = {
        int(key.removeprefix(_DISPLACED)): value.partition(":")
        for key, value in db.execute(query.where(UpdateLog.ul_key.startswith(_DISPLACED)))
    }
    if not noted:
        return 0
    with db.atomic():
        gone = noted.keys() - stored_pages.by_ids(db, noted).keys()
        for page_id in sorted(gone):
            namespace, _, title = noted[page_id]
            archive(db, page_id, int(namespace), title)
        db.execute_write(UpdateLog.delete().where(UpdateLog.ul_key.startswith(_DISPLACED)))
    return len(gone)


class PageInDumps(MediaWikiModel):
    """The pages of the dumps being imported to prune; the table is dropped at the end."""

    wseen_page = UInt(key=True)
    wseen_namespace = Int()
    wseen_latest = Timestamp()

    class Meta:
        """The name of the table."""

        table_name = "wikiapi_seen"


def begin_pruning(db: Database) -> None:
    """Create the table of the pages in dumps, unless an interrupted import has left it."""
    create_missing(db, [PageInDumps])


def note_in_dump(db: Database, pages: Iterable[ImportedPage]) -> None:
    """Record pages of a dump, in the transaction that imports them."""
    rows = [(page.row.page_id, page.row.namespace, page.latest.timestamp) for page in pages]
    db.insert_many(PageInDumps, rows, on_conflict="replace")


def prune(db: Database) -> int:
    """Delete the pages that the dumps do not contain; return their number.

    Pages are kept if the dumps have no page in their namespace, or if they were edited after the
    newest edit in the dumps, since they may have been created later.

    Raises:
        DumpError: more than half of the pages would be deleted, so the dumps cannot be full ones.
    """
    if not is_there(db, PageInDumps):
        return 0
    newest = db.scalar(PageInDumps.select(fn.MAX(PageInDumps.wseen_latest)))
    removed = 0
    if newest:
        doomed = int(db.scalar(_missing(newest, fn.COUNT(Page.page_id)).order_by()))
        total = int(db.scalar(Page.select(fn.COUNT(Page.page_id))))
        if doomed * 2 > total:
            db.execute_sql("DROP TABLE wikiapi_seen")
            raise DumpError(
                f"{doomed} of {total} pages are not in the dump, so it is not a full dump: "
                "none of them was removed"
            )
        while batch := [row[0] for row in db.execute(_missing(newest).limit(BATCH))]:
            removed += delete_pages(db, batch)
    db.execute_sql("DROP TABLE wikiapi_seen")
    return removed


def _missing(newest: str, *columns: Any) -> Any:
    """Return a query of the pages that the dumps do not contain."""
    in_dumps = PageInDumps.select(PageInDumps.wseen_page)
    namespaces = PageInDumps.select(PageInDumps.wseen_namespace).distinct()
    query = Page.select(*(columns or (Page.page_id,)))
    query = query.join(Revision, on=(Revision.rev_id == Page.page_latest))
    query = query.where(Page.page_namespace.in_(namespaces) & Page.page_id.not_in(in_dumps))
    return query.where(Revision.rev_timestamp <= newest).order_by(Page.page_id)
