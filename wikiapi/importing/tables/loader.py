"""Loads table dumps into a store in transactions, and resumes after the last one."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from wikiapi.errors import DumpError
from wikiapi.importing.compression import unpacked
from wikiapi.importing.importer import Checkpoint, load_checkpoint
from wikiapi.importing.source import DumpLimits, DumpSource
from wikiapi.importing.tables.layouts import (
    LAYOUTS,
    BadValue,
    Layout,
    converter,
    sorted_by,
)
from wikiapi.importing.tables.sql import Table, TableReader
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
_TO_FINISH = "wikiapi-unfinished-table-"
_PAGE = "page"
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
    created = _created(reader, source)
    layout = sorted_by(_layout(created), order)
    report = TableReport(layout.name, already_done=checkpoint.done)
    if checkpoint.done:
        return report
    for model in layout.needs:
        name = model._meta.table_name
        if db.row(model.select().limit(1)) is None:
            raise DumpError(f"load the dump of {name!r} before that of {layout.name!r}")
    shape = Shape(layout, created)
    batches = _batches(reader.rows(skip=checkpoint.items))
    while not checkpoint.done:
        with db.atomic():
            if not checkpoint.items:
                _empty(db, layout)
            count = 0
            for table, batch in islice(batches, _BATCHES_PER_TRANSACTION):
                if shape.table != table:
                    shape = Shape(layout, table)
                try:
                    rows = list(shape.rows(db, batch))
                except BadValue as error:
                    first, last = checkpoint.items + 1, checkpoint.items + len(batch)
                    place = f"rows {first} to {last} of the table {table.name!r}"
                    raise DumpError(f"{place}: {error}") from None
                db.insert_many(layout.model, rows, shape.columns, on_conflict="replace")
                checkpoint.items += len(batch)
                report.rows += len(rows)
                report.skipped += len(batch) - len(rows)
                count += 1
            checkpoint.done = count < _BATCHES_PER_TRANSACTION
            checkpoint.save(db)
            _record(db, layout, checkpoint, order)
        on_progress(checkpoint.items)
    return report


def _created(reader: TableReader, source: DumpSource) -> Table:
    table = reader.table()
    if table is None:
        raise DumpError(f"{source.name} creates no table: it is not a table dump")
    return table


def _layout(table: Table) -> Layout:
    layout = LAYOUTS.get(table.name)
    if layout is None:
        names = ", ".join(sorted(LAYOUTS))
        raise DumpError(f"the table {table.name!r} cannot be loaded; those that can: {names}")
    Shape(layout, table)  # raises an error if its columns do not fit
    return layout


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


def _empty(db: Database, layout: Layout) -> None:
    """Remove the rows of a table, and those that refer to them unless a dump had them."""
    db.execute_write(layout.model.delete())
    for model in layout.empties:
        if not is_loaded(db, model._meta.table_name):
            db.execute_write(model.delete())


def _record(db: Database, layout: Layout, checkpoint: Checkpoint, order: Collation) -> None:
    """Record that rows of a table were loaded; call inside the transaction that loads them."""
    notes = [(_LOADED + layout.name, checkpoint.identity), (_TO_FINISH + layout.name, None)]
    db.insert_many(UpdateLog, notes, on_conflict="replace")
    if layout.model is CategoryLinks:
        record_collation(db, order)
    set_unfinished(db)


def is_loaded(db: Database, table: str) -> bool:
    """Return whether the rows of a table came from a table dump."""
    query = UpdateLog.select(UpdateLog.ul_key).where(UpdateLog.ul_key == _LOADED + table)
    return db.row(query) is not None


class Shape:
    """How the columns of one dump become those of the store, whose names are ``columns``."""

    def __init__(self, layout: Layout, table: Table) -> None:
        """Compare the dump's columns with the store's.

        Raises:
            DumpError: the dump has a column that wikiapi does not know, or lacks one.
        """
        fields: dict[str, Any] = layout.model._meta.columns
        self.table = table
        self._places = {name: place for place, name in enumerate(table.columns)}
        inputs = {name for conversion in layout.conversions for name in conversion.inputs}
        expected = {*fields, *layout.dropped, *inputs}
        if unknown := [name for name in table.columns if name not in expected]:
            raise DumpError(
                f"the dump's table {table.name!r} has a column {unknown[0]!r} unknown to wikiapi"
            )
        columns = set(table.columns)
        self._conversions = [
            conversion
            for conversion in layout.conversions
            if columns >= set(conversion.inputs)
            and (conversion.always or not columns >= set(conversion.outputs))
        ]
        made = [name for conversion in self._conversions for name in conversion.outputs]
        copied = [name for name in table.columns if name in fields and name not in made]
        self.columns = (*copied, *made)
        for name, column in fields.items():
            if name not in self.columns and not (column.has_default or column.auto_increment):
                raise DumpError(f"the dump's table {table.name!r} has no column {name!r}")
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
        made = []
        for conversion in self._conversions:
            places = [self._places[name] for name in conversion.inputs]
            inputs = [tuple([row[place] for place in places]) for row in batch]
            made.append(conversion.convert(db, inputs))
        for row, *parts in zip(batch, *made, strict=True):
            if all(part is not None for part in parts):
                values = [change(row[at]) for at, change in self._copied]
                yield (*values, *(value for part in parts for value in part))


def finish_tables(site: Site) -> None:
    """Update what depends on the tables loaded since the last call, also by earlier runs.

    The full-text index is rebuilt if the table of pages was loaded, and plugins are called.
    """
    db = site.db
    query = UpdateLog.select(UpdateLog.ul_key).where(UpdateLog.ul_key.startswith(_TO_FINISH))
    loaded = {key.removeprefix(_TO_FINISH) for (key,) in db.execute(query)}
    if not loaded:
        return
    if _PAGE in loaded:
        search.rebuild(db)
    site.plugins.hook.on_import_finished(site=site)
    # Recorded last: a run that is killed before repeats all of this, also the plugin calls.
    with db.atomic():
        generation.advance(db)
        db.execute_write(UpdateLog.delete().where(UpdateLog.ul_key.startswith(_TO_FINISH)))
