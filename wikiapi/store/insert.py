"""INSERT statements with one placeholder per column, for ``executemany``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from wikiapi.store.connect import Dialect

if TYPE_CHECKING:
    from collections.abc import Sequence

    from peewee import Model

    OnConflict = Literal["error", "ignore", "replace"]

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


def insert_sql(
    dialect: Dialect, model: type[Model], columns: Sequence[str] | None, on_conflict: OnConflict
) -> str:
    """The INSERT of one row of a model."""
    meta: Any = model._meta
    names = list(columns) if columns is not None else column_names(model)
    verb = _VERBS.get((dialect, on_conflict), "INSERT")
    mark = "?" if dialect is Dialect.SQLITE else "%s"
    listed = ", ".join(quoted(dialect, name) for name in names)
    marks = ", ".join([mark] * len(names))
    sql = f"{verb} INTO {quoted(dialect, meta.table_name)} ({listed}) VALUES ({marks})"
    if dialect is Dialect.POSTGRES and on_conflict != "error":
        sql += _postgres_conflict(meta, names, on_conflict)
    return sql


def _postgres_conflict(meta: Any, names: list[str], on_conflict: OnConflict) -> str:
    if on_conflict == "ignore":
        return " ON CONFLICT DO NOTHING"
    key = [field.column_name for field in meta.get_primary_keys()]
    changed = ", ".join(f'"{name}" = EXCLUDED."{name}"' for name in names if name not in key)
    target = ", ".join(f'"{name}"' for name in key)
    return f" ON CONFLICT ({target}) DO UPDATE SET {changed}"
