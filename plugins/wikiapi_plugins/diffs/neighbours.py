"""The revisions of a page before and after one, by time."""

from __future__ import annotations

from typing import Any

from wikiapi.store import Database, RevisionRow
from wikiapi.store.models import Revision


def before(db: Database, revision: RevisionRow) -> int | None:
    """The id of the revision before. One query."""
    moment, number = Revision.rev_timestamp, Revision.rev_id
    earlier = (moment < revision.timestamp) | (
        (moment == revision.timestamp) & (number < revision.rev_id)
    )
    return _first(db, revision, earlier, (moment.desc(), number.desc()))


def after(db: Database, revision: RevisionRow) -> int | None:
    """The id of the revision after. One query."""
    moment, number = Revision.rev_timestamp, Revision.rev_id
    later = (moment > revision.timestamp) | (
        (moment == revision.timestamp) & (number > revision.rev_id)
    )
    return _first(db, revision, later, (moment, number))


def _first(db: Database, revision: RevisionRow, condition: Any, order: Any) -> int | None:
    query = Revision.select(Revision.rev_id).where(Revision.rev_page == revision.page_id, condition)
    rows = db.execute(query.order_by(*order).limit(1))
    return int(rows[0][0]) if rows else None
