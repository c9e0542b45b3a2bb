"""Queries for the revisions of a page before and after a given one, by time."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from peewee import SQL, fn

from wikiapi.store import ByValues, Database, RevisionRow
from wikiapi.store.models import Revision

_Earlier = Revision.alias()
_WITH_EARLIER = ByValues(
    Revision.select(Revision.rev_id).where(
        fn.EXISTS(
            _Earlier.select(SQL("1")).where(
                _Earlier.rev_page == Revision.rev_page,
                (_Earlier.rev_timestamp < Revision.rev_timestamp)
                | (
                    (_Earlier.rev_timestamp == Revision.rev_timestamp)
                    & (_Earlier.rev_id < Revision.rev_id)
                ),
            )
        )
    ),
    Revision.rev_id,
)


def with_earlier(db: Database, revision_ids: Iterable[int]) -> set[int]:
    """Return the revisions that are not the first of their pages. One query."""
    return {row[0] for row in _WITH_EARLIER.rows(db, revision_ids)}


def before(db: Database, revision: RevisionRow) -> int | None:
    """Return the id of the revision before a given one, or ``None``. One query."""
    moment, number = Revision.rev_timestamp, Revision.rev_id
    earlier = (moment < revision.timestamp) | (
        (moment == revision.timestamp) & (number < revision.rev_id)
    )
    return _first(db, revision, earlier, (moment.desc(), number.desc()))


def after(db: Database, revision: RevisionRow) -> int | None:
    """Return the id of the revision after a given one, or ``None``. One query."""
    moment, number = Revision.rev_timestamp, Revision.rev_id
    later = (moment > revision.timestamp) | (
        (moment == revision.timestamp) & (number > revision.rev_id)
    )
    return _first(db, revision, later, (moment, number))


def _first(db: Database, revision: RevisionRow, condition: Any, order: Any) -> int | None:
    query = Revision.select(Revision.rev_id).where(Revision.rev_page == revision.page_id, condition)
    rows = db.execute(query.order_by(*order).limit(1))
    return int(rows[0][0]) if rows else None
