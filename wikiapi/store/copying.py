"""Copies a whole store into an empty one, which may be on another database engine."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from hashlib import sha256
from typing import Any, NamedTuple

from peewee import Model, fn

from wikiapi.errors import StoreError, StoreFull, StoreUnavailable
from wikiapi.store.database import Database
from wikiapi.store.engines.dialect import OnConflict
from wikiapi.store.fields import Payload
from wikiapi.store.models import ALL_MODELS, Logging, Page, Revision, Text, UpdateLog
from wikiapi.store.notes import note, put_note, remove_note
from wikiapi.store.schema import migrate
from wikiapi.store.schema.migrate import create_missing, is_there
from wikiapi.store.sql.bounds import starting_at
from wikiapi.store.sql.nodes import RawBytes
from wikiapi.store.sql.statements import Row
from wikiapi.store.write import bulk, search
from wikiapi.texts import counted

Report = Callable[[str, int], None]


BATCH = 500
"""Maximum number of rows that are in memory at once."""

_TEXTUAL = frozenset({Text.old_text.column_name})
"""Columns of bytes that usually contain text, which is stored as text on SQLite."""


class TableCopy(NamedTuple):
    """The number of rows that were copied of a table."""

    table: str
    rows: int


class LeftOut(NamedTuple):
    """A table, or a column (``table.column``), that was not copied, and the reason."""

    name: str
    reason: str


def copy_store(
    source: Database,
    target: Database,
    models: Iterable[type[Model]] = (),
    report: Report = lambda table, rows: None,
    report_left_out: Callable[[LeftOut], object] = lambda item: None,
) -> Iterator[TableCopy]:
    """Create the tables in the target, and copy all tables of the source.

    Those of MediaWiki and of ``models`` are copied to any engine; other tables, such as those of
    plugins that are not installed, to a database of the same engine if it keeps their definitions.
    ``report_left_out`` is called with what cannot be copied. The search index is made anew.

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
    by_name: dict[str, type[Model]] = {}
    for model in every:
        by_name.setdefault(_name(model), model)
    described = [model for name, model in by_name.items() if name in there]
    create_missing(target, described)
    tables: list[_Table] = [_DescribedTable(source, target, model) for model in described]
    tables += _other_tables(source, target, by_name.keys(), report_left_out)
    for table in tables:
        for column in table.surplus_columns():
            item = LeftOut(f"{table.name}.{column}", "the target has no such column")
            report_left_out(item)
    with bulk.loading(target):
        for table in tables:
            yield TableCopy(table.name, _copy_table(table, target, progress, report))
    search.rebuild(target)
    progress.clear()


def _other_tables(
    source: Database,
    target: Database,
    described: Collection[str],
    report_left_out: Callable[[LeftOut], object],
) -> list[_Table]:
    """Return the tables that no model describes, after creating those that can be created.

    Those of the search index, and that of the last ids, are made anew.
    """
    made_anew = {"searchindex", source.dialect.numbering_table}
    tables: list[_Table] = []
    for name, kind in sorted(source.catalog.kinds().items()):
        if name in described or name in made_anew:
            continue
        if kind == "virtual":
            report_left_out(LeftOut(name, "it is a virtual table"))
        if kind != "table":
            continue
        definition = source.catalog.definition(name)
        if source.dialect is not target.dialect:
            reason = "no installed plugin defines it, and the target is another kind of database"
            report_left_out(LeftOut(name, reason))
        elif not definition:
            reason = "no installed plugin defines it, and the database does not tell its definition"
            report_left_out(LeftOut(name, reason))
        else:
            try:
                if not target.catalog.has_table(name):
                    with migrate.ddl_transaction(target):
                        for statement in definition:
                            target.execute_sql(statement)
            except (StoreFull, StoreUnavailable):
                raise
            except StoreError as error:
                report_left_out(LeftOut(name, f"it cannot be created: {error}"))
            else:
                tables.append(_OtherTable(source, target, name))
    return tables


