"""Gets or creates rows that represent a text, such as a name, a summary or a title."""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Mapping, Sequence
from functools import cache, partial
from typing import Any, Generic, NamedTuple, TypeVar

from peewee import fn

from wikiapi.store.database import Database
from wikiapi.store.models import (
    Actor,
    ChangeTagDef,
    Collation,
    Comment,
    ContentModels,
    LinkTarget,
    SlotRoles,
    User,
)
from wikiapi.store.queries.links import target_ids
from wikiapi.store.sql.batches import Key, chunked
from wikiapi.store.sql.compiled import ByValues, CompiledQuery

K = TypeVar("K")

CACHE_SIZE = 50_000
_BATCH = 500


def next_id(db: Database, *columns: Any) -> int:
    """Return one more than the greatest id in any of the columns. One query."""
    return max(next_ids(db, *columns))


def next_ids(db: Database, column: Any, *others: Any) -> list[int]:
    """Return one more than the greatest id in each of the columns. One query.

    A transaction that calls this must be alone.
    """
    db.exclude_others()
    row = db.execute(_greatest_ids(column, *others)())[0]
    return [int(number or 0) + 1 for number in row]


@cache
def _greatest_ids(column: Any, *others: Any) -> CompiledQuery:
    return CompiledQuery(
        lambda: column.model.select(
            fn.MAX(column), *(other.model.select(fn.MAX(other)) for other in others)
        )
    )


def lasting_id(db: Database, column: Any) -> int:
    """Return an id for a new row that no row has had, not even one that is deleted.

    Call it in a transaction that inserts the row. At most three statements.
    """
    place = column.model._meta.table_name, column.column_name
    rows = db.execute_sql(*db.dialect.last_number(*place))
    number = max(next_id(db, column), int(rows[0][0] or 0) + 1 if rows else 1)
    for statement in db.dialect.numbered(*place, number):
        db.execute_sql(*statement)
    return number


def insert_new(
    db: Database, id_column: Any, row: Sequence[Any], columns: Sequence[str], *others: Any
) -> int:
    """Insert a row with a new id, and return this: see :func:`insert_all_new`."""
    return insert_all_new(db, id_column, [row], columns, *others)[0]


def insert_all_new(
    db: Database,
    id_column: Any,
    rows: Sequence[Sequence[Any]],
    columns: Sequence[str],
    *others: Any,
) -> Sequence[int]:
    """Insert rows with new ids, and return these. At most two statements.

    If others can write during the transaction, there is a statement for each row.

    Args:
        db: the store.
        id_column: the column of the ids.
        rows: the values of the other columns.
        columns: their names.
        others: columns whose ids the new ones must exceed too, such as those of deleted rows.
    """
    if db.is_sharing:
        return [db.insert_numbered(id_column.model, row, columns) for row in rows]
    first = next_id(db, id_column, *others)
    numbered = [(number, *row) for number, row in enumerate(rows, first)]
    db.insert_many(id_column.model, numbered, (id_column.column_name, *columns))
    return range(first, first + len(rows))


def insert_missing(
    db: Database, id_column: Any, rows: Sequence[Sequence[Any]], columns: Sequence[str]
) -> None:
    """Insert rows with new ids, in their order. At most two statements.

    Rows whose other unique keys exist already are left out.
    """
    if db.is_sharing:
        db.insert_many(id_column.model, rows, columns, on_conflict="ignore")
        return
    first = next_id(db, id_column)
    numbered = [(number, *row) for number, row in enumerate(rows, first)]
    names = (id_column.column_name, *columns)
    db.insert_many(id_column.model, numbered, names, on_conflict="ignore")


