"""How rows of a dump's table become rows of the store's: checked once, then done batch by batch."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from wikiapi.dump.tables.values import BadValue, converter
from wikiapi.errors import DumpError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from wikiapi.dump.tables.conversions import Conversion
    from wikiapi.dump.tables.layouts import Layout
    from wikiapi.dump.tables.sql import Table
    from wikiapi.store.database import Database

    Values = tuple[bytes, ...]


class Shape:
    """The columns of one dump, each with what is done with it. ``columns`` are the store's."""

    def __init__(self, layout: Layout, table: Table) -> None:
        """Compare the dump's columns with the store's.

        Raises:
            DumpError: the dump has a column that is not known here, or lacks one.
        """
        fields: dict[str, Any] = layout.model._meta.columns
        self._places = {name: place for place, name in enumerate(table.columns)}
        _refuse_unknown(table, {*fields, *layout.dropped, *_inputs(layout)})
        self._conversions = [c for c in layout.conversions if self._applies(c, table)]
        made = [name for conversion in self._conversions for name in conversion.outputs]
        kept = [name for name in table.columns if name in fields and name not in made]
        self.columns = (*kept, *made)
        _refuse_incomplete(table, fields, self.columns)
        self._kept = [(self._places[name], converter(fields[name])) for name in kept]

    def rows(self, db: Database, batch: Sequence[Values]) -> Iterator[tuple[Any, ...]]:
        """The rows of the store that a batch of the dump's stands for.

        Raises:
            BadValue: a value does not fit its column.
        """
        kept = self._kept
        if not self._conversions:
            return (tuple([change(row[at]) for at, change in kept]) for row in batch)
        return self._converted(db, batch)

    def _converted(self, db: Database, batch: Sequence[Values]) -> Iterator[tuple[Any, ...]]:
        made = [
            conversion.convert(db, self._taken(conversion, batch))
            for conversion in self._conversions
        ]
        for row, *parts in zip(batch, *made, strict=True):
            if all(part is not None for part in parts):
                values = [change(row[at]) for at, change in self._kept]
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
            f"the dump's table {table.name!r} has a column {unknown[0]!r} that is not known here"
        )


def _refuse_incomplete(table: Table, fields: dict[str, Any], columns: Sequence[str]) -> None:
    for name, column in fields.items():
        if name not in columns and not (column.has_default or column.auto_increment):
            raise DumpError(f"the dump's table {table.name!r} has no column {name!r}")


__all__ = ["BadValue", "Shape"]
