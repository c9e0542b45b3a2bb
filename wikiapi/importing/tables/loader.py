"""Loads table dumps into a store in transactions, and resumes after the last one."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from wikiapi.errors import DumpError
from wikiapi.importing.checkpoint import Checkpoint, load_checkpoint
from wikiapi.importing.compression import unpacked
from wikiapi.importing.source import DumpLimits, DumpSource
from wikiapi.importing.tables.layouts import LAYOUTS, Conversion, Layout, sorted_by
from wikiapi.importing.tables.sql import Table, TableReader
from wikiapi.importing.tables.values import BadValue, converter
from wikiapi.languages.collation import UPPERCASE, Collation, collation
from wikiapi.languages.language import ENGLISH
from wikiapi.pages.links.collation import record_collation
from wikiapi.pages.links.derivation import set_unfinished
from wikiapi.site import Site
from wikiapi.store.database import Database
from wikiapi.store.models import CategoryLinks, UpdateLog
from wikiapi.store.queries import generation
from wikiapi.store.write import search

Values = tuple[bytes, ...]


_IDENTITY = "table-"
_LOADED = "wikiapi-table-"
ROWS_PER_BATCH = 1_000
_BYTES_PER_BATCH = 1 << 22
_BATCHES_PER_TRANSACTION = 50
_USUAL_ORDER = collation(UPPERCASE, ENGLISH)


@dataclass(slots=True)
class TableReport:
    """The result of loading a dump. ``skipped`` counts rows that refer to missing rows."""

    table: str
    rows: int = 0
    skipped: int = 0
    already_done: bool = False


def table_of(source: DumpSource) -> str:
    """Return the name of the table in a dump.

    Raises:
        DumpError: it is not a dump of a table that can be loaded.
    """
    return _layout(_created(TableReader(unpacked(source, DumpLimits())), source)).name


def load_table(
    db: Database,
    source: DumpSource,
    on_progress: Callable[[int], None] = lambda _: None,
    order: Collation = _USUAL_ORDER,
) -> TableReport:
    """Replace the rows of a table by those of a dump, or continue after an interrupted call.

    ``order`` is the wiki's collation, which makes the sort keys of categories.

    Raises:
        DumpError: it is not a dump of a table that can be loaded, or it is damaged. Transactions
            committed before the error remain; load an undamaged file to complete the table.
        StoreError: the store cannot be written.
    """
    checkpoint = load_checkpoint(db, _IDENTITY + source.identity)
    reader = TableReader(unpacked(source, DumpLimits()))
    layout = sorted_by(_layout(_created(reader, source)), order)
    report = TableReport(layout.name, already_done=checkpoint.done)
    if not checkpoint.done:
        _Loading(db, layout, order, checkpoint, report, on_progress).run(reader)
    return report


def _created(reader: TableReader, source: DumpSource) -> Table:
    table = reader.table()
    if table is None:
        raise DumpError(f"{source.name} creates no table: it is not a table dump")
    return table


def _layout(table: Table) -> Layout:
    layout = LAYOUTS.get(table.name)
    if layout is None:
        known = ", ".join(sorted(LAYOUTS))
        raise DumpError(f"the table {table.name!r} cannot be loaded; those that can: {known}")
    Shape(layout, table)
    return layout


@dataclass(slots=True)
class _Loading:
    """The state of loading one dump."""

    db: Database
    layout: Layout
    order: Collation
    checkpoint: Checkpoint
    report: TableReport
    on_progress: Callable[[int], None]
    shape: tuple[Table, Shape] | None = None

    def run(self, reader: TableReader) -> None:
        self._check_needs()
        batches = _batches(reader.rows(skip=self.checkpoint.items))
        while not self.checkpoint.done:
            with self.db.atomic():
                if not self.checkpoint.items:
                    self._empty()
                some = 0
                for table, batch in islice(batches, _BATCHES_PER_TRANSACTION):
                    self._write(table, batch)
                    some += 1
                self.checkpoint.done = some < _BATCHES_PER_TRANSACTION
                self.checkpoint.save(self.db)
                self._note()
            self.on_progress(self.checkpoint.items)

    def _write(self, table: Table, batch: Sequence[Values]) -> None:
        before = self.checkpoint.items
        rows = self._converted(table, batch)
        model = self.layout.model
        self.db.insert_many(model, rows, self._shape(table).columns, on_conflict="replace")
        self.checkpoint.items = before + len(batch)
        self.report.rows += len(rows)
        self.report.skipped += len(batch) - len(rows)

    def _converted(self, table: Table, batch: Sequence[Values]) -> list[tuple[Any, ...]]:
        shape = self._shape(table)
        try:
            return list(shape.rows(self.db, batch))
        except BadValue as error:
            first = self.checkpoint.items + 1
            place = f"rows {first} to {first + len(batch) - 1} of the table {table.name!r}"
            raise DumpError(f"{place}: {error}") from None

    def _shape(self, table: Table) -> Shape:
        if self.shape is None or self.shape[0] != table:
            self.shape = table, Shape(self.layout, table)
        return self.shape[1]

    def _check_needs(self) -> None:
        for model in self.layout.needs:
            name = model._meta.table_name
            if self.db.row(model.select().limit(1)) is None:
                raise DumpError(f"load the dump of {name!r} before that of {self.layout.name!r}")

    def _empty(self) -> None:
        self.db.execute_write(self.layout.model.delete())
        for model in self.layout.empties:
            if not is_loaded(self.db, model._meta.table_name):
                self.db.execute_write(model.delete())

    def _note(self) -> None:
        row = (_LOADED + self.layout.name, self.checkpoint.identity)
        self.db.insert_many(UpdateLog, [row], on_conflict="replace")
        if self.layout.model is CategoryLinks:
            record_collation(self.db, self.order)
        note_loaded(self.db, self.layout.name)
        set_unfinished(self.db)


def is_loaded(db: Database, table: str) -> bool:
    """Return whether the rows of a table came from a table dump."""
    query = UpdateLog.select(UpdateLog.ul_key).where(UpdateLog.ul_key == _LOADED + table)
    return db.row(query) is not None


def _batches(rows: Iterator[tuple[Table, Values]]) -> Iterator[tuple[Table, list[Values]]]:
    """Yield batches of rows with the same columns, limited in number and size."""
    batch: list[Values] = []
    size = 0
    current: Table | None = None
    for table, values in rows:
        is_full = len(batch) >= ROWS_PER_BATCH or size >= _BYTES_PER_BATCH
        if current is not None and (table is not current or is_full):
            yield current, batch
            batch, size = [], 0
        current = table
        batch.append(values)
        size += sum(map(len, values))
    if current is not None:
        yield current, batch


class Shape:
    """How the columns of one dump become those of the store, whose names are ``columns``."""

    def __init__(self, layout: Layout, table: Table) -> None:
        """Compare the dump's columns with the store's.

        Raises:
            DumpError: the dump has a column that wikiapi does not know, or lacks one.
        """
        fields: dict[str, Any] = layout.model._meta.columns
        self._places = {name: place for place, name in enumerate(table.columns)}
        _refuse_unknown(table, {*fields, *layout.dropped, *_inputs(layout)})
        self._conversions = [c for c in layout.conversions if self._applies(c, table)]
        made = [name for conversion in self._conversions for name in conversion.outputs]
        copied = [name for name in table.columns if name in fields and name not in made]
        self.columns = (*copied, *made)
        _refuse_incomplete(table, fields, self.columns)
        self._copied = [(self._places[name], converter(fields[name])) for name in copied]

    def rows(self, db: Database, batch: Sequence[Values]) -> Iterator[tuple[Any, ...]]:
        """Return the rows of the store for a batch of rows of the dump.

        Raises:
            BadValue: a value does not fit its column.
        """
        copied = self._copied
        if not self._conversions:
            return (tuple([change(row[at]) for at, change in copied]) for row in batch)
        return self._converted(db, batch)

    def _converted(self, db: Database, batch: Sequence[Values]) -> Iterator[tuple[Any, ...]]:
        made = [
            conversion.convert(db, self._taken(conversion, batch))
            for conversion in self._conversions
        ]
        for row, *parts in zip(batch, *made, strict=True):
            if all(part is not None for part in parts):
                values = [change(row[at]) for at, change in self._copied]
                yield (*values, *(value for part in parts for value in part))

    def _taken(self, conversion: Conversion, batch: Sequence[Values]) -> list[Values]:
        places = [self._places[name] for name in conversion.inputs]
        return [tuple([row[place] for place in places]) for row in batch]

    def _applies(self, conversion: Conversion, table: Table) -> bool:
        if not set(conversion.inputs) <= set(table.columns):
            return False
        return conversion.always or not set(conversion.outputs) <= set(table.columns)


def _inputs(layout: Layout) -> set[str]:
    return {name for conversion in layout.conversions for name in conversion.inputs}


def _refuse_unknown(table: Table, known: set[str]) -> None:
    if unknown := [name for name in table.columns if name not in known]:
        raise DumpError(
            f"the dump's table {table.name!r} has a column {unknown[0]!r} unknown to wikiapi"
        )


def _refuse_incomplete(table: Table, fields: dict[str, Any], columns: Sequence[str]) -> None:
    for name, column in fields.items():
        if name not in columns and not (column.has_default or column.auto_increment):
            raise DumpError(f"the dump's table {table.name!r} has no column {name!r}")


__all__ = ["BadValue", "Shape"]


_WERE_LOADED = "wikiapi-unfinished-table-"
_PAGE = "page"


def note_loaded(db: Database, table: str) -> None:
    """Record that a table has to be finished; call inside the transaction that loads its rows."""
    db.insert_many(UpdateLog, [(_WERE_LOADED + table, None)], on_conflict="replace")


def finish_tables(site: Site) -> None:
    """Update what depends on the tables loaded since the last call, also by earlier runs.

    The full-text index is rebuilt if the table of pages was loaded, and plugins are called.
    """
    db = site.db
    query = UpdateLog.select(UpdateLog.ul_key).where(UpdateLog.ul_key.startswith(_WERE_LOADED))
    loaded = {key.removeprefix(_WERE_LOADED) for (key,) in db.execute(query)}
    if not loaded:
        return
    if _PAGE in loaded:
        search.rebuild(db)
    site.plugins.hook.on_import_finished(site=site)
    # Recorded last: a run that is killed before repeats all of this, also the plugin calls.
    with db.atomic():
        generation.advance(db)
        db.execute_write(UpdateLog.delete().where(UpdateLog.ul_key.startswith(_WERE_LOADED)))
