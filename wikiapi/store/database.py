"""One wiki's database: runs Peewee queries of unbound models, from any thread."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from functools import cached_property
from operator import is_
from typing import Any, TypeVar

from peewee import Model

from wikiapi.config import DatabaseConfig
from wikiapi.errors import StoreError, StoreReadOnly, StoreTimeout, StoreUnavailable
from wikiapi.store.deadline import Deadline
from wikiapi.store.engines.base import Session
from wikiapi.store.engines.dialect import Dialect, OnConflict
from wikiapi.store.engines.insertion import Insertion, column_names
from wikiapi.store.engines.register import engine_of
from wikiapi.store.engines.sources import Replicas, Source
from wikiapi.store.recording import QueryRecord, record
from wikiapi.store.schema.catalog import Catalog
from wikiapi.store.schema.compiling import CURRENT, Schema
from wikiapi.store.schema.older import detect
from wikiapi.store.sql.shapes import shape_of
from wikiapi.store.sql.statements import Query, Row, Statement, compile_query
from wikiapi.temporary import TemporaryAttribute

POOL_SIZE = 10
"""The default for the maximum of connections to a server that a process opens."""

_MOST_STATEMENTS = 2_000
_LOCK_SECONDS = 30.0
"""How long to wait for other threads that write, where no deadline says it."""

T = TypeVar("T")


Observer = Callable[["QueryRecord"], None]


class _ThreadState(threading.local):
    observers: tuple[tuple[float, Observer], ...] = ()
    """Whom to report statements to that take at least so many seconds."""
    module: Callable[[], str] = str
    """Names the module at work."""
    deadline: Deadline | None = None
    session: Session | None = None
    depth: int = 0

    @property
    def moment(self) -> float | None:
        """Until when a statement that begins now may run."""
        return None if self.deadline is None else self.deadline.moment


class Database:
    """A database by URL, shared by all threads.

    ``sqlite:///relative/path``, ``sqlite:////absolute/path`` and ``sqlite:///:memory:`` need no
    driver and give each thread a connection of its own. ``mysql://`` needs PyMySQL,
    ``postgresql://`` psycopg; the threads share ``pool_size`` connections, and statements that
    read are run by the ``replicas`` in turn. With ``read_only`` nothing is ever written, neither
    to the database nor beside it.

    Every method that runs SQL raises a StoreError: StoreUnavailable, StoreTimeout, StoreReadOnly,
    StoreValueError, StoreCorrupt, or the base class for the rest.
    """

    def __init__(
        self,
        url: str,
        *,
        read_only: bool = False,
        replicas: Sequence[str] = (),
        pool_size: int = POOL_SIZE,
    ) -> None:
        """Open the database at once, so that a wrong URL is known at start-up.

        A replica may be down at that time.
        """
        self.read_only = read_only
        self._engine = engine_of(url, read_only=read_only)
        self._primary = Source(self._engine, pool_size)
        self._replicas = self._copies(replicas, pool_size)
        self._shapes: dict[Hashable, tuple[Statement, list[Any]]] = {}
        self._thread = _ThreadState()
        self._closed = False
        self._writing = threading.Lock()
        # A database in memory lasts as long as this connection to it.
        self.execute_sql(self.dialect.probe)

    @property
    def dialect(self) -> Dialect:
        """How the database's engine writes SQL. Its ``name`` is that of the engine."""
        return self._engine.dialect

    @cached_property
    def catalog(self) -> Catalog:
        """The database's own account of its tables, columns and indexes."""
        return Catalog(self.dialect, self.execute_sql)

    @property
    def is_replaced(self) -> bool:
        """Whether another file of SQLite is in the place of the one that was opened.

        Every statement then raises StoreUnavailable: much is known of the first file by now, and
        answers must not mix the two.
        """
        return self._engine.is_replaced()

    @cached_property
    def full_text(self) -> str:
        """The kind of the full-text index, as ``FullText.kind``; empty where there is none.

        Determined once: a store that gets an index later has to be opened again.
        """
        return self.catalog.full_text()

    @cached_property
    def schema(self) -> Schema:
        """How MediaWiki's own database differs from the current schema. Found out once.

        A database that may be written to has the current schema.
        """
        return detect(self.dialect, self.catalog) if self.read_only else CURRENT

    # Queries

    def execute(self, query: Query) -> list[Row]:
        """Run a Peewee query that reads and return its rows.

        It is compiled only if no query of the same shape was run before: queries that differ in
        their values alone share a statement.
        """
        statement, params = self._prepared(query)
        rows = self._perform(self._engine.fetch, statement.sql, params, reading=True)
        return statement.convert(rows, trusted=self._engine.trusted)

    def row(self, query: Query) -> Row | None:
        """Return the first row of a query, None if there is none."""
        rows = self.execute(query)
        return rows[0] if rows else None

    def scalar(self, query: Query) -> Any:
        """Return the first column of the first row of a query, None if there is none."""
        row = self.row(query)
        return row[0] if row else None

    def execute_sql(
        self, sql: str, params: Sequence[Any] = (), *, reading: bool = False
    ) -> list[Row]:
        """Run a statement in this database's own SQL and return its rows as the driver has them.

        It may be one that writes: only with ``reading`` may a replica run it.
        """
        return self._perform(self._engine.fetch, sql, params, reading=reading)

    # Writes

    def execute_write(self, query: Query) -> int:
        """Run a Peewee insert, update or delete and return how many rows it changed.

        Updates and deletions are compiled once for each shape, as queries that read are.
        """
        self._check_writable()
        statement, params = self._prepared(query)
        return self._perform(self._engine.write, statement.sql, params)

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
        what = Insertion(self.dialect, model, columns or column_names(model), on_conflict)
        with self.atomic():
            self._perform(
                lambda link, _, rows: self._engine.insert(link, what, rows), what.sql, rows
            )

    @contextmanager
    def atomic(self) -> Iterator[None]:
        """Run the block in a transaction, or in a savepoint inside one.

        One writes at a time, whatever the database and however many processes: ids are counted on
        from the greatest one, and links and counts are derived from what is there.
        """
        self._check_open()
        thread = self._thread
        if thread.session is not None:
            name = f"s{thread.depth}"
            ending = (f"RELEASE SAVEPOINT {name}", f"ROLLBACK TO SAVEPOINT {name}")
            with self._block(f"SAVEPOINT {name}", *ending):
                yield
            return
        connections = self._primary.connections
        with self._turn_to_write():
            with self._engine.translating():
                thread.session = session = connections.take(thread.moment)
            finish = connections.drop
            try:
                with self._locked(session), self._block(self._engine.begin, "COMMIT", "ROLLBACK"):
                    yield
                finish = connections.give
            finally:
                thread.session = None
                finish(session)

    # What a request may use

    def take_turn(self) -> None:
        """Let this thread read from the next replica, and from no other until it calls this again.

        Otherwise each statement goes to the next one. Nothing happens where there are none.
        """
        if self._replicas is not None:
            self._replicas.take_turn()

    @contextmanager
    def recording(self) -> Iterator[list[QueryRecord]]:
        """Collect a record of every statement that this thread runs inside the block."""
        records: list[QueryRecord] = []
        with self.observing(records.append):
            yield records

    def observing(self, observer: Observer, seconds: float = 0.0) -> AbstractContextManager[object]:
        """Call ``observer`` for each statement of this thread that takes at least so long."""
        observers = (*self._thread.observers, (seconds, observer))
        return TemporaryAttribute(self._thread, "observers", observers)

    def working_for(self, module: Callable[[], str]) -> AbstractContextManager[object]:
        """Let records of this thread's statements name the module that ``module`` returns."""
        return TemporaryAttribute(self._thread, "module", module)

    def plan(self, sql: str, params: Sequence[Any] = ()) -> list[str]:
        """Return the steps in which the database would run a statement, as the database describes
        them.
        """
        rows = self.execute_sql(f"{self.dialect.explain} {sql}", params, reading=True)
        return self.dialect.plan_lines(rows)

    def deadline(self, seconds: float, work: float | None = None) -> AbstractContextManager[object]:
        """Interrupt this thread's statements with StoreTimeout once so much time has passed.

        With ``work`` also once they have taken so many seconds together. An enclosing deadline that
        comes sooner stays in force.
        """
        return Deadline(self._thread, seconds, work)

    def close(self) -> None:
        """Close the connections of all threads. The object cannot be used again."""
        self._closed = True
        self._primary.connections.close()
        if self._replicas:
            self._replicas.close()

    def open_connections(self) -> int:
        """Return the number of open connections to the primary database, over all threads."""
        return self._primary.connections.count()

    # How it is done

    def _connection(self) -> Any:
        """Return the driver's connection of this thread; on SQLite only if it has one."""
        return self._primary.connections.take(None).connection

    def _copies(self, urls: Sequence[str], pool_size: int) -> Replicas | None:
        engines = [engine_of(url, read_only=True) for url in urls]
        if any(engine.dialect is not self.dialect for engine in engines):
            raise StoreUnavailable("a replica has another engine than the primary database")
        return Replicas([Source(engine, pool_size) for engine in engines]) if engines else None

    def _compiled(self, query: Query) -> tuple[Statement, Sequence[Any]]:
        return compile_query(self.schema.context(self.dialect), query)

    def _prepared(self, query: Query) -> tuple[Statement, Sequence[Any]]:
        """Return the statement of a query and its values; compiled once for each shape."""
        shape = shape_of(query)
        if shape is None:
            return self._compiled(query)
        known, _ = self._shapes.get(shape.key, (None, ()))
        if known is not None:
            return known, shape.values
        statement, params = self._compiled(query)
        # Where Peewee has converted a value, it may convert another in another way.
        if len(params) == len(shape.values) and all(map(is_, params, shape.values)):
            if len(self._shapes) >= _MOST_STATEMENTS:
                self._shapes.clear()
            self._shapes[shape.key] = (statement, shape.named)
        return statement, params

    def _perform(
        self, work: Callable[[Any, str, Any], T], sql: str, params: Any, *, reading: bool = False
    ) -> T:
        """Run a statement within its deadline, logged if that is enabled; translate errors."""
        deadline = self._thread.deadline
        if deadline is not None:
            deadline.begin()
        observers = self._thread.observers
        start = time.perf_counter() if observers else 0.0
        try:
            return self._route(work, sql, params, reading=reading)
        except Exception as error:
            if self._engine.is_value_error(error) or self._engine.is_driver_error(error):
                raise self._engine.translate(error) from error
            raise
        finally:
            if deadline is not None:
                deadline.end()
            if observers:
                self._report(observers, sql, params, time.perf_counter() - start)

    def _route(
        self, work: Callable[[Any, str, Any], T], sql: str, params: Any, *, reading: bool
    ) -> T:
        """Run a statement on the connection of this thread's transaction, or on any."""
        thread = self._thread
        if thread.session is not None:
            return self._primary.on(thread.session, work, sql, params, thread.moment)
        if reading and self._replicas is not None:
            return self._replicas.run(self._primary, work, sql, params, thread.moment)
        return self._primary.run(work, sql, params, thread.moment, again=reading)

    @contextmanager
    def _block(self, begin: str, commit: str, rollback: str) -> Iterator[None]:
        thread = self._thread
        self._say(begin, thread.moment)
        thread.depth += 1
        try:
            yield
            self._say(commit, thread.moment)
        except BaseException:
            with suppress(StoreError):
                self._say(rollback, None)
            raise
        finally:
            thread.depth -= 1

    @property
    def _locks(self) -> bool:
        return bool(self.dialect.lock_writing) and not self.read_only

    @contextmanager
    def _turn_to_write(self) -> Iterator[None]:
        """Keep other threads from writing, which would else hold connections while they wait."""
        if not self._locks:
            yield
            return
        moment = self._thread.moment
        patience = _LOCK_SECONDS if moment is None else max(moment - time.monotonic(), 0.0)
        if not self._writing.acquire(timeout=patience):
            raise StoreTimeout("other threads have been writing for too long")
        try:
            yield
        finally:
            self._writing.release()

    @contextmanager
    def _locked(self, session: Session) -> Iterator[None]:
        """Keep other processes from writing; a connection that is closed does so no more."""
        if not self._locks:
            yield
            return
        lock, moment = self.dialect.lock_writing, self._thread.moment
        with self._engine.translating():
            rows = self._primary.on(session, self._engine.fetch, lock, (), moment)
        if rows[0][0] != 1:
            raise StoreUnavailable("another process has been writing for too long")
        yield
        self._say(self.dialect.unlock_writing, None)

    def _say(self, sql: str, moment: float | None) -> None:
        """Run a statement about the transaction of this thread; it is not logged."""
        if self._thread.session is not None:
            with self._engine.translating():
                self._primary.on(self._thread.session, self._engine.fetch, sql, (), moment)

    def _report(
        self,
        observers: Sequence[tuple[float, Observer]],
        sql: str,
        params: Any,
        seconds: float,
    ) -> None:
        if all(seconds < least for least, _ in observers):
            return
        # The rows of an insert may be an iterator that is used up by now.
        shown = params if isinstance(params, list | tuple) else ()
        made = record(sql, shown, seconds, self._thread.module())
        for least, observer in observers:
            if seconds >= least:
                observer(made)

    def _check_writable(self) -> None:
        if self.read_only:
            raise StoreReadOnly("this database is open for reading only")

    def _check_open(self) -> None:
        if self._closed:
            raise StoreUnavailable("this database has been closed")


def open_database(config: DatabaseConfig, *, read_only: bool | None = None) -> Database:
    """Return the database of a configuration; ``read_only`` overrides the setting.

    Raises a StoreError when it cannot be opened.
    """
    return Database(
        config.url,
        read_only=config.read_only if read_only is None else read_only,
        replicas=config.replicas,
        pool_size=config.pool_size,
    )
