"""The database of a wiki, which runs queries of unbound Peewee models from any thread."""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from functools import cached_property
from operator import is_
from typing import Any, NamedTuple, TypeVar

from peewee import Model

from wikiapi.config import DatabaseConfig
from wikiapi.errors import StoreBusy, StoreError, StoreReadOnly, StoreUnavailable
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
from wikiapi.store.turns import Turns
from wikiapi.temporary import TemporaryAttribute

POOL_SIZE = 10
"""Default for the maximum number of connections that a process opens to a server."""

_MAX_STATEMENTS = 2_000
_PREFIX = "prefix="
_NAME = re.compile(r"[A-Za-z0-9_]{1,64}")

T = TypeVar("T")
C = TypeVar("C", bound="Callable[[], object]")


Observer = Callable[["QueryRecord"], None]


class Address(NamedTuple):
    """The URL of a database, without the prefix of its tables."""

    url: str
    prefix: str

    @classmethod
    def of(cls, url: str) -> Address:
        """Return the parts of a URL.

        Raises StoreUnavailable for a prefix that names of tables cannot have.
        """
        place, _, query = url.partition("?")
        options = query.split("&")
        prefix = next((each for each in options if each.startswith(_PREFIX)), "")
        if not prefix:
            return cls(url, "")
        options.remove(prefix)
        name = prefix.removeprefix(_PREFIX)
        if not _NAME.fullmatch(name):
            raise StoreUnavailable(f"{name!r} is not a prefix of tables")
        return cls(f"{place}?{'&'.join(options)}" if options else place, name)


class _ThreadState(threading.local):
    observers: tuple[tuple[float, Observer], ...] = ()
    """Functions that receive the statements that take at least so many seconds."""
    module: Callable[[], str] = str
    """Returns the name of the API module that is running."""
    deadline: Deadline | None = None
    session: Session | None = None
    is_on_primary: bool = False
    depth: int = 0
    after_commit: tuple[Callable[[], object], ...] = ()
    """What is to be called when this thread's transaction is committed."""

    @property
    def moment(self) -> float | None:
        """The time of the monotonic clock until which a statement may run; None for no limit."""
        return None if self.deadline is None else self.deadline.moment


