"""Copies a whole store into an empty one, which may be a database of another kind."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from peewee import fn

from wikiapi.errors import StoreError
from wikiapi.store import catalog, migrate
from wikiapi.store.bounds import starting_at
from wikiapi.store.copyprogress import CopyProgress
from wikiapi.store.dialect import Dialect
from wikiapi.store.errors import StoreFull, StoreUnavailable
from wikiapi.store.fields import Payload
from wikiapi.store.insert import quoted
from wikiapi.store.models import ALL_MODELS, CategoryLinks, Text, UpdateLog
from wikiapi.store.nodes import RawBytes
from wikiapi.store.plugintables import create_missing
from wikiapi.store.write import bulk, search

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from peewee import Model

    from wikiapi.store.database import Database
    from wikiapi.store.statements import Row

    Report = Callable[[str, int], None]

BATCH = 500
"""Rows that are in memory at once."""

# Bytes that are a text more often than not: on SQLite they stand as one, and compare as one.
_TEXTUAL = frozenset({Text.old_text.column_name, CategoryLinks.cl_sortkey.column_name})


class TableCopy(NamedTuple):
    """How many rows of a table were copied."""

    table: str
    rows: int


def copy_store(
    source: Database,
    target: Database,
    models: Iterable[type[Model]] = (),
    report: Report = lambda table, rows: None,
) -> Iterator[TableCopy]:
    """Make the layout in the target, copy every table of MediaWiki's and of ``models``.

    The source may be MediaWiki's own database; columns that only one side knows are left out.
    Nobody should write to it in the meantime. The numbers of rows are compared at the end of each
    table. ``report`` is told a table and how many of its rows have been copied. A copying that was
    cut short goes on where it stopped.

    Raises StoreError when the target holds pages already that are no part of such a copy, and when
    a table comes out with another number of rows or with a value that the target cannot hold.
    """
    migrate.upgrade(target)
    progress = CopyProgress(source, target)
    if not progress.is_under_way and not bulk.is_empty(target):
        raise StoreError("the target holds pages already: copy into an empty database")
    there = catalog.tables(source)
    every: list[type[Model]] = [*ALL_MODELS, *models]
    wanted = [model for model in every if _name(model) in there]
    create_missing(target, wanted)
    with bulk.loading(target):
        for model in wanted:
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
    # What a new store has of its own makes way; which steps made its layout is remembered.
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
    """How many rows have been copied by an earlier run; a table is emptied before the first."""
    known = progress.begun(_name(model))
    if known is None:
        with target.atomic():
            if emptying:
                target.run(model.delete())
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
    names = set(catalog.columns(source, _name(model))) & set(catalog.columns(target, _name(model)))
    meta: Any = model._meta
    return [field for field in meta.sorted_fields if field.column_name in names]


def _batches(
    db: Database, model: type[Model], columns: Sequence[Any], skip: int
) -> Iterator[list[Row]]:
    """The rows in the order of the primary key; of all columns, where there is none.

    The first ``skip`` of them are passed over.
    """
    meta: Any = model._meta
    keys = {field.column_name for field in meta.get_primary_keys()}
    # Fields are told apart by name: between them, == makes SQL.
    key = [field for field in columns if field.column_name in keys]
    nodes = [_node(column) for column in columns]
    query: Any = model.select(*nodes).order_by(*(key or columns))
    if not key:
        yield from _by_offset(db, query, skip)
        return
    places = [i for i, field in enumerate(columns) if field.column_name in keys]
    rows = db.rows(query.limit(BATCH).offset(skip))
    while rows:
        yield rows
        last = [rows[-1][place] for place in places]
        after = query.where(starting_at(key, last)).limit(BATCH + 1)
        rows = [row for row in db.rows(after) if [row[place] for place in places] != last]


def _by_offset(db: Database, query: Any, offset: int) -> Iterator[list[Row]]:
    while rows := db.rows(query.limit(BATCH).offset(offset)):
        yield rows
        offset += len(rows)


def _node(column: Any) -> Any:
    as_bytes = isinstance(column, Payload) or column.column_name in _TEXTUAL
    return RawBytes(column) if as_bytes else column


def _fitted(row: Row, columns: Sequence[Any]) -> Row:
    """A row as it is inserted: bytes that make a text become one where texts are usual."""
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
        raise StoreError(f"{_name(model)} has {found} rows after {copied} were copied")


def _continue_numbering(db: Database, model: type[Model]) -> None:
    """Let PostgreSQL number new rows from the greatest id on; the others do so by themselves."""
    meta: Any = model._meta
    if db.dialect is not Dialect.POSTGRES or not meta.auto_increment:
        return
    table, column = quoted(db.dialect, _name(model)), meta.primary_key.column_name
    greatest = db.scalar(model.select(fn.MAX(meta.primary_key)))
    if greatest:
        db.raw("SELECT setval(pg_get_serial_sequence(%s, %s), %s)", (table, column, greatest))


def _name(model: type[Model]) -> str:
    meta: Any = model._meta
    return str(meta.table_name)
