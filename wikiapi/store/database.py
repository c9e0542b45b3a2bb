"""One wiki's database: runs Peewee queries of unbound models, from any thread."""

from __future__ import annotations

import threading
import time
from contextlib import contextmanager
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeVar

from wikiapi.store.connect import Dialect, Sqlite, open_url
from wikiapi.store.deadline import watch
from wikiapi.store.errors import (
    DRIVER_ERRORS,
    STATEMENT_ERRORS,
    StoreReadOnly,
    StoreTimeout,
    StoreUnavailable,
    is_driver_error,
    translate,
)
from wikiapi.store.insert import insert_sql
from wikiapi.store.recording import record
from wikiapi.store.statements import Statement, compile_query, decode

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence

    from peewee import Model

    from wikiapi.store.insert import OnConflict
    from wikiapi.store.recording import QueryRecord
    from wikiapi.store.statements import Row

_MOST_STATEMENTS = 2_000

T = TypeVar("T")


class _ThreadState(threading.local):
    log: list[QueryRecord] | None = None
    deadline: float | None = None


class Database:
    """A database by URL, shared by all threads; each thread gets a connection of its own.

    ``sqlite:///relative/path``, ``sqlite:////absolute/path`` and ``sqlite:///:memory:`` need no
    driver; ``mysql://`` and ``postgresql://`` take what Peewee's ``db_url`` takes. With
    ``read_only`` nothing is ever written, neither to the database nor beside it.

    Every method that runs SQL raises a StoreError: StoreUnavailable, StoreTimeout, StoreReadOnly,
    StoreValueError, StoreCorrupt, or the base class for the rest.
    """

    def __init__(self, url: str, *, read_only: bool = False) -> None:
        """Open the database at once, so that a wrong URL is known at start-up."""
        self.read_only = read_only
        self.dialect, self._peewee = open_url(url, read_only=read_only)
        self._statements: dict[Hashable, Statement] = {}
        self._thread = _ThreadState()
        self._closed = False
        # SQLite answers wrong only when asked, so ask; in memory this connection is the anchor.
        self.raw("SELECT 1 FROM sqlite_master LIMIT 1" if self.is_sqlite else "SELECT 1")

    @property
    def is_sqlite(self) -> bool:
        """Whether this is SQLite, where some statements have a faster form."""
        return self.dialect is Dialect.SQLITE

    @cached_property
    def full_text(self) -> str:
        """How the full-text index was declared, in lower case; empty where there is none.

        Asked once: a store that is given an index later has to be opened anew.
        """
        sql = "SELECT sql FROM sqlite_master WHERE name = 'searchindex'"
        rows = self.raw(sql) if self.is_sqlite else []
        return str(rows[0][0]).lower() if rows else ""

    # Queries

    def rows(self, query: Any) -> list[Row]:
        """All rows of a Peewee query, as tuples of ``str``, ``int``, ``float`` and None."""
        return self._run(compile_query(self._peewee, query), ())

    def row(self, query: Any) -> Row | None:
        """The first row, or None."""
        rows = self.rows(query)
        return rows[0] if rows else None

    def scalar(self, query: Any) -> Any:
        """The first column of the first row, or None."""
        row = self.row(query)
        return row[0] if row else None

    def fetch(
        self, build: Callable[..., Any], shape: tuple[Hashable, ...], values: Sequence[Any]
    ) -> list[Row]:
        """All rows of a query that is compiled once per ``shape``; for what every request asks.

        ``build(*shape)`` makes the Peewee query with a ``slot()`` where a value will stand;
        ``values`` fill the slots in the order in which the SQL has them. ``build`` must be a
        module-level function: it is the key under which the compiled statement is kept.
        """
        key = (build, shape)
        statement = self._statements.get(key)
        if statement is None:
            if len(self._statements) >= _MOST_STATEMENTS:
                self._statements.clear()
            statement = self._statements[key] = compile_query(self._peewee, build(*shape))
        return self._run(statement, values)

    def raw(self, sql: str, params: Sequence[Any] = ()) -> list[Row]:
        """All rows of a statement in this database's own SQL, as the driver returns them."""
        return self._perform(self._fetch, sql, params)

    # Writes

    def run(self, query: Any) -> int:
        """Run a Peewee insert, update or delete; returns how many rows it touched."""
        statement = compile_query(self._peewee, query)
        self._check_writable()
        return self._perform(self._write, statement.sql, statement.params)

    def insert_many(
        self,
        model: type[Model],
        rows: Iterable[Sequence[Any]],
        columns: Sequence[str] | None = None,
        on_conflict: OnConflict = "error",
    ) -> None:
        """Insert tuples in the order of ``columns`` (all of the model's by default).

        Rows may be an iterator of any length: they are sent as they come. Values are bound as they
        are, so texts must be ``str``. Everything or nothing is inserted.
        """
        self._check_writable()
        sql = insert_sql(self.dialect, model, columns, on_conflict)
        with self.atomic():
            self._perform(self._write_many, sql, rows)

    @contextmanager
    def atomic(self) -> Iterator[None]:
        """A transaction, or a savepoint within one."""
        self._check_open()
        try:
            with self._peewee.atomic():
                yield
        except DRIVER_ERRORS as error:
            raise translate(error) from error

    # What a request may ask for

    @contextmanager
    def recording(self) -> Iterator[list[QueryRecord]]:
        """Log every statement that this thread runs inside the block."""
        outer, log = self._thread.log, list[Any]()
        self._thread.log = log
        try:
            yield log
        finally:
            self._thread.log = outer

    @contextmanager
    def deadline(self, seconds: float) -> Iterator[None]:
        """Interrupt this thread's statements with StoreTimeout once so much time has passed.

        An enclosing deadline that comes sooner stays in force.
        """
        outer = self._thread.deadline
        moment = time.monotonic() + seconds
        self._limit(moment if outer is None else min(moment, outer))
        try:
            yield
        finally:
            self._limit(outer)

    def close(self) -> None:
        """Close the connections of all threads. The object cannot be used again."""
        self._closed = True
        if isinstance(self._peewee, Sqlite):
            self._peewee.close_all()
        elif not self._peewee.is_closed():
            self._peewee.close()

    # How it is done

    def _run(self, statement: Statement, values: Sequence[Any]) -> list[Row]:
        rows = self._perform(self._fetch, statement.sql, statement.fill(values))
        return statement.convert(rows, trusted=self.is_sqlite)

    def _perform(self, action: Callable[[str, Any], T], sql: str, params: Any) -> T:
        """Run a statement within its deadline, logged if that is asked for; translate errors."""
        if self._thread.deadline is not None:
            self._check_deadline()
        start = None if self._thread.log is None else time.perf_counter()
        try:
            return action(sql, params)
        except STATEMENT_ERRORS as error:
            raise translate(error) from error
        except Exception as error:
            if is_driver_error(error):
                raise translate(error) from error
            raise
        finally:
            if start is not None:
                self._log(sql, params, time.perf_counter() - start)

    def _fetch(self, sql: str, params: Sequence[Any]) -> list[Row]:
        connection = self._connection()
        try:
            return _all_rows(connection, sql, params)
        except DRIVER_ERRORS as error:
            if "decode to UTF-8" not in str(error):
                raise
        connection.text_factory = decode
        try:
            return _all_rows(connection, sql, params)
        finally:
            connection.text_factory = str

    def _write(self, sql: str, params: Sequence[Any]) -> int:
        cursor = self._connection().cursor()
        cursor.execute(sql, params)
        return int(cursor.rowcount)

    def _write_many(self, sql: str, rows: Iterable[Sequence[Any]]) -> None:
        self._connection().cursor().executemany(sql, rows)

    def _log(self, sql: str, params: Any, seconds: float) -> None:
        if self._thread.log is not None:
            # The rows of an insert may be an iterator that is used up by now.
            shown = params if isinstance(params, list | tuple) else ()
            self._thread.log.append(record(sql, shown, seconds))

    def _connection(self) -> Any:
        self._check_open()
        fresh = self._peewee.is_closed()
        connection = self._peewee.connection()
        if fresh and self._thread.deadline is not None:
            watch(self.dialect, self._peewee, connection, self._thread.deadline)
        return connection

    def _limit(self, moment: float | None) -> None:
        self._thread.deadline = moment
        if not self._closed and not self._peewee.is_closed():
            watch(self.dialect, self._peewee, self._peewee.connection(), moment)

    def _check_deadline(self) -> None:
        if time.monotonic() > (self._thread.deadline or 0):
            raise StoreTimeout("the time for this request is up")

    def _check_writable(self) -> None:
        if self.read_only:
            raise StoreReadOnly("this database is open for reading only")

    def _check_open(self) -> None:
        if self._closed:
            raise StoreUnavailable("this database has been closed")


def _all_rows(connection: Any, sql: str, params: Sequence[Any]) -> list[Row]:
    cursor = connection.cursor()
    cursor.execute(sql, params)
    return list(cursor.fetchall()) if cursor.description else []