class Acquirer(Generic[K]):
    """Finds the ids of keys and creates rows for new keys, in batches.

    Subclasses define how to ``find`` and ``make`` rows.
    """

    def __init__(self, db: Database, capacity: int = CACHE_SIZE) -> None:
        """Start with an empty cache for about ``capacity`` ids."""
        self.db = db
        self._capacity = capacity
        self._ids: dict[K, int] = {}

    def id(self, key: K) -> int:
        """Return the id of a key. At most a few queries."""
        return self._ids[key] if key in self._ids else self.ids([key])[key]

    def ids(self, keys: Iterable[K]) -> dict[K, int]:
        """Return the id of every key. Takes a few queries for every 500 that are not cached."""
        unique = dict.fromkeys(keys)
        ids = {key: self._ids[key] for key in unique if key in self._ids}
        unknown = [key for key in unique if key not in ids]
        for batch in chunked(unknown, _BATCH):
            of_batch = self.find(batch)
            if missing := [key for key in batch if key not in of_batch]:
                of_batch.update(self.make(missing))
            self._remember(of_batch)
            ids.update(of_batch)
        return ids

    def missing(self, keys: Iterable[K]) -> list[K]:
        """Return the keys that have no row. One query for every 500 that are not cached."""
        unknown = [key for key in dict.fromkeys(keys) if key not in self._ids]
        missing = []
        for batch in chunked(unknown, _BATCH):
            ids = self.find(batch)
            self._remember(ids)
            missing += [key for key in batch if key not in ids]
        return missing

    def find(self, keys: list[K]) -> dict[K, int]:
        """Return the ids of the keys that have a row."""
        raise NotImplementedError

    def make(self, keys: list[K]) -> dict[K, int]:
        """Insert rows for keys that have none, and return their ids."""
        raise NotImplementedError

    def _remember(self, ids: Mapping[K, int]) -> None:
        self._ids.update(ids)
        excess = len(self._ids) - self._capacity
        if excess > 0:
            # Remove the oldest, and a tenth more than necessary, so as not to do it for each batch.
            for key in list(self._ids)[: excess + self._capacity // 10]:
                del self._ids[key]


class Names(Acquirer[str]):
    """A table of names: content models, slot roles, collations, change tags."""

    def __init__(self, db: Database, column: Any, id_column: Any, *more: int) -> None:
        """Take the columns; ``more`` are the values of the columns after id and name."""
        super().__init__(db)
        self._column, self._id, self._more = column, id_column, more

    def find(self, keys: list[str]) -> dict[str, int]:
        query = self._column.model.select(self._column, self._id).where(self._column.in_(keys))
        return dict(self.db.execute(query))

    def make(self, keys: list[str]) -> dict[str, int]:
        start = next_id(self.db, self._id)
        ids = dict(zip(keys, range(start, start + len(keys)), strict=True))
        rows = [(number, name, *self._more) for name, number in ids.items()]
        self.db.insert_many(self._column.model, rows)
        return ids


class LastingNames(Names):
    """A table of names whose rows nothing changes or removes, so that a process reads them once."""

    def __init__(self, db: Database, column: Any, id_column: Any) -> None:
        """Take the columns, and begin with the ids that were read before."""
        super().__init__(db, column, id_column)
        self._lasting = db.lasting_ids.setdefault(column.name, {})
        self._ids = self._lasting.copy()

    def _remember(self, ids: Mapping[str, int]) -> None:
        super()._remember(ids)
        # A transaction that is undone removes the rows that it has added.
        self.db.on_commit(partial(self._lasting.update, ids))


def content_models(db: Database) -> LastingNames:
    """Return an object that gets or creates the ids of content models."""
    return LastingNames(db, ContentModels.model_name, ContentModels.model_id)


def slot_roles(db: Database) -> LastingNames:
    """Return an object that gets or creates the ids of slot roles."""
    return LastingNames(db, SlotRoles.role_name, SlotRoles.role_id)


def collations(db: Database) -> LastingNames:
    """Return an object that gets or creates the ids of collations."""
    return LastingNames(db, Collation.collation_name, Collation.collation_id)


def change_tags(db: Database) -> Names:
    """Return an object that gets or creates the ids of change tags.

    New tags are marked as defined by software and not used yet.
    """
    return Names(db, ChangeTagDef.ctd_name, ChangeTagDef.ctd_id, 0, 0)


class LinkTargets(Acquirer["Key"]):
    """Ids of linktarget rows by (namespace, database key)."""

    def find(self, keys: list[Key]) -> dict[Key, int]:
        return target_ids(self.db, keys)

    def make(self, keys: list[Key]) -> dict[Key, int]:
        if self.db.is_sharing:
            # Others may insert the same keys, whose ids are known when they have committed.
            insert_missing(self.db, LinkTarget.lt_id, keys, ("lt_namespace", "lt_title"))
            return self.find(keys)
        start = next_id(self.db, LinkTarget.lt_id)
        ids = dict(zip(keys, range(start, start + len(keys)), strict=True))
        self.db.insert_many(LinkTarget, [(number, *key) for key, number in ids.items()])
        return ids


_LONGEST_REMEMBERED = 500
"""Maximum length in characters of a cached summary, which is MediaWiki's limit for summaries."""


class Person(NamedTuple):
    """The author of an action. ``user_id`` is 0 for IP addresses and users of other wikis."""

    user_id: int
    name: str


_ACTORS = ByValues(Actor.select(Actor.actor_name, Actor.actor_id), Actor.actor_name)
_COMMENTS = ByValues(
    Comment.select(Comment.comment_text, Comment.comment_id).where(Comment.comment_data.is_null()),
    Comment.comment_hash,
)


class Actors(Acquirer[Person]):
    """Ids of actors. A name always has one actor, with the account with which it first occurred."""

    def find(self, keys: list[Person]) -> dict[Person, int]:
        ids: dict[str, int] = dict(_ACTORS.rows(self.db, (key.name for key in keys)))
        return {key: ids[key.name] for key in keys if key.name in ids}

    def make(self, keys: list[Person]) -> dict[Person, int]:
        start = next_id(self.db, Actor.actor_id)
        names = dict.fromkeys(key.name for key in keys)
        ids = dict(zip(names, range(start, start + len(names)), strict=True))
        # An actor gets the account of its name, unless another name already has it.
        by_id = {key.user_id: key.name for key in reversed(keys) if key.user_id}
        query = Actor.select(Actor.actor_user).where(Actor.actor_user.in_(list(by_id)))
        used = {user_id for (user_id,) in self.db.execute(query)}
        users = {name: user_id for user_id, name in by_id.items() if user_id not in used}
        rows = [(number, users.get(name), name) for name, number in ids.items()]
        self.db.insert_many(Actor, rows)
        return {key: ids[key.name] for key in keys}


class Comments(Acquirer[str]):
    """Ids of summaries by their text; those longer than MediaWiki's limit are not cached."""

    def find(self, keys: list[str]) -> dict[str, int]:
        ids: dict[str, int] = dict(_COMMENTS.rows(self.db, map(comment_hash, keys)))
        return {text: ids[text] for text in keys if text in ids}

    def make(self, keys: list[str]) -> dict[str, int]:
        columns = ("comment_hash", "comment_text", "comment_data")
        rows = [(comment_hash(text), text, None) for text in keys]
        ids = insert_all_new(self.db, Comment.comment_id, rows, columns)
        return dict(zip(keys, ids, strict=True))

    def _remember(self, ids: Mapping[str, int]) -> None:
        super()._remember({text: ids[text] for text in ids if len(text) <= _LONGEST_REMEMBERED})


def comment_hash(text: str, data: str = "") -> int:
    """Return the value of comment_hash: the CRC-32 of text and data as a signed 32-bit integer."""
    value = zlib.crc32((text + data).encode())
    return value - (1 << 32) if value & (1 << 31) else value


def ensure_users(db: Database, people: Iterable[Person]) -> None:
    """Create accounts that consist of a name only, for user ids that have no account."""
    rows = [
        (person.user_id, person.name, "", "", "", "", "19700101000000")
        for person in people
        if person.user_id
    ]
    columns = (
        "user_id",
        "user_name",
        "user_real_name",
        "user_password",
        "user_newpassword",
        "user_email",
        "user_touched",
    )
    if rows:
        db.insert_many(User, rows, columns, on_conflict="ignore")
