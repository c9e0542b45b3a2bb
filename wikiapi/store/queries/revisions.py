"""Revisions with their authors and summaries, without the values that are hidden."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from peewee import SQL

from wikiapi.store.database import Database
from wikiapi.store.models import Actor, Archive, Comment, Page, Revision
from wikiapi.store.queries.visibility import COMMENT, TEXT, USER, readable_bits
from wikiapi.store.sql.compiled import ByValues
from wikiapi.store.sql.statements import Row


class RevisionRow(NamedTuple):
    """A revision. ``timestamp`` is 14 digits, ``length`` is in bytes, ``minor`` is 0 or 1.

    ``deleted`` contains the visibility bits; the values that they hide (``sha1``, ``comment``,
    ``user_name`` and ``user_id``) are None. ``user_id`` is 0 for authors without an account.
    ``page_id`` and ``parent_id`` of an archived revision may be None, as may ``length`` and
    ``parent_id`` of very old ones.

    The last fields are only set if a query selects them too, in this order: ``namespace`` and
    ``title`` of the page, ``archive_id`` of a deleted revision, ``latest``, the page's current
    revision, ``actor_id``, and ``patrolled`` of the recent change, None if there is none.
    ``readable`` contains the bits of ``deleted`` whose values the reader may see nevertheless.
    """

    rev_id: int
    page_id: int | None
    timestamp: str
    minor: int
    deleted: int
    length: int | None
    parent_id: int | None
    sha1: str | None
    user_id: int | None
    user_name: str | None
    comment: str | None
    namespace: int = 0
    title: str = ""
    archive_id: int | None = None
    latest: int = 0
    actor_id: int = 0
    patrolled: int | None = None
    readable: int = 0


REVISION_COLUMNS = (
    Revision.rev_id,
    Revision.rev_page,
    Revision.rev_timestamp,
    Revision.rev_minor_edit,
    Revision.rev_deleted,
    Revision.rev_len,
    Revision.rev_parent_id,
    Revision.rev_sha1,
    Actor.actor_user,
    Actor.actor_name,
    Comment.comment_text,
)

ARCHIVE_COLUMNS = (
    Archive.ar_rev_id,
    Archive.ar_page_id,
    Archive.ar_timestamp,
    Archive.ar_minor_edit,
    Archive.ar_deleted,
    Archive.ar_len,
    Archive.ar_parent_id,
    Archive.ar_sha1,
    Actor.actor_user,
    Actor.actor_name,
    Comment.comment_text,
)

_NOTHING = SQL("NULL")
_USER_ID = RevisionRow._fields.index("user_id")


SELECT_REVISIONS = (
    Revision.select(*REVISION_COLUMNS)
    .join_from(Revision, Actor, on=(Actor.actor_id == Revision.rev_actor))
    .join_from(Revision, Comment, on=(Comment.comment_id == Revision.rev_comment_id))
)
"""All revisions: add conditions, columns, an order and a limit, and read the rows with ``read``.

Author and summary are joined as ``Actor`` and ``Comment``.
"""

SELECT_REVISIONS_WITH_PAGE = SELECT_REVISIONS.join_from(
    Revision, Page, on=(Page.page_id == Revision.rev_page)
)
"""The same, with ``Page`` joined as well."""

SELECT_UNHASHED_REVISIONS_WITH_PAGE = SELECT_REVISIONS_WITH_PAGE.select(
    *(_NOTHING if column is Revision.rev_sha1 else column for column in REVISION_COLUMNS)
)
"""The same with None for the hashes, which take long to read and are rarely needed."""

SELECT_ARCHIVED_REVISIONS = (
    Archive.select(*ARCHIVE_COLUMNS)
    .join_from(Archive, Actor, on=(Actor.actor_id == Archive.ar_actor))
    .join_from(Archive, Comment, on=(Comment.comment_id == Archive.ar_comment_id))
)
"""The deleted revisions; ``read`` reads these rows too."""

_REVISIONS_BY_ID = ByValues(SELECT_REVISIONS, Revision.rev_id)
_LATEST = ByValues(
    SELECT_REVISIONS.join_from(
        Revision,
        Page,
        on=((Page.page_latest == Revision.rev_id) & (Page.page_id == Revision.rev_page)),
    ),
    Page.page_id,
)
_LENGTHS = ByValues(Revision.select(Revision.rev_id, Revision.rev_len), Revision.rev_id)
_ARCHIVED_LENGTHS = ByValues(Archive.select(Archive.ar_rev_id, Archive.ar_len), Archive.ar_rev_id)
TIMESTAMPS = ByValues(Revision.select(Revision.rev_id, Revision.rev_timestamp), Revision.rev_id)
_ARCHIVED_TIMESTAMPS = ByValues(
    Archive.select(Archive.ar_rev_id, Archive.ar_timestamp), Archive.ar_rev_id
)


def read(row: Row, readable: int = 0) -> RevisionRow:
    """Return the revision in a row of one of the queries above, without hidden values.

    ``readable`` contains the visibility bits of hidden values that the reader may see.
    """
    if row[_USER_ID] is None:
        row = (*row[:_USER_ID], 0, *row[_USER_ID + 1 :])
    revision = RevisionRow(*row)
    return _without_hidden(revision, readable) if revision.deleted else revision


def by_ids(db: Database, revision_ids: Iterable[int], readable: int = 0) -> dict[int, RevisionRow]:
    """Return the revisions with the ids that exist and are not deleted. One query.

    ``readable`` contains the visibility bits of hidden values that the reader may see.
    """
    rows = _REVISIONS_BY_ID.rows(db, revision_ids)
    return {row[0]: read(row, readable) for row in rows}


def latest_of_pages(db: Database, page_ids: Iterable[int]) -> dict[int, RevisionRow]:
    """Return the current revision of each page, by page id. One query."""
    return {row[1]: read(row) for row in _LATEST.rows(db, page_ids)}


def parent_lengths(db: Database, revision_ids: Iterable[int]) -> dict[int, int]:
    """Return the length in bytes of each revision that exists, deleted or not. Two queries."""
    positive = [revision_id for revision_id in revision_ids if revision_id]
    lengths: dict[int, int | None] = dict(_LENGTHS.rows(db, positive))
    missing = [revision_id for revision_id in positive if revision_id not in lengths]
    lengths.update(_ARCHIVED_LENGTHS.rows(db, missing))
    return {revision_id: length or 0 for revision_id, length in lengths.items()}


def timestamps(db: Database, revision_ids: Iterable[int]) -> dict[int, str]:
    """Return the timestamp of each revision that exists, deleted or not. Two queries."""
    positive = [revision_id for revision_id in revision_ids if revision_id > 0]
    times: dict[int, str] = dict(TIMESTAMPS.rows(db, positive))
    missing = [revision_id for revision_id in positive if revision_id not in times]
    times.update(_ARCHIVED_TIMESTAMPS.rows(db, missing))
    return times


def _without_hidden(row: RevisionRow, readable: int) -> RevisionRow:
    readable = readable_bits(row.deleted, readable)
    bits = row.deleted & ~readable
    row = row._replace(readable=readable)
    if bits & TEXT:
        row = row._replace(sha1=None)
    if bits & COMMENT:
        row = row._replace(comment=None)
    return row._replace(user_id=None, user_name=None) if bits & USER else row
