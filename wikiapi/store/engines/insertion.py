"""Builds INSERT statements for models."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from peewee import Model

from wikiapi.store.engines.dialect import Dialect, OnConflict


def column_names(model: type[Model]) -> list[str]:
    """Return the model's columns in the order of the table."""
    meta: Any = model._meta
    return [field.column_name for field in meta.sorted_fields]


@dataclass(frozen=True)
class Insertion:
    """An insertion of rows: the model, the columns, and what to do if a unique key exists already.

    With ``ignore`` the existing row stays, with ``replace`` it is deleted.
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
    def target(self) -> str:
        """The table and columns, quoted for SQL."""
        return f"{self.table} ({self.dialect.listed(self.columns)})"

    @property
    def table(self) -> str:
        """The name of the table, quoted."""
        meta: Any = self.model._meta
        return self.dialect.quoted(meta.table_name)

    @property
    def fields(self) -> list[Any]:
        """The model's fields for the columns."""
        meta: Any = self.model._meta
        return [meta.columns[name] for name in self.columns]

    @property
    def unique_keys(self) -> list[Sequence[str]]:
        """The columns of each unique key whose columns are all inserted."""
        meta: Any = self.model._meta
        keys = [[field.column_name for field in meta.get_primary_keys()]]
        keys += [list(i.columns) for i in getattr(meta, "named_indexes", ()) if i.unique]
        return [key for key in keys if key and set(key) <= set(self.columns)]

    def sql_of(self, count: int) -> str:
        """Return the statement for ``count`` rows."""
        verb = self.dialect.insert_verbs[self.on_conflict]
        ending = self.dialect.insert_endings.get(self.on_conflict, "")
        marks = [self.dialect.mark_of(field) for field in self.fields]
        return f"{verb} INTO {self.target} VALUES {self._rows(marks, count)}{ending}"

    def marks(self, width: int, count: int) -> str:
        """Return placeholders for ``count`` rows of ``width`` values."""
        return self._rows([self.dialect.placeholder] * width, count)

    def _rows(self, marks: Sequence[str], count: int) -> str:
        return ", ".join([f"({', '.join(marks)})"] * count)
