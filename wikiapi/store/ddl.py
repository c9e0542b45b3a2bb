"""CREATE statements from the models, in each database's own words."""

from __future__ import annotations

from typing import Any

from peewee import Model

from wikiapi.store.dialect import Dialect
from wikiapi.store.fields import Column
from wikiapi.store.insert import quoted
from wikiapi.store.models.base import NamedIndex

# As many bytes of a long column as MediaWiki puts into its indexes on MariaDB.
_PREFIX = 60

_SERIAL_TAIL = {
    Dialect.SQLITE: " PRIMARY KEY AUTOINCREMENT NOT NULL",
    Dialect.MYSQL: " PRIMARY KEY AUTO_INCREMENT NOT NULL",
    Dialect.POSTGRES: " PRIMARY KEY",
}


def definition(model: type[Model], dialect: Dialect) -> list[str]:
    """The statements that make a table with its indexes; a single one on MariaDB.

    There each statement is a transaction of its own, so that no table is ever without an index.
    """
    if dialect is not Dialect.MYSQL:
        return [create_table(model, dialect), *create_indexes(model, dialect)]
    meta: Any = model._meta
    indexes = [_index_within(meta, index, dialect) for index in named_indexes(model)]
    return [_table(model, dialect, [*_lines(model, dialect), *indexes])]


def create_table(model: type[Model], dialect: Dialect) -> str:
    """CREATE TABLE with MediaWiki's columns, defaults and primary key."""
    return _table(model, dialect, _lines(model, dialect))


def create_indexes(model: type[Model], dialect: Dialect) -> list[str]:
    """CREATE INDEX for every index that MediaWiki has on the table."""
    return [create_index(model, index, dialect) for index in named_indexes(model)]


def create_index(model: type[Model], index: NamedIndex, dialect: Dialect) -> str:
    """CREATE INDEX for one of them."""
    meta: Any = model._meta
    table = quoted(dialect, meta.table_name)
    return f"CREATE {_kind(index)} {quoted(dialect, index.name)} ON {table} " + _columns(
        meta, index, dialect
    )


def drop_index(model: type[Model], index: NamedIndex, dialect: Dialect) -> str:
    """DROP INDEX, if it is there."""
    meta: Any = model._meta
    place = f" ON {quoted(dialect, meta.table_name)}" if dialect is Dialect.MYSQL else ""
    return f"DROP INDEX IF EXISTS {quoted(dialect, index.name)}{place}"


def named_indexes(model: type[Model]) -> tuple[NamedIndex, ...]:
    """The model's indexes under MediaWiki's names."""
    return getattr(model._meta, "named_indexes", ())


def _table(model: type[Model], dialect: Dialect, lines: list[str]) -> str:
    meta: Any = model._meta
    # As MediaWiki makes them: every text is compared by its bytes.
    tail = " ENGINE=InnoDB DEFAULT CHARSET=binary" if dialect is Dialect.MYSQL else ""
    return f"CREATE TABLE {quoted(dialect, meta.table_name)} ({', '.join(lines)}){tail}"


def _lines(model: type[Model], dialect: Dialect) -> list[str]:
    meta: Any = model._meta
    lines = [_column(field, dialect) for field in meta.sorted_fields]
    key = [field.column_name for field in meta.get_primary_keys()]
    if key and not meta.auto_increment:
        lines.append(f"PRIMARY KEY ({_listed(dialect, key)})")
    return lines


def _index_within(meta: Any, index: NamedIndex, dialect: Dialect) -> str:
    return f"{_kind(index)} {quoted(dialect, index.name)} {_columns(meta, index, dialect)}"


def _kind(index: NamedIndex) -> str:
    return "UNIQUE INDEX" if index.unique else "INDEX"


def _columns(meta: Any, index: NamedIndex, dialect: Dialect) -> str:
    return f"({', '.join(_indexed(meta.columns[name], dialect) for name in index.columns)})"


def _column(field: Column, dialect: Dialect) -> str:
    head = f"{quoted(dialect, field.column_name)} {field.type_in(dialect)}"
    if field.auto_increment:
        return head + _SERIAL_TAIL[dialect]
    default = f" DEFAULT {_literal(field.sql_default)}" if field.has_default else ""
    return head + default + ("" if field.null else " NOT NULL")


def _indexed(field: Column, dialect: Dialect) -> str:
    """A column within an index: MariaDB takes only the beginning of a long one."""
    name = quoted(dialect, field.column_name)
    long = dialect is Dialect.MYSQL and "BLOB" in field.type_in(dialect)
    return f"{name}({_PREFIX})" if long else name


def _literal(value: object) -> str:
    if value is None:
        return "NULL"
    return str(value) if isinstance(value, int) else f"'{value}'"


def _listed(dialect: Dialect, names: list[str] | tuple[str, ...]) -> str:
    return ", ".join(quoted(dialect, name) for name in names)
