"""Finds out how a database's layout differs from the current one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from peewee import Model

from wikiapi.store import catalog
from wikiapi.store.dialect import Dialect
from wikiapi.store.insert import quoted
from wikiapi.store.layout.older import DERIVED, TITLED
from wikiapi.store.layout.rewriting import CURRENT, Layout
from wikiapi.store.models import ALL_MODELS

if TYPE_CHECKING:
    from wikiapi.store.database import Database

_CASTS = {
    Dialect.SQLITE: "NULL",
    Dialect.MYSQL: "NULL",
    Dialect.POSTGRES: "CAST(NULL AS {})",
}

# What PostgreSQL has for MediaWiki's timestamps, as the fourteen digits that all others have.
_DIGITS = (
    "CASE WHEN {0} = 'infinity' THEN 'infinity' ELSE"
    " to_char({0} AT TIME ZONE 'UTC', 'YYYYMMDDHH24MISS') END AS {0}"
)

_BYTEWISE = frozenset({"c", "posix", "c.utf-8", "c.utf8"})


def detect(db: Database) -> Layout:
    """The layout of MediaWiki's own database; the current one for any other."""
    there = catalog.all_columns(db)
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
        dual = " FROM DUAL" if dialect is Dialect.MYSQL else ""
        return f"SELECT {', '.join(_empty(meta, dialect))}{dual} WHERE 1 = 0"
    columns = {
        field.column_name: known.get(field.column_name)
        or _own(field, own or {}, dialect, sorts_bytewise=sorts_bytewise)
        for field in meta.sorted_fields
        if not _is_target(field.column_name, own or {})
    }
    if not known and all(sql == quoted(dialect, name) for name, sql in columns.items()):
        return ""
    kept = [quoted(dialect, name) for name in (own or {}) if name not in columns]
    source = older.source if older and known and own is None else meta.table_name
    return f"SELECT {', '.join([*columns.values(), *kept])} FROM {quoted(dialect, source)}"  # noqa: S608


def _own(field: Any, own: dict[str, str], dialect: Dialect, *, sorts_bytewise: bool) -> str:
    name = quoted(dialect, field.column_name)
    kind = own.get(field.column_name)
    if kind is None:
        return f"{_missing(field, dialect)} AS {name}"
    if dialect is Dialect.POSTGRES and kind.startswith("timestamp"):
        return _DIGITS.format(name)
    if dialect is Dialect.POSTGRES and not sorts_bytewise and kind in {"text", "character varying"}:
        return f'{name} COLLATE "C" AS {name}'
    return name


def _missing(field: Any, dialect: Dialect) -> str:
    """The value of a column that came later: its default."""
    default = field.sql_default if field.has_default else None
    if default is None:
        return _CASTS[dialect].format(_plain_type(field))
    return str(default) if isinstance(default, int) else f"'{default}'"


def _empty(meta: Any, dialect: Dialect) -> list[str]:
    null = _CASTS[dialect]
    return [
        null.format(_plain_type(field)) + f" AS {quoted(dialect, field.column_name)}"
        for field in meta.sorted_fields
    ]


def _plain_type(field: Any) -> str:
    kind = field.type_in("postgres").partition(" COLLATE")[0]
    return "BIGINT" if kind == "BIGSERIAL" else str(kind)


def _is_target(column: str, own: dict[str, str]) -> bool:
    """Whether rewriting takes care of the column."""
    return column in TITLED and column not in own


def _sorts_bytewise(db: Database) -> bool:
    if db.dialect is not Dialect.POSTGRES:
        return True
    rows = db.execute_sql("SELECT datcollate FROM pg_database WHERE datname = current_database()")
    return str(rows[0][0]).lower() in _BYTEWISE
