"""CREATE statements from the models, in each database's own words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from wikiapi.store.connect import Dialect
from wikiapi.store.insert import quoted

if TYPE_CHECKING:
    from peewee import Model

    from wikiapi.store.fields import Column
    from wikiapi.store.models.base import NamedIndex

# As many bytes of a long column as MediaWiki puts into its indexes on MariaDB.
_PREFIX = 60

_SERIAL_TAIL = {
    Dialect.SQLITE: " PRIMARY KEY AUTOINCREMENT NOT NULL",
    Dialect.MYSQL: " PRIMARY KEY AUTO_INCREMENT NOT NULL",
    Dialect.POSTGRES: " PRIMARY KEY",
}


def create_table(model: type[Model], dialect: Dialect) -> str:
    """CREATE TABLE with MediaWiki's columns, defaults and primary key."""
    meta: Any = model._meta
    lines = [_column(field, dialect) for field in meta.sorted_fields]
    key = [field.column_name for field in meta.get_primary_keys()]
    if key and not meta.auto_increment:
        lines.append(f"PRIMARY KEY ({_listed(dialect, key)})")
    return f"CREATE TABLE {quoted(dialect, meta.table_name)} ({', '.join(lines)})"


def create_indexes(model: type[Model], dialect: Dialect) -> list[str]:
    """CREATE INDEX for every index that MediaWiki has on the table."""
    return [create_index(model, index, dialect) for index in named_indexes(model)]


def create_index(model: type[Model], index: NamedIndex, dialect: Dialect) -> str:
    """CREATE INDEX for one of them."""
    meta: Any = model._meta
    kind = "UNIQUE INDEX" if index.unique else "INDEX"
    name, table = quoted(dialect, index.name), quoted(dialect, meta.table_name)
    columns = ", ".join(_indexed(meta.columns[column], dialect) for column in index.columns)
    return f"CREATE {kind} {name} ON {table} ({columns})"


def drop_index(index: NamedIndex, dialect: Dialect) -> str:
    """DROP INDEX, if it is there."""
    return f"DROP INDEX IF EXISTS {quoted(dialect, index.name)}"


def named_indexes(model: type[Model]) -> tuple[NamedIndex, ...]:
    """The model's indexes under MediaWiki's names."""
    return getattr(model._meta, "named_indexes", ())


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
