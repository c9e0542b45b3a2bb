"""The pages of the MediaWiki namespace, with which a wiki changes its interface."""

from __future__ import annotations

from typing import NamedTuple

from peewee import fn

from wikiapi.store.database import Database
from wikiapi.store.models import Logging, Page, Revision, UpdateLog
from wikiapi.store.queries import generation
from wikiapi.store.sql.compiled import CompiledQuery

_NAMESPACE = 8


class State(NamedTuple):
    """What differs after pages have been changed: the latest revision and log entry, and imports.

    Values are None where there is none.
    """

    revision_id: int | None
    log_id: int | None
    generation: str | None


_STATE = CompiledQuery(
    lambda: Revision.select(
        fn.MAX(Revision.rev_id),
        Logging.select(fn.MAX(Logging.log_id)),
        UpdateLog.select(UpdateLog.ul_value).where(UpdateLog.ul_key == generation.KEY),
    )
)
_NAMES = CompiledQuery(
    lambda: Page.select(Page.page_title).where(Page.page_namespace == _NAMESPACE)
)


def state(db: Database) -> State:
    """Return the state of the store. One query, which reads three rows."""
    row = db.row(_STATE())
    return State(*row) if row else State(None, None, None)


def names(db: Database) -> frozenset[str]:
    """Return the names of all pages of the namespace. One query."""
    return frozenset(row[0] for row in db.execute(_NAMES()))
