"""Derives the recent changes from revisions and log entries.

A dump contains no recent changes, but they can be derived from its revisions and log, as
https://www.mediawiki.org/wiki/Manual:RebuildRecentchanges.php does for MediaWiki's tables.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from heapq import merge
from itertools import groupby
from operator import itemgetter
from typing import Any

from peewee import JOIN, fn

from wikiapi.store import phpvalues
from wikiapi.store.database import Database
from wikiapi.store.models import (
    Actor,
    ChangeTag,
    Logging,
    Page,
    RecentChanges,
    Revision,
    UserGroups,
)
from wikiapi.store.sql.batches import chunked
from wikiapi.store.sql.statements import Row
from wikiapi.store.write.bulk import without_indexes

_BATCH = 2_000
_EDIT, _NEW, _LOG = (0, "mw.edit"), (1, "mw.new"), (3, "mw.log")
"""rc_type and rc_source."""
_BY_ITSELF = 2
_BOTS = "bot"
_UNPUBLISHED = ("create", "managetags", "patrol", "suppress", "tag")
"""Types of log entries that are not recent changes, because they are private or duplicate one."""
_UNPUBLISHED_ACTIONS = ("autocreate",)
_REVISION_OF_ENTRY = "associated_rev_id"
_LARGEST = 2**32 - 1


def newest(db: Database) -> str | None:
    """Return the time (14 digits) of the last edit or log entry; None in an empty store."""
    columns = (Revision.rev_timestamp, Logging.log_timestamp)
    moments = [db.scalar(column.model.select(fn.MAX(column))) for column in columns]
    return max(filter(None, moments), default=None)


def rebuild_recent_changes(db: Database, since: str) -> int:
    """Replace the recent changes with the edits and log entries since a time (14 digits).

    Edits that belong to a log entry, such as an upload, are represented by the entry only. Changes
    that are already in the table keep their ids. Returns the number of recent changes.
    """
    with db.atomic():
        made = _Maker(db, since)
        total = put_changes(db, merge(made.edits(), made.entries(), key=itemgetter(0)))
        # Tags of revisions and log entries name the recent change.
        here, changes = ChangeTag, RecentChanges
        of_edit = changes.select(fn.MIN(changes.rc_id)).where(
            changes.rc_this_oldid == here.ct_rev_id, changes.rc_source != _LOG[1]
        )
        # Joined by the entry's time, since recent changes have no index on log entries.
        of_entry = (
            changes.select(fn.MIN(changes.rc_id))
            .join(Logging, on=(Logging.log_timestamp == changes.rc_timestamp))
            .where(Logging.log_id == here.ct_log_id, changes.rc_logid == here.ct_log_id)
        )
        db.execute_write(here.update(ct_rc_id=None).where(here.ct_rc_id.is_null(False)))
        db.execute_write(here.update(ct_rc_id=of_edit).where(here.ct_rev_id.is_null(False)))
        db.execute_write(here.update(ct_rc_id=of_entry).where(here.ct_log_id.is_null(False)))
    return total


class _Maker:
    """Builds the rows of recent changes, of edits and of log entries, each sorted by time."""

    def __init__(self, db: Database, since: str) -> None:
        self._db, self._since = db, since
        self._bots = {actor for (actor,) in db.execute(_bots())}
        self._logged_revisions = {number for row in self._entries() if (number := _revision(row))}

    def edits(self) -> Iterator[Row]:
        """Yield the rows of the edits of existing pages."""
        for row in self._in_batches(_edits, Revision.rev_timestamp, Revision.rev_id):
            if row[1] not in self._logged_revisions:
                yield self._edit(*row)

    def entries(self) -> Iterator[Row]:
        """Yield the rows of the entries of public logs."""
        return (self._entry(row) for row in self._entries())

    def _entries(self) -> Iterator[Row]:
        return self._in_batches(_entries, Logging.log_timestamp, Logging.log_id)

    def _in_batches(self, select: Callable[[], Any], time: Any, number: Any) -> Iterator[Row]:
        """Yield the rows of a query whose first columns are time and id, in this order."""
        after = time >= self._since
        query = select().order_by(time, number).limit(_BATCH)
        while rows := self._db.execute(query.where(after)):
            yield from rows
            moment, last = rows[-1][:2]
            after = (time > moment) | ((time == moment) & (number > last))

    def _edit(
        self,
        moment: str,
        revision: int,
        parent: int | None,
        old_length: int | None,
        page: int,
        length: int | None,
        minor: int,
        deleted: int,
        actor: int,
        comment: int,
        *key: Any,
    ) -> Row:
        kind = _EDIT if parent else _NEW
        old = old_length if parent else 0
        return (
            *(moment, actor, *key, comment, minor, int(actor in self._bots)),
            *(page, revision, parent or 0, *kind, 0, "", old, length, deleted),
            *(0, None, "", ""),
        )

    def _entry(self, row: Row) -> Row:
        moment, number, kind, action, actor, namespace, title, page, comment, params, deleted = row
        return (
            *(moment, actor, namespace, title, comment, 0, int(actor in self._bots)),
            *(page or 0, _revision(row), 0, *_LOG, _BY_ITSELF, "", None, None, deleted),
            *(number, kind, action, params),
        )


def _bots() -> Any:
    groups = UserGroups.select(UserGroups.ug_user).where(UserGroups.ug_group == _BOTS)
    return Actor.select(Actor.actor_id).where(Actor.actor_user.in_(groups))


def _edits() -> Any:
    parent: Any = Revision.alias()
    before = parent.rev_id == Revision.rev_parent_id
    # A revision that changes nothing belongs to a move or a protection, which is in the log.
    differs = parent.rev_sha1.is_null() | (parent.rev_sha1 != Revision.rev_sha1)
    return (
        Revision.select(
            Revision.rev_timestamp,
            Revision.rev_id,
            Revision.rev_parent_id,
            parent.rev_len,
            Revision.rev_page,
            Revision.rev_len,
            Revision.rev_minor_edit,
            Revision.rev_deleted,
            Revision.rev_actor,
            Revision.rev_comment_id,
            Page.page_namespace,
            Page.page_title,
        )
        .join_from(Revision, Page, on=(Page.page_id == Revision.rev_page))
        .join_from(Revision, parent, JOIN.LEFT_OUTER, on=before)
        .where(differs | (Revision.rev_sha1 == ""))
    )


def _entries() -> Any:
    return Logging.select(
        Logging.log_timestamp,
        Logging.log_id,
        Logging.log_type,
        Logging.log_action,
        Logging.log_actor,
        Logging.log_namespace,
        Logging.log_title,
        Logging.log_page,
        Logging.log_comment_id,
        Logging.log_params,
        Logging.log_deleted,
    ).where(Logging.log_type.not_in(_UNPUBLISHED), Logging.log_action.not_in(_UNPUBLISHED_ACTIONS))


def _revision(row: Row) -> int:
    """Return the revision that belongs to a log entry, 0 if there is none."""
    params = row[9] or ""
    if _REVISION_OF_ENTRY not in params:
        return 0
    try:
        values = phpvalues.loads(params)
    except phpvalues.BadPhpValue:
        return 0
    number = values.get(_REVISION_OF_ENTRY) if isinstance(values, dict) else None
    return number if isinstance(number, int) and 0 < number <= _LARGEST else 0


# Clients remember the id of the last change they have seen, and continue from it. Rows that have
# not changed must therefore be left as they are.

BATCH = 2_000
COLUMNS = (
    *("rc_timestamp", "rc_actor", "rc_namespace", "rc_title", "rc_comment_id"),
    *("rc_minor", "rc_bot", "rc_cur_id", "rc_this_oldid", "rc_last_oldid"),
    *("rc_type", "rc_source", "rc_patrolled", "rc_ip", "rc_old_len", "rc_new_len", "rc_deleted"),
    *("rc_logid", "rc_log_type", "rc_log_action", "rc_params"),
)
"""The columns of the rows that are written: all but the id, beginning with the time."""
_REVISION, _ENTRY = COLUMNS.index("rc_this_oldid"), COLUMNS.index("rc_logid")


def put_changes(db: Database, made: Iterable[Row]) -> int:
    """Replace the rows of the table with rows sorted by time; return their number.

    Only a few thousand rows and those of one second are in memory at once. Call this in a
    transaction.
    """
    total = 0
    last = db.scalar(RecentChanges.select(fn.MAX(RecentChanges.rc_id)))
    if last is None:
        # The table is empty, as after the first import.
        with without_indexes(db, RecentChanges):
            for batch in chunked(made, BATCH):
                db.insert_many(RecentChanges, batch, COLUMNS)
                total += len(batch)
        return total
    writer = _Writer(db)
    for mine, theirs in _by_moment(made, _there(db, last)):
        writer.settle(mine, theirs)
        total += len(mine)
    writer.flush()
    return total


class _Writer:
    """Compares new rows with the existing ones, and writes the differences in batches."""

    def __init__(self, db: Database) -> None:
        self._db = db
        self._gone: list[int] = []
        self._other: list[Row] = []
        self._new: list[Row] = []

    def settle(self, mine: Iterable[Row], theirs: Iterable[Row]) -> None:
        """Compare the new rows of one second with the existing ones, which begin with their ids."""
        existing = {_subject(row[1:]): row for row in theirs}
        for row in mine:
            there = existing.pop(_subject(row), None)
            if there is None:
                self._new.append(row)
            elif tuple(row) != tuple(there[1:]):
                self._gone.append(there[0])
                self._other.append((there[0], *row))
        self._gone += (row[0] for row in existing.values())
        if len(self._gone) + len(self._new) >= BATCH:
            self.flush()

    def flush(self) -> None:
        """Write the collected differences."""
        for start in range(0, len(self._gone), BATCH):
            ids = self._gone[start : start + BATCH]
            self._db.execute_write(RecentChanges.delete().where(RecentChanges.rc_id.in_(ids)))
        self._db.insert_many(RecentChanges, self._other, ("rc_id", *COLUMNS))
        self._db.insert_many(RecentChanges, self._new, COLUMNS)
        self._gone, self._other, self._new = [], [], []


def _subject(row: Row) -> tuple[int, int]:
    """Return a key for the log entry, or else the revision, that a change is about."""
    return row[_ENTRY], 0 if row[_ENTRY] else row[_REVISION]


def _by_moment(made: Iterable[Row], there: Iterable[Row]) -> Iterator[tuple[list[Row], list[Row]]]:
    """Yield the rows with each timestamp from both iterables, which are sorted by time."""
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
    """Yield the existing rows with ids up to ``last``, sorted by time.

    This excludes the rows that are inserted in the meantime.
    """
    table = RecentChanges
    time, number = table.rc_timestamp, table.rc_id
    columns = [getattr(table, name) for name in ("rc_id", *COLUMNS)]
    query = table.select(*columns).where(number <= last).order_by(time, number).limit(BATCH)
    rows = db.execute(query)
    while rows:
        yield from rows
        last_id, moment = rows[-1][:2]
        after = (time > moment) | ((time == moment) & (number > last_id))
        rows = db.execute(query.where((time >= moment) & after))
