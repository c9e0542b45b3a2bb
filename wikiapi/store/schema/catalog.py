"""The system catalogue of a database: its tables, columns and indexes.

On PostgreSQL these are those of the first schema in the search path, on MariaDB those of the
database named in the URL. If tables have a prefix, only those with it count, and are named without.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from wikiapi.store.engines.dialect import Dialect
from wikiapi.store.sql.statements import Row

Columns: TypeAlias = dict[str, str]
"""The types of a table's columns by name, in lower case."""

# Collations of PostgreSQL that sort by bytes.
_BYTEWISE = frozenset({"c", "posix", "c.utf-8", "c.utf8"})


class Catalog:
    """The system catalogue of one database. Each method runs one query."""

    def __init__(self, dialect: Dialect, run: Callable[..., list[Row]], prefix: str = "") -> None:
        """Take the dialect, a function that returns the rows of a statement, and the prefix."""
        self._dialect = dialect
        self._run = run
        self._prefix = prefix

    def stored_name(self, table: str) -> str:
        """Return the name that a table has in the database."""
        return f"{self._prefix}{table}"

    def tables(self) -> set[str]:
        """Return the names of all tables and views."""
        rows = self._run(self._dialect.list_tables)
        return {name for (stored,) in rows if (name := self._own(stored))}

    def has_table(self, name: str) -> bool:
        """Return whether there is a table or view with a name."""
        return name in self.tables()

    def kinds(self) -> dict[str, str]:
        """Return the kind of every table and view by name: ``table``, ``view``, ``virtual``..."""
        rows = self._run(self._dialect.list_kinds)
        return {
            name: _text(kind).lower().removeprefix("base ")
            for stored, kind in rows
            if (name := self._own(stored))
        }

    def definition(self, table: str) -> list[str]:
        """Return the statements that create a table and its indexes; none if they are unknown.

        Those of a table with a prefix would create one with it.
        """
        query = None if self._prefix else self._dialect.definition_of(table)
        return [_text(row[-1]) for row in self._run(*query)] if query else []

    def key(self, table: str) -> list[str]:
        """Return the columns of a table's primary key, if the database keeps definitions."""
        return [
            _text(name) for (name,) in self._run(self._dialect.list_key, (self.stored_name(table),))
        ]

    def last_number(self, table: str, column: str) -> int:
        """Return the last id that the database has given to a row of a table; 0 for none."""
        place = self._dialect.numbering_table
        if place and not self.has_table(place):
            return 0
        rows = self._run(*self._dialect.last_number(self.stored_name(table), column))
        return int(rows[0][0] or 0) if rows else 0

    def columns(self, table: str) -> Columns:
        """Return the columns of a table; none if it does not exist."""
        rows = self._run(self._dialect.list_columns, (self.stored_name(table),))
        return {_text(name): _text(kind).lower() for name, kind in rows}

    def all_columns(self) -> dict[str, Columns]:
        """Return the columns of every table."""
        columns: dict[str, Columns] = {}
        for stored, name, kind in self._run(self._dialect.list_all_columns):
            if table := self._own(stored):
                columns.setdefault(table, {})[_text(name)] = _text(kind).lower()
        return columns

    def indexes(self) -> set[tuple[str, str]]:
        """Return all indexes as pairs of table and name."""
        rows = self._run(self._dialect.list_indexes)
        return {(table, _text(name)) for stored, name in rows if (table := self._own(stored))}

    def full_text(self) -> str:
        """Return the kind of the full-text index, as the dialect names it; empty if there is none.

        MediaWiki's index on MariaDB, which has its own encoding of words, does not count, nor does
        one in a table with a prefix.
        """
        if self._prefix:
            return ""
        rows = self._run(self._dialect.full_text_declaration)
        declaration = _text(rows[0][0]).lower() if rows else ""
        kinds = self._dialect.full_text_indexes
        return next((kind for kind in kinds if kind in declaration), "")

    def is_own(self) -> bool:
        """Return whether wikiapi created the tables, rather than MediaWiki."""
        if not self.has_table("updatelog"):
            return False
        table = self.stored_name("updatelog")
        sql = f"SELECT COUNT(*) FROM {table} WHERE ul_key LIKE 'wikiapi-0%'"  # noqa: S608
        return bool(self._run(sql)[0][0])

    def sorts_bytewise(self) -> bool:
        """Return whether texts are sorted by their bytes, if the column has no collation."""
        if not self._dialect.database_collation:
            return True
        rows = self._run(self._dialect.database_collation)
        return str(rows[0][0]).lower() in _BYTEWISE

    def _own(self, stored: str | bytes) -> str:
        """Return the name of a table without the prefix; empty for one that does not have it."""
        name = _text(stored)
        return name.removeprefix(self._prefix) if name.startswith(self._prefix) else ""


def _text(value: str | bytes) -> str:
    return value.decode() if isinstance(value, bytes) else value
