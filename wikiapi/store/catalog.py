"""What a database says of its own tables, columns and indexes.

On PostgreSQL that is of the first schema of the search path, on MariaDB of the database named in
the URL.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from wikiapi.store.dialect import Dialect

if TYPE_CHECKING:
    from wikiapi.store.database import Database

_TABLES = {
    Dialect.SQLITE: "SELECT name FROM sqlite_master WHERE type IN ('table', 'view')",
    Dialect.MYSQL: (
        "SELECT table_name FROM information_schema.tables WHERE table_schema = DATABASE()"
    ),
    Dialect.POSTGRES: (
        "SELECT table_name FROM information_schema.tables WHERE table_schema = current_schema()"
    ),
}

_COLUMNS = {
    Dialect.SQLITE: "SELECT name, type FROM pragma_table_info(?)",
    Dialect.MYSQL: (
        "SELECT column_name, column_type FROM information_schema.columns"
        " WHERE table_schema = DATABASE() AND table_name = %s"
    ),
    Dialect.POSTGRES: (
        "SELECT column_name, data_type FROM information_schema.columns"
        " WHERE table_schema = current_schema() AND table_name = %s"
    ),
}

_ALL_COLUMNS = {
    Dialect.SQLITE: (
        "SELECT m.name, p.name, p.type FROM sqlite_master m JOIN pragma_table_info(m.name) p"
        " WHERE m.type IN ('table', 'view')"
    ),
    Dialect.MYSQL: (
        "SELECT table_name, column_name, column_type FROM information_schema.columns"
        " WHERE table_schema = DATABASE()"
    ),
    Dialect.POSTGRES: (
        "SELECT table_name, column_name, data_type FROM information_schema.columns"
        " WHERE table_schema = current_schema()"
    ),
}

_INDEXES = {
    Dialect.SQLITE: "SELECT tbl_name, name FROM sqlite_master WHERE type = 'index'",
    Dialect.MYSQL: (
        "SELECT DISTINCT table_name, index_name FROM information_schema.statistics"
        " WHERE table_schema = DATABASE()"
    ),
    Dialect.POSTGRES: (
        "SELECT tablename, indexname FROM pg_indexes WHERE schemaname = current_schema()"
    ),
}


# By the type of si_title; MediaWiki's own is a varchar.
_INDEX_KINDS = {"mediumtext": "fulltext", "tsvector": "tsvector"}


def tables(db: Database) -> set[str]:
    """The names of all tables and views."""
    return {_text(name) for (name,) in db.execute_sql(_TABLES[db.dialect])}


def columns(db: Database, table: str) -> dict[str, str]:
    """The types of a table's columns by name, in lower case; {} for no such table."""
    rows = db.execute_sql(_COLUMNS[db.dialect], (table,))
    return {_text(name): _text(kind).lower() for name, kind in rows}


def all_columns(db: Database) -> dict[str, dict[str, str]]:
    """The types of the columns of every table, in lower case. One query."""
    found: dict[str, dict[str, str]] = {}
    for table, name, kind in db.execute_sql(_ALL_COLUMNS[db.dialect]):
        found.setdefault(_text(table), {})[_text(name)] = _text(kind).lower()
    return found


def indexes(db: Database) -> set[tuple[str, str]]:
    """All indexes as pairs of table and name."""
    return {(_text(table), _text(name)) for table, name in db.execute_sql(_INDEXES[db.dialect])}


def full_text(db: Database) -> str:
    """How the full-text index was declared, in lower case; empty where there is none.

    On the servers the kind of index is all there is to tell. MediaWiki's own index on MariaDB
    keeps its words in a code of its own and counts as none.
    """
    if db.is_sqlite:
        rows = db.execute_sql("SELECT sql FROM sqlite_master WHERE name = 'searchindex'")
        return str(rows[0][0]).lower() if rows else ""
    return _INDEX_KINDS.get(columns(db, "searchindex").get("si_title", ""), "")


def _text(value: str | bytes) -> str:
    return value.decode() if isinstance(value, bytes) else value
