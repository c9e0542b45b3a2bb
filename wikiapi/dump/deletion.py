"""Deletes pages as MediaWiki does: revisions are moved to the archive and can be restored.

Pages are deleted when a newer full dump does not contain them (:func:`prune`), or when they have
been deleted on a live wiki.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from peewee import Value, fn

from wikiapi.dump.convert import ImportedPage
from wikiapi.dump.links.deriver import mark_pages_using
from wikiapi.errors import DumpError
from wikiapi.store.database import Database
from wikiapi.store.fields import Int, Timestamp, UInt
from wikiapi.store.models import (
    Actor,
    Archive,
    IpChanges,
    Page,
    PageRestrictions,
    Revision,
    UpdateLog,
)
from wikiapi.store.models.base import MediaWikiModel
from wikiapi.store.queries import pages as stored_pages
from wikiapi.store.queries.pages import PageRow
from wikiapi.store.schema.plugintables import create_missing, is_there
from wikiapi.store.sql.batches import BATCH, fetch_in
from wikiapi.store.sql.statements import chunked
from wikiapi.store.write import search
from wikiapi.store.write.links import delete_links
from wikiapi.store.write.revisions import ip_to_hex

_DISPLACED = "wikiapi-displaced-"
_COLUMNS = (
    (Archive.ar_comment_id, Revision.rev_comment_id),
    (Archive.ar_actor, Revision.rev_actor),
    (Archive.ar_timestamp, Revision.rev_timestamp),
    (Archive.ar_minor_edit, Revision.rev_minor_edit),
    (Archive.ar_rev_id, Revision.rev_id),
    (Archive.ar_deleted, Revision.rev_deleted),
    (Archive.ar_len, Revision.rev_len),
    (Archive.ar_parent_id, Revision.rev_parent_id),
    (Archive.ar_sha1, Revision.rev_sha1),
)
PRUNE_IDENTITY = "-prune"
"""The suffix of the identity of a dump imported to prune, so that it is read even if it was
imported before."""


def delete_pages(db: Database, page_ids: Iterable[int]) -> int:
    """Delete pages with everything that belongs to them; return their number.

    Pages that transclude a deleted page or test whether it exists are marked, so that their links
    are derived again.
    """
    rows = list(stored_pages.by_ids(db, page_ids).values())
    with db.atomic():
        mark_pages_using(db, [row.key for row in rows])
        for row in rows:
            archive(db, row.page_id, row.namespace, row.title)
        remove_rows(db, [row.page_id for row in rows])
    return len(rows)


def remove_rows(db: Database, page_ids: Sequence[int]) -> None:
    """Delete the rows of pages, their links, protections and index entries, but not revisions."""
    for batch in chunked(page_ids, BATCH):
        search.remove(db, batch)
        delete_links(db, batch)
        db.execute_write(PageRestrictions.delete().where(PageRestrictions.pr_page.in_(batch)))
        db.execute_write(Page.delete().where(Page.page_id.in_(batch)))


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


def restore_revisions(db: Database, owners: Mapping[int, int]) -> int:
    """Restore revisions from the archive; return their number.

    ``owners`` maps ids of revisions to those of their pages. Revisions that are not archived are
    ignored.
    """
    query = Archive.select(Archive.ar_rev_id)
    archived = [row[0] for row in fetch_in(db, query, Archive.ar_rev_id, owners)]
    by_page: dict[int, list[int]] = {}
    for rev_id in archived:
        by_page.setdefault(owners[rev_id], []).append(rev_id)
    for page_id, rev_ids in by_page.items():
        _restore(db, page_id, rev_ids)
    for batch in chunked(archived, BATCH):
        names = db.execute(_names().where(Revision.rev_id.in_(batch)))
        found = [(rev_id, moment, ip_to_hex(name)) for rev_id, moment, name in names]
        rows = [row for row in found if row[2]]
        db.insert_many(IpChanges, rows, on_conflict="ignore")
        db.execute_write(Archive.delete().where(Archive.ar_rev_id.in_(batch)))
    return len(archived)


def archive(db: Database, page_id: int, namespace: int, title: str) -> None:
    """Move the revisions of a page to the archive, but keep the page's own row."""
    of_page = Revision.rev_page == page_id
    values = (_value(namespace), _value(title), Revision.rev_page, *(c[1] for c in _COLUMNS))
    rows = Revision.select(*values).where(of_page).order_by(Revision.rev_id)
    head = (Archive.ar_namespace, Archive.ar_title, Archive.ar_page_id)
    db.execute_write(Archive.insert_from(rows, (*head, *(c[0] for c in _COLUMNS))))
    theirs = Revision.select(Revision.rev_id).where(of_page)
    db.execute_write(IpChanges.delete().where(IpChanges.ipc_rev_id.in_(theirs)))
    db.execute_write(Revision.delete().where(of_page))


def _restore(db: Database, page_id: int, rev_ids: list[int]) -> None:
    values = (_value(page_id), *(c[0] for c in _COLUMNS))
    for batch in chunked(rev_ids, BATCH):
        rows = Archive.select(*values).where(Archive.ar_rev_id.in_(batch))
        db.execute_write(Revision.insert_from(rows, (Revision.rev_page, *(c[1] for c in _COLUMNS))))


def _value(value: int | str) -> Any:
    return Value(value, converter=False)


def _names() -> Any:
    query = Revision.select(Revision.rev_id, Revision.rev_timestamp, Actor.actor_name)
    query = query.join(Actor, on=(Actor.actor_id == Revision.rev_actor))
    return query.where(Actor.actor_user.is_null())


class Seen(MediaWikiModel):
    """The pages of the dumps being imported to prune; the table is dropped at the end."""

    wseen_page = UInt(key=True)
    wseen_namespace = Int()
    wseen_latest = Timestamp()

    class Meta:
        """The name of the table."""

        table_name = "wikiapi_seen"


class SeenPages:
    """Records the pages of dumps, in the transactions that import them."""

    def __init__(self, db: Database) -> None:
        """Create the table, or continue with the table of an interrupted import."""
        self._db = db
        create_missing(db, [Seen])

    def add(self, pages: Sequence[ImportedPage]) -> None:
        """Record pages."""
        rows = [(p.row.page_id, p.row.namespace, p.latest.timestamp) for p in pages]
        self._db.insert_many(Seen, rows, on_conflict="replace")


def prune(db: Database) -> int:
    """Delete the pages that the dumps do not contain; return their number.

    Pages are kept if the dumps have no page in their namespace, or if they were edited after the
    newest edit in the dumps, since they may have been created later.

    Raises:
        DumpError: more than half of the pages would be deleted, so the dumps cannot be full ones.
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
            f"{doomed} of {total} pages are not in the dump, so it is not a full dump: "
            "none of them was removed"
        )


def _unseen(newest: str, *columns: Any) -> Any:
    seen = Seen.select(Seen.wseen_page)
    namespaces = Seen.select(Seen.wseen_namespace).distinct()
    query = Page.select(*(columns or (Page.page_id,)))
    query = query.join(Revision, on=(Revision.rev_id == Page.page_latest))
    query = query.where(Page.page_namespace.in_(namespaces) & Page.page_id.not_in(seen))
    return query.where(Revision.rev_timestamp <= newest).order_by(Page.page_id)
