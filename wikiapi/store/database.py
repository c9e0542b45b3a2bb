"""The database of a wiki, which runs queries of unbound Peewee models from any thread."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from functools import cached_property, partial
from operator import is_
from typing import Any

from peewee import Model

from wikiapi.config import DatabaseConfig
from wikiapi.errors import StoreReadOnly, StoreUnavailable
from wikiapi.store.engines.base import Address, engine_of
from wikiapi.store.engines.dialect import OnConflict, insertion_into
from wikiapi.store.running import MAX_LAG, StatementRunner
from wikiapi.store.schema.catalog import Catalog
from wikiapi.store.schema.compiling import CURRENT, Schema
from wikiapi.store.schema.older import detect
from wikiapi.store.sql.compiled import BoundQuery, CompiledStatement, compile_bound
from wikiapi.store.sql.shapes import shape_of
from wikiapi.store.sql.statements import Query, Row, Statement, compile_query

POOL_SIZE = 10
"""Default for the maximum number of connections that a process opens to a server."""

_MAX_STATEMENTS = 2_000


class Database(StatementRunner):
    """A database given by its URL, shared by all threads.

    ``sqlite:///relative/path``, ``sqlite:////absolute/path`` and ``sqlite:///:memory:`` need no
    driver, and each thread has its own connection. ``mysql://`` needs PyMySQL and ``postgresql://``
    psycopg; the threads share ``pool_size`` connections, and statements that read are run in turn
    on the ``replicas`` that lag by at most ``max_lag`` seconds. With ``read_only`` nothing is ever
    written, neither to the database nor to files next to it. ``?prefix=mw_`` at the end of a URL
    names a prefix of the tables, as a MediaWiki may have; such a database is only read.

    Every method that runs SQL may raise a StoreError: StoreUnavailable, StoreTimeout,
    StoreReadOnly, StoreValueError, StoreCorrupt, or the base class for other errors.
    """

    def __init__(
        self,
        url: str,
        *,
        read_only: bool = False,
        replicas: Sequence[str] = (),
        pool_size: int = POOL_SIZE,
        max_lag: float = MAX_LAG,
    ) -> None:
        """Connect at once, so that a wrong URL is reported at start-up.

        Replicas are not contacted yet.
        """
        address = Address.of(url)
        if address.prefix and not read_only:
            raise StoreUnavailable("a database whose tables have a prefix can only be read")
        self._prefix = address.prefix
        engine = engine_of(address.url, read_only=read_only)
        copies = [engine_of(Address.of(each).url, read_only=True) for each in replicas]
        if any(copy.dialect is not engine.dialect for copy in copies):
            raise StoreUnavailable("a replica has another engine than the primary database")
        super().__init__(engine, copies, pool_size, read_only=read_only, max_lag=max_lag)
        self._shapes: dict[Hashable, tuple[Statement, list[Any]]] = {}
        self._compiled_queries: dict[Hashable, CompiledStatement] = {}
        self.lasting_ids: dict[str, dict[str, int]] = {}
        """The ids of names whose rows never change, such as those of roles, by column."""
        self.gives_ids = False
        """Whether the ids that the database gives are above all existing ones: see
        ``write.sharing``."""
        # This also keeps a database in memory alive, which is deleted with its last connection.
        self.execute_sql(self.dialect.probe)

    @cached_property
    def catalog(self) -> Catalog:
        """The tables, columns and indexes that the database has."""
        return Catalog(self.dialect, self.execute_sql, self._prefix)

    @cached_property
    def server_version(self) -> str:
        """The version of the database engine."""
        ((version,),) = self.execute_sql(self.dialect.server_version, reading=True)
        return str(version).partition(" ")[0]

    @property
    def is_replaced(self) -> bool:
        """Whether the SQLite file that was opened has been replaced by another one.

        Every statement then raises StoreUnavailable, because data of the first file is cached and
        answers must not mix the two.
        """
        return self._engine.is_replaced()

    @cached_property
    def full_text(self) -> str:
        """The kind of the full-text index, as the dialect names it; empty if there is none.

        Determined once, so a store that gets an index later must be opened again.
        """
        return self.catalog.full_text()

    @cached_property
    def schema(self) -> Schema:
        """How the database of another MediaWiki version differs from the current schema.

        Determined once. A database that may be written to has the current schema.
        """
        return detect(self.dialect, self.catalog) if self.read_only else CURRENT

    # Queries

    def execute(self, query: Query | BoundQuery, *, locks: bool = False) -> list[Row]:
        """Run a Peewee query that reads, and return its rows.

        Queries that differ only in their values share a statement, which is compiled once.

        With ``locks``, the rows are locked until the transaction ends if others can write during
        it; who locks several rows reads them in the order of a unique key.
        """
        statement, params = self._prepared(query)
        sql = f"{statement.sql} FOR UPDATE" if locks and self.is_sharing else statement.sql
        rows = self._run(self._engine.fetch, sql, params, reading=True)
        return statement.convert(rows, trusted=self._engine.trusted) if rows else rows

    def row(self, query: Query | BoundQuery) -> Row | None:
        """Return the first row of a query, or None if there is none."""
        rows = self.execute(query)
        return rows[0] if rows else None

    def scalar(self, query: Query | BoundQuery) -> Any:
        """Return the first column of the first row of a query, or None if there is no row."""
        row = self.row(query)
        return row[0] if row else None

    def execute_sql(
        self, sql: str, params: Sequence[Any] = (), *, reading: bool = False
    ) -> list[Row]:
        """Run a statement in this database's SQL, and return its rows as the driver returns them.

        It may write. Only a statement with ``reading`` can be run on a replica.
        """
        return self._run(self._engine.fetch, sql, params, reading=reading)

    def plan(self, sql: str, params: Sequence[Any] = ()) -> list[str]:
        """Return the database's description of the steps in which it would run a statement."""
        rows = self.execute_sql(f"{self.dialect.explain} {sql}", params, reading=True)
        return self.dialect.plan_lines(rows)

    def bound(self, query: Query | BoundQuery) -> tuple[str, tuple[Any, ...]]:
        """Return a query in this database's SQL, with its values."""
        statement, params = self._prepared(query)
        return statement.sql, tuple(params)

    # Writes

    def execute_write(self, query: Query | BoundQuery) -> int:
        """Run a Peewee insert, update or delete, and return the number of changed rows.

        Like queries that read, updates and deletions that differ only in their values are compiled
        once.
        """
        self._check_writable()
        statement, params = self._prepared(query)
        if self._thread.session:
            return self._run(self._engine.write, statement.sql, params)

        # Outside of a transaction, the statement would not wait in turn.
        def write() -> int:
            with self.atomic():
                return self._run(self._engine.write, statement.sql, params)

        return self.repeated(write)

    def insert_many(
        self,
        model: type[Model],
        rows: Iterable[Sequence[Any]],
        columns: Sequence[str] | None = None,
        on_conflict: OnConflict = "error",
    ) -> None:
        """Insert rows of values in the order of ``columns`` (by default all of the model).

        ``rows`` may be an iterator of any length; it is not collected in memory. Values are not
        converted, so texts must be ``str``. Either all rows are inserted or none.
        """
        self._check_writable()
        names = None if columns is None else tuple(columns)
        insertion = insertion_into(self.dialect, model, names, on_conflict)
        with self.atomic():
            self._run(partial(self._engine.insert, insertion), insertion.sql, rows)
            self._thread.numbered |= insertion.numbers

    def insert_numbered(
        self, model: type[Model], row: Sequence[Any], columns: Sequence[str]
    ) -> int:
        """Insert a row without an id, and return the id that the database gives it.

        Call it in a transaction during which others can write.
        """
        self._check_writable()
        insertion = insertion_into(self.dialect, model, tuple(columns), "error")
        insert: Any = partial(self._engine.insert_numbered, insertion)
        return int(self._run(insert, insertion.sql, row))

    # Internals

    def _compiled(self, query: Query) -> tuple[Statement, Sequence[Any]]:
        return compile_query(self.schema.context(self.dialect), query)

    def _prepared(self, query: Query | BoundQuery) -> tuple[Statement, Sequence[Any]]:
        """Return the statement of a query, which is compiled once for each form, and its values."""
        if isinstance(query, BoundQuery):
            key = (query.query, query.sizes)
            compiled = self._compiled_queries.get(key)
            if compiled is None:
                if len(self._compiled_queries) >= _MAX_STATEMENTS:
                    self._compiled_queries.clear()
                context = self.schema.context(self.dialect)
                compiled = self._compiled_queries[key] = compile_bound(context, query)
            return compiled.statement, compiled.bound(query.values)
        shape = shape_of(query)
        if shape is None:
            return self._compiled(query)
        statement_of_shape, _ = self._shapes.get(shape.key, (None, ()))
        if statement_of_shape is not None:
            return statement_of_shape, shape.values
        statement, params = self._compiled(query)
        # A statement is not stored if Peewee converted a value: it may convert others differently.
        if len(params) == len(shape.values) and all(map(is_, params, shape.values)):
            if len(self._shapes) >= _MAX_STATEMENTS:
                self._shapes.clear()
            self._shapes[shape.key] = (statement, shape.named)
        return statement, params

    def _connection(self) -> Any:
        """Return a driver's connection for this thread; on SQLite the thread's own."""
        return self._primary.connections.take(None).connection

    def _check_writable(self) -> None:
        if self.read_only:
            raise StoreReadOnly("this database is open for reading only")


def open_database(config: DatabaseConfig, *, read_only: bool | None = None) -> Database:
    """Return the database of a configuration; ``read_only`` overrides the setting.

    Raises a StoreError if it cannot be opened.
    """
    return Database(
        config.url,
        read_only=config.read_only if read_only is None else read_only,
        replicas=config.replicas,
        pool_size=config.pool_size,
        max_lag=config.max_lag,
    )
