"""Builds CREATE and DROP statements for models."""

from __future__ import annotations

from typing import Any

from peewee import Model

from wikiapi.store.engines.dialect import Dialect
from wikiapi.store.fields import Column
from wikiapi.store.models.base import NamedIndex


def definition(model: type[Model], dialect: Dialect) -> list[str]:
    """Return the statements that create a table with its indexes.

    If statements that change tables cannot be part of a transaction, a single statement creates
    both, so that the table never exists without an index.
    """
    if dialect.has_transactional_ddl:
        return [create_table(model, dialect), *create_indexes(model, dialect)]
    meta: Any = model._meta
    indexes = [
        f"{_kind(index)} {dialect.quoted(index.name)} {_columns(meta, index, dialect)}"
        for index in named_indexes(model)
    ]
    return [_table(model, dialect, [*_lines(model, dialect), *indexes])]


def create_table(model: type[Model], dialect: Dialect) -> str:
    """Return CREATE TABLE with MediaWiki's columns, defaults and primary key."""
    return _table(model, dialect, _lines(model, dialect))


def create_indexes(model: type[Model], dialect: Dialect) -> list[str]:
    """Return CREATE INDEX for every index that MediaWiki has on the table."""
    return [create_index(model, index, dialect) for index in named_indexes(model)]


def create_index(model: type[Model], index: NamedIndex, dialect: Dialect) -> str:
    """Return CREATE INDEX for one index of a table."""
    meta: Any = model._meta
    name, table = dialect.quoted(index.name), dialect.quoted(meta.table_name)
    return f"CREATE {_kind(index)} {name} ON {table} {_columns(meta, index, dialect)}"


def drop_index(model: type[Model], index: NamedIndex, dialect: Dialect) -> str:
    """Return DROP INDEX IF EXISTS for one index of a table."""
    meta: Any = model._meta
    return dialect.drop_index(meta.table_name, index.name)


def named_indexes(model: type[Model]) -> tuple[NamedIndex, ...]:
    """Return the indexes of a model's table, which have MediaWiki's names."""
    return getattr(model._meta, "named_indexes", ())


def _table(model: type[Model], dialect: Dialect, lines: list[str]) -> str:
    meta: Any = model._meta
    table = dialect.quoted(meta.table_name)
    return f"CREATE TABLE {table} ({', '.join(lines)}){dialect.table_ending}"


def _lines(model: type[Model], dialect: Dialect) -> list[str]:
    meta: Any = model._meta
    lines = [_column(field, dialect) for field in meta.sorted_fields]
    key = [field.column_name for field in meta.get_primary_keys()]
    if key and not meta.auto_increment:
        lines.append(f"PRIMARY KEY ({dialect.listed(key)})")
    return lines


def _kind(index: NamedIndex) -> str:
    return "UNIQUE INDEX" if index.unique else "INDEX"


def _columns(meta: Any, index: NamedIndex, dialect: Dialect) -> str:
    return f"({', '.join(dialect.indexed_column(meta.columns[name]) for name in index.columns)})"


def _column(field: Column, dialect: Dialect) -> str:
    head = f"{dialect.quoted(field.column_name)} {dialect.column_type(field)}"
    if field.auto_increment:
        return head + dialect.serial_ending
    default = f" DEFAULT {literal(field.sql_default)}" if field.has_default else ""
    return head + default + ("" if field.null else " NOT NULL")


def literal(value: object) -> str:
    """Return the SQL for a default value."""
    if value is None:
        return "NULL"
    return str(value) if isinstance(value, int) else f"'{value}'"
