"""The interface of SQL dialects: what differs between the statements of database engines.

INSERT statements are built here as well.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, ClassVar, Literal

import peewee
from peewee import Model

from wikiapi.store.fields import Column, SortKey

OnConflict = Literal["error", "ignore", "replace"]
"""What happens to a row to be inserted whose key already exists."""

BoundStatement = tuple[str, tuple[Any, ...]]
"""A statement in SQL, and its values."""


Place = tuple[str, str]
"""The names of a table and of a column."""


class Dialect(ABC):
    """The SQL dialect of a database engine.

    There is one object for each engine, defined next to the engine's class. The rest of the store
    uses only this object and never checks which engine it is. Engines override what differs, and
    must define the attributes that have no value here.
    """

    name: ClassVar[str]
    """MediaWiki's name for the engine (``$wgDBtype``)."""
    peewee_database: ClassVar[peewee.Database]
    """Peewee's database class for the engine; used to write SQL, never connected."""
    full_text_indexes: ClassVar[Mapping[str, str]]
    """The full-text indexes that can be searched, as ``module:class``; a new store gets the first.

    Their keys are words that identify them in the declaration of ``searchindex``.
    """
    searches_mediawiki: ClassVar[bool] = False
    """Whether MediaWiki's own full-text index can be searched."""

    # Names, values and expressions

    quote: ClassVar[str] = '"'
    placeholder: ClassVar[str] = "%s"
    sort_key_of_bytes: ClassVar[str] = "{}"
    """Converts bytes to the type of the values in columns of sort keys."""
    comparable_sort_key: ClassVar[str] = "{}"
    """Converts a sort key to a value of the same order that aggregate functions take."""
    mediawiki_keeps_type_of_nulls: ClassVar[bool] = False
    """Whether sort keys with a null byte have another type than others in MediaWiki's databases."""
    text_id_of_address: ClassVar[str]
    """The number in a content address ``tt:N``."""
    find_text: ClassVar[str] = "instr({}, '{}')"
    """The position at which an expression contains a text, from 1; 0 if it does not."""
    distinct_values: ClassVar[str] = """RECURSIVE walk(value, step) AS (
    SELECT MIN({column}), 1 FROM {table} WHERE {column} >= {mark}
    UNION ALL
    SELECT (SELECT MIN({column}) FROM {table} WHERE {column} > walk.value), step + 1
    FROM walk WHERE walk.value IS NOT NULL AND step < {steps:d}
)"""
    """A common table expression ``walk`` with the next distinct values of an indexed column. Each
    is found in one step, however many rows have it."""
    from_nothing: ClassVar[str] = ""
    """The ``FROM`` clause of a query that reads no table but has a condition."""

    # Tables and indexes

    column_types: ClassVar[Mapping[type[Column], str]]
    """The types that differ from ``Column.sql_type``; ``{0.length}`` is an attribute."""
    serial_ending: ClassVar[str] = " PRIMARY KEY"
    """The SQL that follows the type of an auto-increment primary key."""
    table_ending: ClassVar[str] = ""
    """The SQL that follows the columns of a new table."""
    has_transactional_ddl: ClassVar[bool] = True
    """Whether a transaction that changes tables can be rolled back.

    Otherwise each change is committed by itself, and a table is created together with its indexes.
    """
    numbering_table: ClassVar[str] = ""
    """The table in which the database keeps the last ids, if it only exists when one is needed."""

    # The catalogue of the database, or of the first schema in the search path

    list_tables: ClassVar[str]
    """The names of all tables and views."""
    list_kinds: ClassVar[str]
    """Name and kind of all tables and views: ``table`` or ``base table`` for those with rows."""
    list_key: ClassVar[str] = ""
    """The columns of the primary key of one table, whose name is the value, in their order; used
    with :meth:`definition_of`."""
    list_columns: ClassVar[str]
    """Names and types of the columns of one table, whose name is the value."""
    list_all_columns: ClassVar[str]
    """Table, name and type of all columns."""
    list_indexes: ClassVar[str]
    """Table and name of all indexes."""
    full_text_declaration: ClassVar[str]
    """The part of the declaration of ``searchindex`` that shows the kind of its index."""
    database_collation: ClassVar[str] = ""
    """Selects the database's default collation. Empty if texts are always sorted by bytes."""

    # Statements

    insert_verbs: ClassVar[Mapping[OnConflict, str]]
    insert_endings: ClassVar[Mapping[OnConflict, str]] = {}
    probe: ClassVar[str] = "SELECT 1"
    """Fails if this is not a database of the engine."""
    server_version: ClassVar[str] = "SELECT version()"
    """Returns a text that begins with the engine's version."""
    explain: ClassVar[str] = "EXPLAIN"
    """The keyword that precedes a statement to get its plan."""
    begin_writing: ClassVar[str] = ""
    """Begins a transaction that holds the lock for writing until it ends, waiting for others.

    Empty if the engine's own statement does so, or if ``lock_writing`` takes the lock.
    """
    begin_relaxed: ClassVar[str] = ""
    """The same for a transaction whose commit may return before its data are on the disk."""
    begin_sharing: ClassVar[str] = ""
    """Begins a transaction that shares the lock for writing with others that do the same.

    Each of its statements must see what others have committed before. Empty if a transaction that
    writes always excludes others, or if the engine does more than run a statement.
    """
    begin_sharing_relaxed: ClassVar[str] = ""
    """The same for a transaction whose commit may return before its data are on the disk."""
    lock_writing: ClassVar[str] = ""
    """Takes the lock for writing, waiting for other connections; returns 1 if it succeeds.

    Empty if beginning a transaction takes the lock.
    """
    unlock_writing: ClassVar[str] = ""
    """Releases the lock for writing, as the end of the connection does."""
    relax_commits: ClassVar[str] = ""
    """Lets commits of the connection return before their data are on the disk.

    A power failure can then lose the last commits, but not a part of one. Empty if the database
    cannot change this for one connection.
    """
    restore_commits: ClassVar[str] = ""
    """Undoes ``relax_commits``."""
    count_up: ClassVar[str] = ""
    """Increases the number in the row of ``updatelog`` whose key is the value, or inserts 1."""
    refuse_unless: ClassVar[str] = ""
    """A statement that fails unless a condition is true, so that the transaction is repeated.

    Needed where transactions can share the lock for writing.
    """
    position: ClassVar[str] = ""
    """Returns the position of the primary database, a number that all writing increases.

    Empty if it is unknown how far replicas are.
    """
    progress: ClassVar[str] = ""
    """Returns the position that a replica has reached, and how many seconds ago what it replayed
    last was written; NULL if it is no replica."""
    before_first_migration: ClassVar[tuple[str, ...]] = ()
    """Statements to run when a new store is created."""
    before_loading: ClassVar[tuple[str, ...]] = ()
    """Statements to run before many rows are loaded."""
    after_loading: ClassVar[tuple[str, ...]] = ()
    """Statements to run after many rows were loaded."""

    def context_options(self) -> dict[str, Any]:
        """Return the options of the context in which Peewee writes SQL."""
        return {**self.peewee_database.get_context_options(), "dialect": self}

    def mark_of(self, field: Any) -> str:
        """Return the placeholder for a value to insert into a column."""
        is_sort_key = isinstance(field, SortKey)
        return self.sort_key_of_bytes.format(self.placeholder) if is_sort_key else self.placeholder

    def quoted(self, name: str) -> str:
        """Return the name of a table, column or index, quoted for SQL."""
        return f"{self.quote}{name.replace(self.quote, self.quote * 2)}{self.quote}"

    def listed(self, names: Iterable[str]) -> str:
        """Return names quoted and separated by commas."""
        return ", ".join(map(self.quoted, names))

    def column_type(self, field: Any) -> str:
        """Return the SQL type of a model's column."""
        for kind in type(field).__mro__:
            if sql_type := self.column_types.get(kind) or vars(kind).get("sql_type"):
                return str(sql_type).format(field)
        raise TypeError(f"{type(field).__name__} has no sql_type")

    def indexed_column(self, field: Any) -> str:
        """Return a column as it is written in the definition of an index."""
        return self.quoted(field.column_name)

    def drop_index(self, table: str, name: str) -> str:
        """Return the statement that removes an index if it exists."""
        return f"DROP INDEX IF EXISTS {self.quoted(name)}"

    def definition_of(self, table: str) -> BoundStatement | None:
        """Return a query whose rows end with the statements that create a table and its indexes.

        ``None`` if the database does not keep such statements.
        """
        return None

    @abstractmethod
    def last_number(self, table: str, column: str) -> BoundStatement:
        """Return a query for the last id of a table that the database has given to a row."""

    @abstractmethod
    def number_after(self, table: str, column: str, last: int) -> list[BoundStatement]:
        """Return statements after which the database numbers new rows of a table after an id."""

    def numbered(self, table: str, column: str, last: int) -> list[BoundStatement]:
        """Return the statements after which the database gives no new row an id that was inserted.

        There are none to run on databases that note the ids of all inserted rows by themselves.
        """
        return []

    def number_above(self, places: Sequence[tuple[Place, Place]]) -> BoundStatement | None:
        """Return the statement after which the database gives new rows ids above existing ones.

        Each pair has the column of the new ids and one whose ids they must exceed. ``None`` if the
        database notes the ids of all inserted rows by itself.
        """
        return None

    def together(self, statements: Sequence[BoundStatement]) -> BoundStatement:
        """Return statements joined so that they are sent in one message, each after the other."""
        values = tuple(value for _, params in statements for value in params)
        return "; ".join(sql for sql, _ in statements), values

    def bytes_of(self, node: Any) -> str:
        """Return a template that converts a node's value to bytes; ``{}`` if it is bytes."""
        return "{}"

    def null_of(self, field: Any) -> str:
        """Return a NULL that has the type of a column."""
        return "NULL"

    def digits_of(self, expression: str, column_type: str) -> str:
        """Return an expression that converts a value of a timestamp type to MediaWiki's 14 digits.

        For other types, the expression is unchanged.
        """
        return expression

    def sort_key_of(self, expression: str, column_type: str) -> str:
        """Return an expression that converts a sort key in a column of a type to bytes."""
        return expression

    def convert_sort_keys(self, table: str, column: str, column_type: str) -> list[str]:
        """Return the statements after which a column of sort keys can hold any bytes."""
        return []

    def sorted_bytewise(self, expression: str, column_type: str) -> str:
        """Return an expression that sorts a value of a text type by its bytes.

        For other types, the expression is unchanged.
        """
        return expression

    @abstractmethod
    def plan_lines(self, rows: Iterable[Sequence[Any]]) -> list[str]:
        """Return the rows of a plan as lines of text."""


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
    def id_name(self) -> str:
        """The name of the column of ids, which the database gives to rows without one."""
        meta: Any = self.model._meta
        return str(meta.primary_key.column_name)

    @cached_property
    def numbers(self) -> frozenset[tuple[Place, Place]]:
        """The columns of ids among the columns: see ``Dialect.number_above``."""
        return numbers_of(self.model, self.columns)

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


def numbers_of(
    model: type[Model], columns: Collection[str] | None = None
) -> frozenset[tuple[Place, Place]]:
    """Return the columns of a model with ids, each after the column whose new ids must exceed them.

    These are its own ids and those of rows that were moved to its table. ``columns`` are the ones
    to consider, by default all.
    """
    meta: Any = model._meta
    table, own = meta.table_name, meta.primary_key if meta.auto_increment else None
    numbers = {own.column_name: (table, own.column_name)} if own else {}
    numbers |= getattr(meta, "numbers_of_others", {})
    return frozenset(
        (place, (table, name)) for name, place in numbers.items() if not columns or name in columns
    )


@lru_cache(maxsize=512)
def insertion_into(
    dialect: Dialect, model: type[Model], columns: tuple[str, ...] | None, on_conflict: OnConflict
) -> Insertion:
    """Return the insertion of rows of a model; without ``columns``, of all in their order."""
    meta: Any = model._meta
    names = columns or [field.column_name for field in meta.sorted_fields]
    return Insertion(dialect, model, names, on_conflict)
