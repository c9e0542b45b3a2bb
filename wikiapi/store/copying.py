"""Copies a whole store into an empty one, which may be on another database engine."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from hashlib import sha256
from typing import Any, NamedTuple

from peewee import Model, fn

from wikiapi.errors import StoreError, StoreFull, StoreUnavailable
from wikiapi.plurals import counted
from wikiapi.store.database import Database
from wikiapi.store.fields import Payload
from wikiapi.store.models import ALL_MODELS, CategoryLinks, Logging, Page, Revision, Text, UpdateLog
from wikiapi.store.schema import migrate
from wikiapi.store.schema.plugintables import create_missing, is_there
from wikiapi.store.sql.bounds import starting_at
from wikiapi.store.sql.nodes import RawBytes
from wikiapi.store.sql.statements import Row
from wikiapi.store.write import bulk, search

Report = Callable[[str, int], None]


BATCH = 500
"""Maximum number of rows that are in memory at once."""

# Columns of bytes that usually contain text: on SQLite it is stored and compared as text.
_TEXTUAL = frozenset({Text.old_text.column_name, CategoryLinks.cl_sortkey.column_name})


class TableCopy(NamedTuple):
    """The number of rows that were copied of a table."""

    table: str
    rows: int


def copy_store(
    source: Database,
    target: Database,
    models: Iterable[type[Model]] = (),
    report: Report = lambda table, rows: None,
) -> Iterator[TableCopy]:
    """Create the tables in the target, and copy all tables of MediaWiki and of ``models``.

    Yields each table when it is complete. The source may be MediaWiki's own database; columns that
    exist on one side only are left out. It should not be written to in the meantime. The numbers of
    rows are compared at the end of each table. ``report`` is called with a table and the number of
    its rows that have been copied so far. An interrupted copy continues where it stopped.

    Raises StoreError if the target already has pages that are not part of an interrupted copy, if
    the numbers of rows of a table differ, and for a value that the target cannot store.
    """
    migrate.upgrade(target)
    progress = CopyProgress(source, target)
    if not progress.is_under_way and not bulk.is_empty(target):
        raise StoreError("the target already has pages: copy into an empty database")
    there = source.catalog.tables()
    every: list[type[Model]] = [*ALL_MODELS, *models]
    models = [model for model in every if _name(model) in there]
    create_missing(target, models)
    with bulk.loading(target):
        for model in models:
            yield TableCopy(_name(model), _copy_table(source, target, model, progress, report))
    search.rebuild(target)
    progress.clear()


def _copy_table(
    source: Database,
    target: Database,
    model: type[Model],
    progress: CopyProgress,
    report: Report,
) -> int:
    table = _name(model)
    if (done := progress.done(table)) is not None:
        return done
    columns = _common_columns(source, target, model)
    # The rows of a new store are replaced, except the log of the migrations that created it.
    ignoring = model is UpdateLog
    copied = _begun(target, model, progress, emptying=not ignoring)
    for rows in _batches(source, model, columns, copied):
        copied += len(rows)
        with target.atomic():
            _insert(target, model, columns, rows, ignoring=ignoring)
            progress.note(table, copied)
        report(table, copied)
    _verify(target, model, copied, at_least=ignoring)
    _continue_numbering(target, model)
    progress.end(table, copied)
    return copied


def _begun(target: Database, model: type[Model], progress: CopyProgress, *, emptying: bool) -> int:
    """Return the number of rows that an earlier run copied; if it copied none, empty the table."""
    known = progress.begun(_name(model))
    if known is None:
        with target.atomic():
            if emptying:
                target.execute_write(model.delete())
            progress.note(_name(model), 0)
    return known or 0


def _insert(
    target: Database,
    model: type[Model],
    columns: Sequence[Any],
    rows: Iterable[Row],
    *,
    ignoring: bool,
) -> None:
    names = [column.column_name for column in columns]
    fitted = (_fitted(row, columns) for row in rows)
    try:
        target.insert_many(model, fitted, names, on_conflict="ignore" if ignoring else "error")
    except (StoreFull, StoreUnavailable):
        raise
    except StoreError as error:
        raise StoreError(f"{_name(model)} cannot be copied: {error}") from error


def _common_columns(source: Database, target: Database, model: type[Model]) -> list[Any]:
    names = (
        source.catalog.columns(_name(model)).keys() & target.catalog.columns(_name(model)).keys()
    )
    meta: Any = model._meta
    return [field for field in meta.sorted_fields if field.column_name in names]


def _batches(
    db: Database, model: type[Model], columns: Sequence[Any], skip: int
) -> Iterator[list[Row]]:
    """Yield batches of rows in the order of the primary key, or of all columns if there is none.

    The first ``skip`` rows are skipped.
    """
    meta: Any = model._meta
    keys = {field.column_name for field in meta.get_primary_keys()}
    # Fields are compared by name, because == between fields makes an SQL expression.
    key = [field for field in columns if field.column_name in keys]
    nodes = [_node(column) for column in columns]
    query: Any = model.select(*nodes).order_by(*(key or columns))
    if not key:
        yield from _by_offset(db, query, skip)
        return
    places = [i for i, field in enumerate(columns) if field.column_name in keys]
    rows = db.execute(query.limit(BATCH).offset(skip))
    while rows:
        yield rows
        last = [rows[-1][place] for place in places]
        after = query.where(starting_at(key, last)).limit(BATCH + 1)
        rows = [row for row in db.execute(after) if [row[place] for place in places] != last]


def _by_offset(db: Database, query: Any, offset: int) -> Iterator[list[Row]]:
    while rows := db.execute(query.limit(BATCH).offset(offset)):
        yield rows
        offset += len(rows)


def _node(column: Any) -> Any:
    as_bytes = isinstance(column, Payload) or column.column_name in _TEXTUAL
    return RawBytes(column) if as_bytes else column


def _fitted(row: Row, columns: Sequence[Any]) -> Row:
    """Return a row for insertion, with bytes decoded if they are UTF-8 in a textual column."""
    return tuple(
        _as_text(value) if isinstance(value, bytes) and column.column_name in _TEXTUAL else value
        for column, value in zip(columns, row, strict=True)
    )


def _as_text(value: bytes) -> str | bytes:
    try:
        return value.decode()
    except UnicodeDecodeError:
        return value


def _verify(db: Database, model: type[Model], copied: int, *, at_least: bool) -> None:
    meta: Any = model._meta
    found = int(db.scalar(model.select(fn.COUNT(meta.sorted_fields[0]))))
    if found < copied or (found > copied and not at_least):
        raise StoreError(f"{_name(model)} has {counted(found, 'row')} after {copied} were copied")


def _continue_numbering(db: Database, model: type[Model]) -> None:
    """Make the database number new rows after the greatest id, if it does not do so by itself."""
    meta: Any = model._meta
    if not db.dialect.reset_sequence or not meta.auto_increment:
        return
    table, column = db.dialect.quoted(_name(model)), meta.primary_key.column_name
    greatest = db.scalar(model.select(fn.MAX(meta.primary_key)))
    if greatest:
        db.execute_sql(db.dialect.reset_sequence, (table, column, greatest))


def _name(model: type[Model]) -> str:
    meta: Any = model._meta
    return str(meta.table_name)


_KEY = "wikiapi-copying"


class CopyProgress:
    """The progress of a copy: the tables that are complete, and the rows copied of the current one.

    It is stored in the target, in the ``updatelog`` table.
    """

    def __init__(self, source: Database, target: Database) -> None:
        """Continue with the progress that is stored in the target, or begin.

        Raises StoreError if the target is a partial copy of another source or of an earlier state
        of this one, and if the source is itself a partial copy.
        """
        if is_unfinished(source):
            raise StoreError("the source is an incomplete copy")
        self._target = target
        self._source = _fingerprint(source)
        state = _state(target)
        if state is not None and state["source"] != self._source:
            raise StoreError(
                "the target has a part of another store, or the source has changed since: "
                "copy into an empty database"
            )
        self.is_under_way = state is not None
        self._done: dict[str, int] = state["done"] if state else {}
        self._table: str = state["table"] if state else ""
        self._rows: int = state["rows"] if state else 0

    def done(self, table: str) -> int | None:
        """Return the number of rows of a table if it was copied completely, else None."""
        return self._done.get(table)

    def begun(self, table: str) -> int | None:
        """Return the number of rows that were copied of a table; None if it was not begun."""
        return self._rows if self._table == table else None

    def note(self, table: str, rows: int) -> None:
        """Store how many rows of a table have been copied; call in the transaction that does it."""
        self._table, self._rows = table, rows
        self._save()

    def end(self, table: str, rows: int) -> None:
        """Store that a table has been copied completely."""
        self._done[table] = rows
        self._table, self._rows = "", 0
        self._save()

    def clear(self) -> None:
        """Delete the stored progress after everything has been copied."""
        self._target.execute_write(UpdateLog.delete().where(UpdateLog.ul_key == _KEY))

    def _save(self) -> None:
        state = {"source": self._source, "done": self._done}
        text = json.dumps({**state, "table": self._table, "rows": self._rows})
        self._target.insert_many(UpdateLog, [(_KEY, text)], on_conflict="replace")


def is_unfinished(db: Database) -> bool:
    """Return whether the store is an incomplete copy of another."""
    return _state(db) is not None


def _state(db: Database) -> dict[str, Any] | None:
    if not is_there(db, UpdateLog):
        return None
    value = db.scalar(UpdateLog.select(UpdateLog.ul_value).where(UpdateLog.ul_key == _KEY))
    return json.loads(value) if value else None


def _fingerprint(db: Database) -> str:
    """Return a hash that identifies a store and its current state."""
    greatest: tuple[Any, ...] = (Page.page_id, Revision.rev_id, Logging.log_id)
    found = [
        db.scalar(column.model.select(fn.MAX(column)))
        for column in greatest
        if is_there(db, column.model)
    ]
    log = UpdateLog.select(UpdateLog.ul_key, UpdateLog.ul_value)
    noted = sorted(db.execute(log), key=repr) if is_there(db, UpdateLog) else []
    return sha256(repr((found, noted)).encode()).hexdigest()[:32]
