"""INSERT statements from the models, in each database's own words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

from peewee import Model

from wikiapi.store.dialect import Dialect
from wikiapi.store.fields import Payload

OnConflict = Literal["error", "ignore", "replace"]
Values = Sequence[Any]

_VERBS: dict[tuple[Dialect, str], str] = {
    (Dialect.SQLITE, "ignore"): "INSERT OR IGNORE",
    (Dialect.SQLITE, "replace"): "INSERT OR REPLACE",
    (Dialect.MYSQL, "ignore"): "INSERT IGNORE",
    (Dialect.MYSQL, "replace"): "REPLACE",
}


def quoted(dialect: Dialect, name: str) -> str:
    """A table's or column's name as it stands in SQL."""
    return f"`{name}`" if dialect is Dialect.MYSQL else f'"{name}"'


def column_names(model: type[Model]) -> list[str]:
    """The model's columns in the order of the table."""
    meta: Any = model._meta
    return [field.column_name for field in meta.sorted_fields]


@dataclass(frozen=True)
class Insertion:
    """Rows to be inserted: into which table, which columns, and what becomes of a row in the way.

    With ``ignore`` that one stays, with ``replace`` it goes, whichever unique key it shares.
    """

    dialect: Dialect
    model: type[Model]
    columns: Sequence[str]
    on_conflict: OnConflict

    @cached_property
    def sql(self) -> str:
        """The statement for one row, with a placeholder for each column."""
        return self.sql_of(1)

    @property
    def copy_sql(self) -> str:
        """PostgreSQL's statement for a stream of rows."""
        return f"COPY {self._target} FROM STDIN"

    def sql_of(self, count: int) -> str:
        """The statement for so many rows."""
        verb = _VERBS.get((self.dialect, self.on_conflict), "INSERT")
        sql = f"{verb} INTO {self._target} VALUES {self._marks(len(self.columns), count)}"
        ignoring = self.dialect is Dialect.POSTGRES and self.on_conflict == "ignore"
        return f"{sql} ON CONFLICT DO NOTHING" if ignoring else sql

    def encoded(self, rows: Iterable[Values]) -> Iterator[Values]:
        """Rows for PostgreSQL, which reads a text into a column of bytes with backslashes."""
        payloads = [i for i, field in enumerate(self._fields) if isinstance(field, Payload)]
        return (_with_bytes(row, payloads) for row in rows) if payloads else iter(rows)

    def make_room(self, cursor: Any, rows: Sequence[Values]) -> list[Values]:
        """Delete what is in the way of rows on PostgreSQL; of rows alike, the last is left."""
        left = list(rows)
        for key in self._keys:
            places = [self.columns.index(name) for name in key]
            by_key = {tuple(row[place] for place in places): row for row in left}
            left = list(by_key.values())
            values = [value for found in by_key for value in found]
            cursor.execute(self._deletion(key, len(by_key)), values)
        return left

    def _deletion(self, key: Sequence[str], count: int) -> str:
        table, names = quoted(self.dialect, self._table), self._listed(key)
        marks = self._marks(len(key), count)
        return f"DELETE FROM {table} WHERE ({names}) IN ({marks})"  # noqa: S608

    @property
    def _table(self) -> str:
        meta: Any = self.model._meta
        return str(meta.table_name)

    @property
    def _fields(self) -> list[Any]:
        meta: Any = self.model._meta
        return [meta.columns[name] for name in self.columns]

    @property
    def _keys(self) -> list[Sequence[str]]:
        """The unique keys of which every column is inserted."""
        meta: Any = self.model._meta
        keys = [[field.column_name for field in meta.get_primary_keys()]]
        keys += [list(i.columns) for i in getattr(meta, "named_indexes", ()) if i.unique]
        return [key for key in keys if key and set(key) <= set(self.columns)]

    @property
    def _target(self) -> str:
        return f"{quoted(self.dialect, self._table)} ({self._listed(self.columns)})"

    def _listed(self, names: Sequence[str]) -> str:
        return ", ".join(quoted(self.dialect, name) for name in names)

    def _marks(self, width: int, count: int) -> str:
        mark = "?" if self.dialect is Dialect.SQLITE else "%s"
        row = f"({', '.join([mark] * width)})"
        return ", ".join([row] * count)


def _with_bytes(row: Values, payloads: Sequence[int]) -> Values:
    values = list(row)
    for index in payloads:
        if isinstance(values[index], str):
            values[index] = values[index].encode()
    return values
