"""The archive: the revisions of deleted pages, from which they can be restored."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from peewee import Value

from wikiapi.pages.links.derivation import mark_pages_using
from wikiapi.store.database import Database
from wikiapi.store.models import (
    Actor,
    Archive,
    IpChanges,
    Page,
    PageRestrictions,
    Revision,
)
from wikiapi.store.queries import pages as stored_pages
from wikiapi.store.sql.batches import BATCH, chunked
from wikiapi.store.sql.compiled import ByValues
from wikiapi.store.write import search
from wikiapi.store.write.links import delete_links
from wikiapi.store.write.revisions import ip_to_hex

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


_ARCHIVED = ByValues(Archive.select(Archive.ar_rev_id), Archive.ar_rev_id)


def restore_revisions(db: Database, owners: Mapping[int, int]) -> int:
    """Restore revisions from the archive; return their number.

    ``owners`` maps ids of revisions to those of their pages. Revisions that are not archived are
    ignored.
    """
    archived = [row[0] for row in _ARCHIVED.rows(db, owners)]
    by_page: dict[int, list[int]] = {}
    for rev_id in archived:
        by_page.setdefault(owners[rev_id], []).append(rev_id)
    for page_id, rev_ids in by_page.items():
        _restore(db, page_id, rev_ids)
    by_visitors = (
        Revision.select(Revision.rev_id, Revision.rev_timestamp, Actor.actor_name)
        .join(Actor, on=(Actor.actor_id == Revision.rev_actor))
        .where(Actor.actor_user.is_null())
    )
    for batch in chunked(archived, BATCH):
        names = db.execute(by_visitors.where(Revision.rev_id.in_(batch)))
        addresses = [(rev_id, moment, ip_to_hex(name)) for rev_id, moment, name in names]
        rows = [row for row in addresses if row[2]]
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
