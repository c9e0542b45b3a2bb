"""Finds out how a database's layout differs from the current one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from peewee import Model

from wikiapi.store.engines.dialect import Dialect
from wikiapi.store.layout.older import DERIVED, TITLED
from wikiapi.store.layout.rewriting import CURRENT, Layout
from wikiapi.store.models import ALL_MODELS

if TYPE_CHECKING:
    from wikiapi.store.database import Database

_BYTEWISE = frozenset({"c", "posix", "c.utf-8", "c.utf8"})


def detect(db: Database) -> Layout:
    """The layout of MediaWiki's own database; the current one for any other."""
    there = db.catalog.all_columns()
    if "page" not in there:
        return CURRENT
    targets = {
        column: old
        for column, old in TITLED.items()
        if old.title in there.get(old.table, {}) and column not in there[old.table]
    }
    sorts_bytewise = _sorts_bytewise(db)
    tables = {}
    for model in ALL_MODELS:
        name = model._meta.table_name
        query = _substitute(db.dialect, model, there, sorts_bytewise=sorts_bytewise)
        if query:
            tables[name] = query
    return Layout(tables, targets) if tables or targets else CURRENT


def _substitute(
    dialect: Dialect,
    model: type[Model],
    there: dict[str, dict[str, str]],
    *,
    sorts_bytewise: bool,
) -> str:
    """The query that stands for a table, empty if it is as it should be."""
    meta: Any = model._meta
    own = there.get(meta.table_name)
    older = DERIVED.get(meta.table_name)
    replaces = older is not None and (own is None or older.source == meta.table_name)
    known = older.columns(dialect, there) if older and replaces and older.applies(there) else {}
    if own is None and not known:
        nulls = [
            f"{dialect.null_of(field)} AS {dialect.quoted(field.column_name)}"
            for field in meta.sorted_fields
        ]
        return f"SELECT {', '.join(nulls)}{dialect.from_nothing} WHERE 1 = 0"
    columns = {
        field.column_name: known.get(field.column_name)
        or _own(field, own or {}, dialect, sorts_bytewise=sorts_bytewise)
        for field in meta.sorted_fields
        if not _is_target(field.column_name, own or {})
    }
    if not known and all(sql == dialect.quoted(name) for name, sql in columns.items()):
        return ""
    kept = [dialect.quoted(name) for name in (own or {}) if name not in columns]
    source = older.source if older and known and own is None else meta.table_name
    return f"SELECT {', '.join([*columns.values(), *kept])} FROM {dialect.quoted(source)}"  # noqa: S608


def _own(field: Any, own: dict[str, str], dialect: Dialect, *, sorts_bytewise: bool) -> str:
    name = dialect.quoted(field.column_name)
    kind = own.get(field.column_name)
    if kind is None:
        return f"{_missing(field, dialect)} AS {name}"
    value = dialect.digits_of(name, kind)
    if value == name and not sorts_bytewise:
        value = dialect.sorted_bytewise(name, kind)
    return name if value == name else f"{value} AS {name}"


def _missing(field: Any, dialect: Dialect) -> str:
    """The value of a column that came later: its default."""
    default = field.sql_default if field.has_default else None
    if default is None:
        return dialect.null_of(field)
    return str(default) if isinstance(default, int) else f"'{default}'"


def _is_target(column: str, own: dict[str, str]) -> bool:
    """Whether rewriting takes care of the column."""
    return column in TITLED and column not in own


def _sorts_bytewise(db: Database) -> bool:
    if not db.dialect.database_collation:
        return True
    rows = db.execute_sql(db.dialect.database_collation)
    return str(rows[0][0]).lower() in _BYTEWISE
