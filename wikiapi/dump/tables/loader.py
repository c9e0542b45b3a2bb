"""Loads table dumps into a store, in transactions, resumable at each of them."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any

from wikiapi.dump.checkpoint import load_checkpoint, set_unfinished
from wikiapi.dump.compression import unpacked
from wikiapi.dump.limits import DumpLimits
from wikiapi.dump.tables.finish import note_loaded
from wikiapi.dump.tables.layouts import LAYOUTS
from wikiapi.dump.tables.shape import Shape
from wikiapi.dump.tables.sql import TableReader
from wikiapi.dump.tables.values import BadValue
from wikiapi.errors import DumpError
from wikiapi.store.models import UpdateLog

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from wikiapi.dump.checkpoint import Checkpoint
    from wikiapi.dump.source import DumpSource
    from wikiapi.dump.tables.layouts import Layout
    from wikiapi.dump.tables.sql import Table
    from wikiapi.store.database import Database

    Values = tuple[bytes, ...]

_IDENTITY = "table-"
_LOADED = "wikiapi-table-"
ROWS_PER_BATCH = 1_000
_BYTES_PER_BATCH = 1 << 22
_BATCHES_PER_TRANSACTION = 50


@dataclass(slots=True)
class TableReport:
    """What loading a dump did. ``left_out`` counts rows that name what is not there."""

    table: str
    rows: int = 0
    left_out: int = 0
    already_done: bool = False


def table_of(source: DumpSource) -> str:
    """The name of the table that a dump is of.

    Raises:
        DumpError: it is no dump of a table that can be loaded.
    """
    return _layout(_created(TableReader(unpacked(source, DumpLimits())), source)).name


def load_table(
    db: Database, source: DumpSource, on_progress: Callable[[int], None] = lambda _: None
) -> TableReport:
    """Load a dump in place of what the table holds, from where an earlier loading stopped.

    Raises:
        DumpError: it is no dump of a table that can be loaded, or is damaged. Whole transactions
            before the place stay, and the table is complete when a sound file has been loaded.
        StoreError: the store cannot be written.
    """
    checkpoint = load_checkpoint(db, _IDENTITY + source.identity)
    reader = TableReader(unpacked(source, DumpLimits()))
    layout = _layout(_created(reader, source))
    report = TableReport(layout.name, already_done=checkpoint.done)
    if not checkpoint.done:
        _Loading(db, layout, checkpoint, report, on_progress).run(reader)
    return report


def _created(reader: TableReader, source: DumpSource) -> Table:
    table = reader.table()
    if table is None:
        raise DumpError(f"{source.name} creates no table: it is no table dump")
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
    """The loading of one dump."""

    db: Database
    layout: Layout
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
        self.report.left_out += len(batch) - len(rows)

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
        self.db.run(self.layout.model.delete())
        for model in self.layout.empties:
            if not is_loaded(self.db, model._meta.table_name):
                self.db.run(model.delete())

    def _note(self) -> None:
        row = (_LOADED + self.layout.name, self.checkpoint.identity)
        self.db.insert_many(UpdateLog, [row], on_conflict="replace")
        note_loaded(self.db, self.layout.name)
        set_unfinished(self.db)


def is_loaded(db: Database, table: str) -> bool:
    """Whether what the table holds came from a table dump."""
    query = UpdateLog.select(UpdateLog.ul_key).where(UpdateLog.ul_key == _LOADED + table)
    return db.row(query) is not None


def _batches(rows: Iterator[tuple[Table, Values]]) -> Iterator[tuple[Table, list[Values]]]:
    """Rows of one table layout together, not too many and not too large."""
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
