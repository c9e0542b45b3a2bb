"""Puts recent changes into their table: one that is there already keeps its id.

Clients remember changes by their ids, and go on listing them from one. So deriving them again must
leave alone what has not changed.
"""

from __future__ import annotations

from heapq import merge
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING, Any

from peewee import fn

from wikiapi.store.models import RecentChanges
from wikiapi.store.statements import chunked
from wikiapi.store.write.bulk import without_indexes

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from wikiapi.store.database import Database

    Row = Sequence[Any]

BATCH = 2_000
COLUMNS = (
    *("rc_timestamp", "rc_actor", "rc_namespace", "rc_title", "rc_comment_id"),
    *("rc_minor", "rc_bot", "rc_cur_id", "rc_this_oldid", "rc_last_oldid"),
    *("rc_type", "rc_source", "rc_patrolled", "rc_ip", "rc_old_len", "rc_new_len", "rc_deleted"),
    *("rc_logid", "rc_log_type", "rc_log_action", "rc_params"),
)
"""Those of the rows that are put there: all but the id, the time first."""
_REVISION, _ENTRY = COLUMNS.index("rc_this_oldid"), COLUMNS.index("rc_logid")


def put_changes(db: Database, made: Iterable[Row]) -> int:
    """Make the table hold these rows, which come by time, and no others; returns their number.

    In memory at once are some thousand rows and those of one second. Call in a transaction.
    """
    last = db.scalar(RecentChanges.select(fn.MAX(RecentChanges.rc_id)))
    return _put_all(db, made) if last is None else _put_differing(db, made, last)


def _put_all(db: Database, made: Iterable[Row]) -> int:
    """The same where the table is empty, as it is after the first import."""
    total = 0
    with without_indexes(db, RecentChanges):
        for batch in chunked(made, BATCH):
            db.insert_many(RecentChanges, batch, COLUMNS)
            total += len(batch)
    return total


def _put_differing(db: Database, made: Iterable[Row], last: int) -> int:
    writer, total = _Writer(db), 0
    for mine, theirs in _by_moment(made, _there(db, last)):
        writer.settle(mine, theirs)
        total += len(mine)
    writer.flush()
    return total


class _Writer:
    """Gathers what differs and writes it in batches."""

    def __init__(self, db: Database) -> None:
        self._db = db
        self._gone: list[int] = []
        self._other: list[Row] = []
        self._new: list[Row] = []

    def settle(self, mine: Iterable[Row], theirs: Iterable[Row]) -> None:
        """Compare the rows of one moment, as they are to be, with those there, with their ids."""
        known = {_subject(row[1:]): row for row in theirs}
        for row in mine:
            there = known.pop(_subject(row), None)
            if there is None:
                self._new.append(row)
            elif tuple(row) != tuple(there[1:]):
                self._gone.append(there[0])
                self._other.append((there[0], *row))
        self._gone += (row[0] for row in known.values())
        if len(self._gone) + len(self._new) >= BATCH:
            self.flush()

    def flush(self) -> None:
        """Write what has been gathered."""
        for start in range(0, len(self._gone), BATCH):
            ids = self._gone[start : start + BATCH]
            self._db.run(RecentChanges.delete().where(RecentChanges.rc_id.in_(ids)))
        self._db.insert_many(RecentChanges, self._other, ("rc_id", *COLUMNS))
        self._db.insert_many(RecentChanges, self._new, COLUMNS)
        self._gone, self._other, self._new = [], [], []


def _subject(row: Row) -> tuple[int, int]:
    """What a change is about: an entry of the log, or else a revision."""
    return row[_ENTRY], 0 if row[_ENTRY] else row[_REVISION]


def _by_moment(made: Iterable[Row], there: Iterable[Row]) -> Iterator[tuple[list[Row], list[Row]]]:
    """The rows of each moment of both, each of which comes by time."""
    mine = ((row[0], True, row) for row in made)
    theirs = ((row[1], False, row) for row in there)
    both = merge(mine, theirs, key=itemgetter(0))
    for _, group in groupby(both, itemgetter(0)):
        rows = list(group)
        yield (
            [row for _, is_mine, row in rows if is_mine],
            [row for _, is_mine, row in rows if not is_mine],
        )


def _there(db: Database, last: int) -> Iterator[Row]:
    """The rows up to an id, by time, with their ids: none of those that are written meanwhile."""
    table = RecentChanges
    time, number = table.rc_timestamp, table.rc_id
    columns = [getattr(table, name) for name in ("rc_id", *COLUMNS)]
    query = table.select(*columns).where(number <= last).order_by(time, number).limit(BATCH)
    rows = db.rows(query)
    while rows:
        yield from rows
        known, moment = rows[-1][:2]
        after = (time > moment) | ((time == moment) & (number > known))
        rows = db.rows(query.where((time >= moment) & after))
