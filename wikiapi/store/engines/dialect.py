"""The SQL of a database engine: what its statements have that those of other engines lack."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Literal

import peewee

from wikiapi.store.fields import Column

if TYPE_CHECKING:
    # Indexes run queries, for which they need a Database, which needs a dialect.
    from wikiapi.store.fulltext.base import FullText

OnConflict = Literal["error", "ignore", "replace"]
"""What becomes of a row to be inserted whose key is taken."""


class Dialect(ABC):
    """How one database engine writes its statements.

    There is one object for each engine, beside the engine's class. The rest of the store uses it
    and never which engine it is. An engine overrides what it does differently; what is declared
    without a value here, each must define.
    """

    name: ClassVar[str]
    """What MediaWiki calls it (``$wgDBtype``)."""
    peewee_database: ClassVar[peewee.Database]
    """Peewee's database of the kind, which is never connected: it writes SQL."""
    full_text_indexes: ClassVar[tuple[type[FullText], ...]]
    """The full-text indexes that can be searched; the first is the one that a new store gets."""
    searches_mediawiki: ClassVar[bool] = False
    """Whether MediaWiki's own full-text index is among them."""

    # Names, values and expressions

    quote: ClassVar[str] = '"'
    placeholder: ClassVar[str] = "%s"
    text_of_bytes: ClassVar[str] = "{}"
    """Bytes, to be compared with a column of text."""
    text_id_of_address: ClassVar[str]
    """The number in a content address ``tt:N``."""
    find_text: ClassVar[str] = "instr({}, '{}')"
    """Where in an expression a text begins, counted from 1; 0 if it is not there."""
    walk_of_values: ClassVar[str] = """RECURSIVE walk(value, step) AS (
    SELECT MIN({column}), 1 FROM {table} WHERE {column} >= {mark}
    UNION ALL
    SELECT (SELECT MIN({column}) FROM {table} WHERE {column} > walk.value), step + 1
    FROM walk WHERE walk.value IS NOT NULL AND step < {steps:d}
)"""
    """A table ``walk`` of the next different values of an indexed column, each found in one step
    however many rows have it."""
    from_nothing: ClassVar[str] = ""
    """The ``FROM`` of a query that reads no table and has a condition."""

    # Tables and indexes

    column_types: ClassVar[Mapping[type[Column], str]]
    """The types that differ from ``Column.sql_type``; ``{0.length}`` is an attribute."""
    serial_ending: ClassVar[str] = " PRIMARY KEY"
    """What follows the type of a primary key that the database numbers."""
    table_ending: ClassVar[str] = ""
    """What follows the columns of a new table."""
    has_transactional_ddl: ClassVar[bool] = True
    """Whether changes of tables can be undone with the transaction that they are part of.

    Otherwise each is a transaction of its own, and a table is made with its indexes at once.
    """
    reset_sequence: ClassVar[str] = ""
    """Lets new rows be numbered after an id; the values are table, column and id. Empty where the
    database numbers them after the greatest id by itself."""

    # The catalogue: of the database, or of the first schema of the search path

    list_tables: ClassVar[str]
    """The names of all tables and views."""
    list_columns: ClassVar[str]
    """Names and types of the columns of one table, whose name is the value."""
    list_all_columns: ClassVar[str]
    """Table, name and type of all columns."""
    list_indexes: ClassVar[str]
    """Table and name of all indexes."""
    full_text_declaration: ClassVar[str]
    """How ``searchindex`` was declared: what names the kind of its index."""
    database_collation: ClassVar[str] = ""
    """The order of texts without one of their own. Empty where that is always by their bytes."""

    # Statements

    insert_verbs: ClassVar[Mapping[OnConflict, str]]
    insert_endings: ClassVar[Mapping[OnConflict, str]] = {}
    probe: ClassVar[str] = "SELECT 1"
    """Fails where this is no database of the kind."""
    explain: ClassVar[str] = "EXPLAIN"
    """The keyword before a statement to get its plan."""
    lock_writing: ClassVar[str] = ""
    """Waits until no other connection writes, and keeps others from writing; 1 if it succeeds.

    Empty where a transaction that writes does so by itself.
    """
    unlock_writing: ClassVar[str] = ""
    """Lets others write; the end of the connection does so, too."""
    before_first_migration: ClassVar[tuple[str, ...]] = ()
    before_loading: ClassVar[tuple[str, ...]] = ()
    """Statements before many rows are loaded."""
    after_loading: ClassVar[tuple[str, ...]] = ()

    def context_options(self) -> dict[str, Any]:
        """Return the settings of the context in which Peewee writes SQL."""
        return {**self.peewee_database.get_context_options(), "dialect": self}

    def quoted(self, name: str) -> str:
        """Return the name of a table, column or index as it is written in SQL."""
        return f"{self.quote}{name}{self.quote}"

    def listed(self, names: Iterable[str]) -> str:
        """Return quoted names with commas between."""
        return ", ".join(map(self.quoted, names))

    def column_type(self, field: Any) -> str:
        """Return the type of a model's column."""
        for kind in type(field).__mro__:
            if sql_type := self.column_types.get(kind) or vars(kind).get("sql_type"):
                return str(sql_type).format(field)
        raise TypeError(f"{type(field).__name__} has no sql_type")

    def indexed_column(self, field: Any) -> str:
        """Return a column as an index names it."""
        return self.quoted(field.column_name)

    def drop_index(self, table: str, name: str) -> str:
        """Return the statement that removes an index if it is there."""
        return f"DROP INDEX IF EXISTS {self.quoted(name)}"

    def bytes_of(self, node: Any) -> str:
        """Return a template that makes bytes of a node's value; ``{}`` if they are bytes."""
        return "{}"

    def null_of(self, field: Any) -> str:
        """Return NULL with the type of a column."""
        return "NULL"

    def digits_of(self, expression: str, column_type: str) -> str:
        """Return a timestamp of the type as MediaWiki's fourteen digits, other values unchanged."""
        return expression

    def sorted_bytewise(self, expression: str, column_type: str) -> str:
        """Return a text of the type with the order of its bytes, other values unchanged."""
        return expression

    @abstractmethod
    def plan_lines(self, rows: Iterable[Sequence[Any]]) -> list[str]:
        """Return the rows of a plan as lines of text."""