def _copy_table(table: _Table, target: Database, progress: CopyProgress, report: Report) -> int:
    if (done := progress.done(table.name)) is not None:
        return done
    last = progress.begun(table.name)
    if last is None:
        with target.atomic():
            if not table.keeps_rows:
                table.empty()
            progress.note(table.name, 0)
    copied = last or 0
    for rows in table.batches(copied):
        copied += len(rows)
        with target.atomic():
            try:
                table.insert(rows)
            except (StoreFull, StoreUnavailable):
                raise
            except StoreError as error:
                raise StoreError(f"{table.name} cannot be copied: {error}") from error
            progress.note(table.name, copied)
        report(table.name, copied)
    stored = table.count()
    if stored < copied or (stored > copied and not table.keeps_rows):
        raise StoreError(f"{table.name} has {counted(stored, 'row')} after {copied} were copied")
    table.continue_numbering()
    progress.end(table.name, copied)
    return copied


class _Table(ABC):
    """A table that both databases have."""

    keeps_rows = False
    """Whether the rows that the target has already are kept."""

    def __init__(self, source: Database, target: Database, name: str) -> None:
        """Compare the columns of both tables."""
        self.name = name
        self._source, self._target = source, target
        self._there = source.catalog.columns(name)
        common = target.catalog.columns(name).keys() & self._there.keys()
        self._names = [column for column in self._there if column in common]

    def surplus_columns(self) -> list[str]:
        """Return the columns that only the source has."""
        return [column for column in self._there if column not in self._names]

    @abstractmethod
    def batches(self, skip: int) -> Iterator[list[Row]]:
        """Yield batches of rows, after the first ``skip`` rows, always in the same order."""

    @abstractmethod
    def insert(self, rows: Iterable[Row]) -> None:
        """Insert rows into the target."""

    @abstractmethod
    def count(self) -> int:
        """Return the number of rows of the target."""

    @abstractmethod
    def empty(self) -> None:
        """Delete the rows of the target, such as those of a new store."""

    @abstractmethod
    def continue_numbering(self) -> None:
        """Make the target number new rows after the last id of the source."""

    def _number_after(self, column: str, last: int) -> None:
        if last:
            for sql, values in self._target.dialect.number_after(self.name, column, last):
                self._target.execute_sql(sql, values)


class _DescribedTable(_Table):
    """A table that a model describes."""

    def __init__(self, source: Database, target: Database, model: type[Model]) -> None:
        """Take the model of the table."""
        super().__init__(source, target, _name(model))
        meta: Any = model._meta
        self._model = model
        self._columns = [field for field in meta.sorted_fields if field.column_name in self._names]
        # The log of the migrations that created the target belongs to the target.
        self.keeps_rows = model is UpdateLog

    def batches(self, skip: int) -> Iterator[list[Row]]:
        return _batches(self._source, self._model, self._columns, skip)

    def insert(self, rows: Iterable[Row]) -> None:
        names = [column.column_name for column in self._columns]
        fitted = (_fitted(row, self._columns) for row in rows)
        on_conflict: OnConflict = "ignore" if self.keeps_rows else "error"
        self._target.insert_many(self._model, fitted, names, on_conflict=on_conflict)

    def count(self) -> int:
        return int(self._target.scalar(self._model.select(fn.COUNT(self._columns[0]))))

    def empty(self) -> None:
        self._target.execute_write(self._model.delete())

    def continue_numbering(self) -> None:
        meta: Any = self._model._meta
        if meta.auto_increment:
            column = meta.primary_key.column_name
            greatest = self._target.scalar(self._model.select(fn.MAX(meta.primary_key))) or 0
            self._number_after(
                column, max(greatest, self._source.catalog.last_number(self.name, column))
            )


