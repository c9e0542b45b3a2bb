"""The state of a store's content, by which two copies of it are compared."""

from __future__ import annotations

from typing import NamedTuple

from peewee import fn

from wikiapi.store.database import Database
from wikiapi.store.models import Page, Revision


class StoreState(NamedTuple):
    """What differs between two states of the content. Link tables are not part of it."""

    revisions: int
    newest: int
    """The largest id of a revision."""
    pages: int
    latest: int
    """The sum of the ids of all pages' current revisions."""


def current(db: Database) -> StoreState:
    """Return the state of a store. Two queries, which read all rows of an index or table."""
    revisions = db.row(Revision.select(fn.COUNT(Revision.rev_id), fn.MAX(Revision.rev_id)))
    pages = db.row(Page.select(fn.COUNT(Page.page_id), fn.SUM(Page.page_latest)))
    return StoreState(*(int(value or 0) for value in (*(revisions or ()), *(pages or ()))))
