"""What has changed in a store since a moment, for work that must not keep others from writing.

What is derived from several pages, such as the links of a page with templates, is computed before
the transaction that stores it. In the transaction, a watermark shows whether one of those pages has
changed in between: every change of a page adds a revision or a log entry, whose ids increase.
"""

from __future__ import annotations

from typing import NamedTuple

from peewee import fn

from wikiapi.store.database import Database
from wikiapi.store.models import Logging, Page, Revision
from wikiapi.store.sql.batches import Key


class Changed(NamedTuple):
    """The pages that have changed.

    ``edited`` has the ids of those with new revisions; ``keys`` the titles of all that have new
    revisions or log entries.
    """

    edited: frozenset[int]
    keys: frozenset[Key]


class Watermark(NamedTuple):
    """The latest revision and log entry at a moment; 0 if there was none."""

    revision_id: int
    log_id: int


def now(db: Database) -> Watermark:
    """Return the watermark of the store as it is. One query."""
    log_id = Logging.select(fn.MAX(Logging.log_id))
    rows = db.execute(Revision.select(fn.MAX(Revision.rev_id), log_id))
    return Watermark(*(int(number or 0) for number in rows[0]))


def changed_since(db: Database, mark: Watermark) -> Changed:
    """Return the pages that have changed since a watermark.

    One query if there are none, otherwise two more, which read only those.
    """
    if now(db) == mark:
        return Changed(frozenset(), frozenset())
    edited = (
        Revision.select(Revision.rev_page, Page.page_namespace, Page.page_title)
        .join_from(Revision, Page, on=(Page.page_id == Revision.rev_page))
        .where(Revision.rev_id > mark.revision_id)
    )
    logged = Logging.select(Logging.log_namespace, Logging.log_title).where(
        Logging.log_id > mark.log_id
    )
    revisions = db.execute(edited)
    keys = [(namespace, title) for _, namespace, title in revisions]
    keys += [(namespace, title) for namespace, title in db.execute(logged)]
    return Changed(frozenset(page_id for page_id, _, _ in revisions), frozenset(keys))