class _OtherTable(_Table):
    """A table that no model describes: its values are copied as the database returns them."""

    def __init__(self, source: Database, target: Database, name: str) -> None:
        """Find the primary key of the table."""
        super().__init__(source, target, name)
        self._key = [column for column in source.catalog.key(name) if column in self._names]

    def batches(self, skip: int) -> Iterator[list[Row]]:
        dialect = self._source.dialect
        order = dialect.listed(self._key or self._names)
        table = f"SELECT {dialect.listed(self._names)} FROM {dialect.quoted(self.name)}"  # noqa: S608
        by_number = f"{table} ORDER BY {order} LIMIT {BATCH:d} OFFSET"
        rows = self._source.execute_sql(f"{by_number} {skip:d}")
        marks = ", ".join([dialect.placeholder] * len(self._key))
        after = f"{table} WHERE ({order}) > ({marks}) ORDER BY {order} LIMIT {BATCH:d}"
        places = [self._names.index(column) for column in self._key]
        while rows:
            yield rows
            skip += len(rows)
            if self._key:
                last = [rows[-1][place] for place in places]
                rows = self._source.execute_sql(after, last)
            else:
                rows = self._source.execute_sql(f"{by_number} {skip:d}")

    def insert(self, rows: Iterable[Row]) -> None:
        dialect = self._target.dialect
        marks = ", ".join([dialect.placeholder] * len(self._names))
        columns = dialect.listed(self._names)
        sql = f"INSERT INTO {dialect.quoted(self.name)} ({columns}) VALUES ({marks})"  # noqa: S608
        for row in rows:
            self._target.execute_sql(sql, row)

    def count(self) -> int:
        sql = f"SELECT COUNT(*) FROM {self._target.dialect.quoted(self.name)}"  # noqa: S608
        return int(self._target.execute_sql(sql)[0][0])

    def empty(self) -> None:
        sql = f"DELETE FROM {self._target.dialect.quoted(self.name)}"  # noqa: S608
        self._target.execute_sql(sql)

    def continue_numbering(self) -> None:
        for column in self._key[:1]:
            self._number_after(column, self._source.catalog.last_number(self.name, column))


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
    nodes = [
        RawBytes(field) if isinstance(field, Payload) or field.column_name in _TEXTUAL else field
        for field in columns
    ]
    query: Any = model.select(*nodes).order_by(*(key or columns))
    if not key:
        offset = skip
        while batch := db.execute(query.limit(BATCH).offset(offset)):
            yield batch
            offset += len(batch)
        return
    places = [i for i, field in enumerate(columns) if field.column_name in keys]
    rows = db.execute(query.limit(BATCH).offset(skip))
    while rows:
        yield rows
        last = [rows[-1][place] for place in places]
        after = query.where(starting_at(key, last)).limit(BATCH + 1)
        rows = [row for row in db.execute(after) if [row[place] for place in places] != last]


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
        remove_note(self._target, _KEY)

    def _save(self) -> None:
        state = {"source": self._source, "done": self._done}
        text = json.dumps({**state, "table": self._table, "rows": self._rows})
        put_note(self._target, _KEY, text)


def is_unfinished(db: Database) -> bool:
    """Return whether the store is an incomplete copy of another."""
    return _state(db) is not None


def _state(db: Database) -> dict[str, Any] | None:
    if not is_there(db, UpdateLog):
        return None
    text = note(db, _KEY)
    return json.loads(text) if text else None


def _fingerprint(db: Database) -> str:
    """Return a hash that identifies a store and its current state."""
    greatest: tuple[Any, ...] = (Page.page_id, Revision.rev_id, Logging.log_id)
    maxima = [
        db.scalar(column.model.select(fn.MAX(column)))
        for column in greatest
        if is_there(db, column.model)
    ]
    log = UpdateLog.select(UpdateLog.ul_key, UpdateLog.ul_value)
    noted = sorted(db.execute(log), key=repr) if is_there(db, UpdateLog) else []
    return sha256(repr((maxima, noted)).encode()).hexdigest()[:32]