class Database:
    """A database given by its URL, shared by all threads.

    ``sqlite:///relative/path``, ``sqlite:////absolute/path`` and ``sqlite:///:memory:`` need no
    driver, and each thread has its own connection. ``mysql://`` needs PyMySQL and ``postgresql://``
    psycopg; the threads share ``pool_size`` connections, and statements that read are run on the
    ``replicas`` in turn. With ``read_only`` nothing is ever written, neither to the database nor to
    files next to it. ``?prefix=mw_`` at the end of a URL names a prefix of the tables, as a
    MediaWiki may have; such a database is only read.

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
    ) -> None:
        """Connect at once, so that a wrong URL is reported at start-up.

        Replicas are not contacted yet.
        """
        self.read_only = read_only
        address = Address.of(url)
        if address.prefix and not read_only:
            raise StoreUnavailable("a database whose tables have a prefix can only be read")
        self._prefix = address.prefix
        self._engine = engine_of(address.url, read_only=read_only)
        self._primary = Source(self._engine, pool_size)
        self._replicas = self._copies([Address.of(each).url for each in replicas], pool_size)
        self._shapes: dict[Hashable, tuple[Statement, list[Any]]] = {}
        self._thread = _ThreadState()
        self._closed = False
        self._turns = Turns()
        # This also keeps a database in memory alive, which is deleted with its last connection.
        self.execute_sql(self.dialect.probe)

    @property
    def dialect(self) -> Dialect:
        """The SQL dialect of the database engine; its ``name`` identifies the engine."""
        return self._engine.dialect

    @cached_property
    def catalog(self) -> Catalog:
        """The tables, columns and indexes that the database has."""
        return Catalog(self.dialect, self.execute_sql, self._prefix)

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

    def execute(self, query: Query) -> list[Row]:
        """Run a Peewee query that reads, and return its rows.

        Queries that differ only in their values share a statement, which is compiled once.
        """
        statement, params = self._prepared(query)
        rows = self._perform(self._engine.fetch, statement.sql, params, reading=True)
        return statement.convert(rows, trusted=self._engine.trusted)

    def row(self, query: Query) -> Row | None:
        """Return the first row of a query, or None if there is none."""
        rows = self.execute(query)
        return rows[0] if rows else None

    def scalar(self, query: Query) -> Any:
        """Return the first column of the first row of a query, or None if there is no row."""
        row = self.row(query)
        return row[0] if row else None

    def execute_sql(
        self, sql: str, params: Sequence[Any] = (), *, reading: bool = False
    ) -> list[Row]:
        """Run a statement in this database's SQL, and return its rows as the driver returns them.

        It may write. Only a statement with ``reading`` can be run on a replica.
        """
        return self._perform(self._engine.fetch, sql, params, reading=reading)

    # Writes

    def execute_write(self, query: Query) -> int:
        """Run a Peewee insert, update or delete, and return the number of changed rows.

        Like queries that read, updates and deletions that differ only in their values are compiled
        once.
        """
        self._check_writable()
        statement, params = self._prepared(query)
        # Outside of a transaction, the statement would not wait in turn.
        with nullcontext() if self._thread.session else self.atomic():
            return self._perform(self._engine.write, statement.sql, params)

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
        what = Insertion(self.dialect, model, columns or column_names(model), on_conflict)
        with self.atomic():
            self._perform(
                lambda link, _, rows: self._engine.insert(link, what, rows), what.sql, rows
            )

    @contextmanager
    def atomic(self, *, durable: bool = True) -> Iterator[None]:
        """Run the block in a transaction, or in a savepoint if there already is a transaction.

        Only one transaction writes at a time, on all engines and across processes, because new ids
        follow the greatest one, and links and counts are derived from the present rows. Those who
        wait get their turn in the order in which they came. The block should therefore be short:
        what takes long belongs before it, or into :meth:`on_commit`.

        Without ``durable``, a power failure after the transaction may undo it as a whole. This
        saves waiting for the disk, for data that can be derived again.

        Raises:
            StoreBusy: others have been writing until the deadline.
        """
        self._check_open()
        if self._thread.session is not None:
            name = f"s{self._thread.depth}"
            ending = (f"RELEASE SAVEPOINT {name}", f"ROLLBACK TO SAVEPOINT {name}")
            with self._block(f"SAVEPOINT {name}", *ending):
                yield
            return
        with self._outermost(durable=durable):
            yield
        work, self._thread.after_commit = self._thread.after_commit, ()
        for function in work:
            function()

    @property
    def is_in_transaction(self) -> bool:
        """Whether this thread is in a transaction, in which nobody else can write."""
        return self._thread.session is not None

    def on_commit(self, function: Callable[[], object]) -> None:
        """Call a function when this thread's transaction is committed and others may write.

        It is not called if the transaction is undone, or the savepoint in which this was called.
        Without a transaction, it is called at once.
        """
        if self._thread.session is None:
            function()
        else:
            self._thread.after_commit += (function,)

    def at_commit(self, kind: type[C], make: Callable[[], C]) -> C:
        """Return the object of a kind that is called when this thread's transaction is committed.

        ``make`` returns it when it is first asked for. It can collect what a transaction leaves to
        be done, so that this is done at once. Call this in a transaction.
        """
        for function in self._thread.after_commit:
            if isinstance(function, kind):
                return function
        made = make()
        self.on_commit(made)
        return made

    @contextmanager
    def _outermost(self, *, durable: bool) -> Iterator[None]:
        """Run the block in a transaction, with the turn to write and a connection of its own."""
        thread, connections = self._thread, self._primary.connections
        with nullcontext() if self.read_only else self._turns.turn(thread.moment):
            with self._engine.translating():
                thread.session = session = connections.take(thread.moment)
            finish = connections.drop
            try:
                with (
                    self._locked(session),
                    self._relaxed(durable=durable),
                    self._block(self._engine.begin, "COMMIT", "ROLLBACK"),
                ):
                    yield
                finish = connections.give
            finally:
                thread.session = None
                finish(session)

    @contextmanager
    def _relaxed(self, *, durable: bool) -> Iterator[None]:
        """Let commits within the block return early, unless they must be ``durable``."""
        if durable or not self.dialect.relax_commits:
            yield
            return
        self._control_transaction(self.dialect.relax_commits, None)
        try:
            yield
        finally:
            self._control_transaction(self.dialect.restore_commits, None)

    # Requests: replicas, records and deadlines

    def take_turn(self) -> None:
        """Make this thread read from the next replica only, until it calls this again.

        In threads that never call this, each statement is run on the next replica. Without
        replicas, nothing happens.
        """
        if self._replicas is not None:
            self._replicas.take_turn()

    def on_primary(self) -> AbstractContextManager[object]:
        """Return a context manager in which this thread reads nothing from replicas.

        They lag behind, so that what is to be changed must not be read from them.
        """
        return TemporaryAttribute(self._thread, "is_on_primary", True)

    @contextmanager
    def recording(self) -> Iterator[list[QueryRecord]]:
        """Yield a list that gets a record of every statement that this thread runs in the block."""
        records: list[QueryRecord] = []
        with self.observing(records.append):
            yield records

    def observing(self, observer: Observer, seconds: float = 0.0) -> AbstractContextManager[object]:
        """Return a context manager that reports this thread's statements to ``observer``.

        Only statements that take at least ``seconds`` are reported.
        """
        observers = (*self._thread.observers, (seconds, observer))
        return TemporaryAttribute(self._thread, "observers", observers)

    def working_for(self, module: Callable[[], str]) -> AbstractContextManager[object]:
        """Return a context manager in which records of statements name the module.

        ``module`` returns the name; it is only called when a record is made.
        """
        return TemporaryAttribute(self._thread, "module", module)

    def plan(self, sql: str, params: Sequence[Any] = ()) -> list[str]:
        """Return the database's description of the steps in which it would run a statement."""
        rows = self.execute_sql(f"{self.dialect.explain} {sql}", params, reading=True)
        return self.dialect.plan_lines(rows)

    def deadline(self, seconds: float, work: float | None = None) -> AbstractContextManager[object]:
        """Return a context manager that limits the time of this thread's statements.

        They raise StoreTimeout when ``seconds`` have passed, or when they have taken ``work``
        seconds in total. An enclosing deadline that ends sooner remains in force.
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

    # Internals

    def _connection(self) -> Any:
        """Return a driver's connection for this thread; on SQLite the thread's own."""
        return self._primary.connections.take(None).connection

    def _copies(self, urls: Sequence[str], pool_size: int) -> Replicas | None:
        engines = [engine_of(url, read_only=True) for url in urls]
        if any(engine.dialect is not self.dialect for engine in engines):
            raise StoreUnavailable("a replica has another engine than the primary database")
        return Replicas([Source(engine, pool_size) for engine in engines]) if engines else None

    def _compiled(self, query: Query) -> tuple[Statement, Sequence[Any]]:
        return compile_query(self.schema.context(self.dialect), query)

    def _prepared(self, query: Query) -> tuple[Statement, Sequence[Any]]:
        """Return the statement of a query and its values; it is compiled once for each shape."""
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

    def _perform(
        self, work: Callable[[Any, str, Any], T], sql: str, params: Any, *, reading: bool = False
    ) -> T:
        """Run a statement within its deadline, report it to observers, and translate errors."""
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
        """Run a statement on the connection of this thread's transaction, or else on any."""
        thread = self._thread
        if thread.session is not None:
            return self._primary.on(thread.session, work, sql, params, thread.moment)
        if reading and self._replicas is not None and not thread.is_on_primary:
            return self._replicas.run(self._primary, work, sql, params, thread.moment)
        return self._primary.run(work, sql, params, thread.moment, again=reading)

    @contextmanager
    def _block(self, begin: str, commit: str, rollback: str) -> Iterator[None]:
        thread = self._thread
        # A savepoint is within a transaction, whose process waits no more.
        first, after_commit = thread.depth == 0, thread.after_commit
        with self._engine.waiting_to_begin(thread.moment) if first else nullcontext():
            self._control_transaction(begin, thread.moment)
        thread.depth += 1
        try:
            yield
            self._control_transaction(commit, thread.moment)
        except BaseException:
            thread.after_commit = after_commit
            with suppress(StoreError):
                self._control_transaction(rollback, None)
            raise
        finally:
            thread.depth -= 1

    @property
    def _locks(self) -> bool:
        return bool(self.dialect.lock_writing) and not self.read_only

    @contextmanager
    def _locked(self, session: Session) -> Iterator[None]:
        """Keep other processes from writing; closing the connection also releases the lock."""
        if not self._locks:
            yield
            return
        lock, moment = self.dialect.lock_writing, self._thread.moment
        with self._engine.translating():
            rows = self._primary.on(session, self._engine.fetch, lock, (), moment)
        if rows[0][0] != 1:
            raise StoreBusy("another process has been writing for too long")
        yield
        self._control_transaction(self.dialect.unlock_writing, None)

    def _control_transaction(self, sql: str, moment: float | None) -> None:
        """Run a statement that controls this thread's transaction, without reporting it."""
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
        # The rows of an insert may be an iterator, which is exhausted by now.
        values = params if isinstance(params, list | tuple) else ()
        made = record(sql, values, seconds, self._thread.module())
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

    Raises a StoreError if it cannot be opened.
    """
    return Database(
        config.url,
        read_only=config.read_only if read_only is None else read_only,
        replicas=config.replicas,
        pool_size=config.pool_size,
    )
