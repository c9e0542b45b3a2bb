"""What has changed in a store since a moment, for work that must not keep others from writing.

What is derived from several pages, such as the links of a page with templates, is computed before
the transaction that stores it. In the transaction, a watermark shows whether one of those pages has
changed in between: every change of a page adds a revision or a log entry, whose ids increase.

Where several transactions write at the same time, a row can become visible after one with a greater
id. A watermark therefore notes which of the last ids were visible, and a transaction is repeated if
its ids are not among the last ones any more when it is committed.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any, NamedTuple

from peewee import fn

from wikiapi.store.database import Database
from wikiapi.store.engines.dialect import BoundStatement
from wikiapi.store.models import Logging, Page, Revision
from wikiapi.store.sql.batches import Key
from wikiapi.store.sql.compiled import CompiledQuery
from wikiapi.store.sql.statements import Row


class Changed(NamedTuple):
    """The pages that have changed.

    ``edited`` has the ids of those with new revisions; ``keys`` the titles of all that have new
    revisions or log entries.
    """

    edited: frozenset[int]
    keys: frozenset[Key]


WINDOW = 64
"""How many of the last ids may belong to transactions that are not committed yet."""


class Ids(NamedTuple):
    """The greatest id at a moment; 0 if there was none.

    ``visible`` has the last ones that were visible, where rows may become visible after others with
    greater ids.
    """

    last: int
    visible: frozenset[int] = frozenset()


class Watermark(NamedTuple):
    """The ids of the revisions and of the log entries at a moment."""

    revisions: Ids
    entries: Ids


def now(db: Database) -> Watermark:
    """Return the watermark of the store as it is. One query."""
    if db.can_share:
        rows = db.execute_sql(_LAST_IDS, reading=True)
        ids = [frozenset(number for kind, number in rows if kind == each) for each in range(2)]
        revisions, entries = (Ids(max(each, default=0), each) for each in ids)
        return Watermark(revisions, entries)
    greatest = db.execute(_GREATEST_IDS())[0]
    return Watermark(*(Ids(int(number or 0)) for number in greatest))


_GREATEST_IDS = CompiledQuery(
    lambda: Revision.select(fn.MAX(Revision.rev_id), Logging.select(fn.MAX(Logging.log_id)))
)


_LAST_IDS = (
    f"(SELECT 0, rev_id FROM revision ORDER BY rev_id DESC LIMIT {WINDOW})"  # noqa: S608
    f" UNION ALL (SELECT 1, log_id FROM logging ORDER BY log_id DESC LIMIT {WINDOW})"
)


def stay_in_window(db: Database, column: Any, number: int) -> None:
    """Repeat the transaction if an id of a row that it has inserted is too low when it ends.

    ``column`` is that of the ids of revisions or log entries. Call this where others can write
    during the transaction.
    """
    ids = db.at_end(_InsertedIds, partial(_InsertedIds, db))
    ids.lowest.setdefault(column, number)


class _InsertedIds:
    """Has the transaction repeated if one of the ids has left the window.

    That is determined when nobody else can commit before it: see ``generation.advance``.
    """

    place = 3

    def __init__(self, db: Database) -> None:
        self._db = db
        self.lowest: dict[Any, int] = {}

    def statements(self) -> Iterator[BoundStatement]:
        for column, number in self.lowest.items():
            sql, values = self._db.bound(column.model.select(fn.MAX(column)))
            condition = f"({sql}) < {number + WINDOW:d}"
            yield self._db.dialect.refuse_unless.format(condition), values


def changed_since(db: Database, mark: Watermark) -> Changed:
    """Return the pages that have changed since a watermark.

    One query if there are none, otherwise up to two more, which read only those.
    """
    present = now(db)
    revisions: list[Row] = []
    entries: list[Row] = []
    if present.revisions != mark.revisions:
        edited = Revision.select(Revision.rev_page, Page.page_namespace, Page.page_title)
        edited = edited.join_from(Revision, Page, on=(Page.page_id == Revision.rev_page))
        revisions = db.execute(edited.where(*_after(mark.revisions, Revision.rev_id)))
    if present.entries != mark.entries:
        logged = Logging.select(Logging.log_namespace, Logging.log_title)
        entries = db.execute(logged.where(*_after(mark.entries, Logging.log_id)))
    keys = [(row[-2], row[-1]) for row in (*revisions, *entries)]
    return Changed(frozenset(row[0] for row in revisions), frozenset(keys))


def _after(ids: Ids, column: Any) -> list[Any]:
    """Return the conditions that a row was not visible when these ids were the last ones."""
    if not ids.visible:
        return [column > ids.last]
    return [column > ids.last - WINDOW, column.not_in(sorted(ids.visible))]
