"""The interface of a database engine, and the engine of a URL."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager, nullcontext
from importlib import import_module
from typing import Any, ClassVar, NamedTuple

import peewee

from wikiapi.errors import (
    StoreBusy,
    StoreConflict,
    StoreError,
    StoreFull,
    StoreReadOnly,
    StoreUnavailable,
    StoreValueError,
)
from wikiapi.store.engines.dialect import Dialect, Insertion
from wikiapi.store.sql.statements import Row

_VALUE_ERRORS: tuple[type[Exception], ...] = (OverflowError, ValueError)
"""Exceptions for values that cannot be bound: numbers beyond 64 bits, lone surrogates."""

_TRANSLATED = (*_VALUE_ERRORS, peewee.PeeweeException)

_ERROR_TEXTS: tuple[tuple[str, type[StoreError]], ...] = (
    ("readonly", StoreReadOnly),
    ("read-only", StoreReadOnly),
    ("read only", StoreReadOnly),
    ("unable to open", StoreUnavailable),
    ("closed", StoreUnavailable),
    ("deadlock", StoreBusy),
    ("connect", StoreUnavailable),
    ("is full", StoreFull),
    ("no space left", StoreFull),
)


class Session:
    """A driver's connection with its state.

    ``limit`` is the time limit that the engine has set on it. ``since`` is the time, by the
    monotonic clock, when the connection was last returned to the pool.
    """

    __slots__ = ("__weakref__", "connection", "limit", "since")

    def __init__(self, connection: Any) -> None:
        """Take a new connection that has no time limit yet."""
        self.connection = connection
        self.limit: float | None = None
        self.since = 0.0


class Connections(ABC):
    """The open connections of a process to one database."""

    @abstractmethod
    def take(self, moment: float | None) -> Session:
        """Return a connection for the exclusive use of this thread, until ``give`` or ``drop``.

        Waits for one until ``moment`` of the monotonic clock. Raises StoreUnavailable if there is
        none by then, and after ``close``.
        """

    @abstractmethod
    def give(self, session: Session) -> None:
        """Return a working connection to the pool."""

    @abstractmethod
    def drop(self, session: Session) -> None:
        """Discard a connection that is lost or whose state is unknown."""

    @abstractmethod
    def close(self) -> None:
        """Close all connections; none can be taken afterwards."""

    @abstractmethod
    def count(self) -> int:
        """Return the number of open connections."""


class Engine(ABC):
    """A database of one kind, at one address.

    ``trusted`` says that the driver returns texts as ``str``. ``begin`` is the statement that
    starts a transaction.
    """

    dialect: ClassVar[Dialect]
    driver: ClassVar[str]
    """The package that connects to the database; its name identifies the driver's exceptions."""
    error_texts: ClassVar[tuple[tuple[str, type[StoreError]], ...]] = ()
    """Parts of the driver's messages, in lower case, with the error they mean; first match wins."""
    trusted: ClassVar[bool] = False
    begin: str = "BEGIN"

    @abstractmethod
    def connect(self) -> Session:
        """Open a connection in autocommit mode."""

    @abstractmethod
    def connections(self, size: int) -> Connections:
        """Return an object that shares at most ``size`` connections between threads."""

    @abstractmethod
    def limit(self, session: Session, moment: float | None) -> None:
        """Limit the session's statements to end by ``moment`` of the monotonic clock, if given."""

    @property
    def lock_writing(self) -> str:
        """The dialect's statement that takes the lock for writing, if the database has that lock.

        Known when a connection is open.
        """
        return self.dialect.lock_writing

    @property
    def can_share(self) -> bool:
        """Whether transactions that write can share the lock for writing with each other.

        Known when a connection is open.
        """
        return bool(self.dialect.begin_sharing)

    def begin_transaction(
        self, connection: Any, *, writes: bool, durable: bool, shares: bool = False
    ) -> None:
        """Begin a transaction, as the dialect says for one that writes and is ``durable`` or not.

        With ``shares``, which :attr:`can_share` permits, it shares the lock for writing.

        Raises the driver's errors.
        """
        dialect = self.dialect
        if shares:
            begin = dialect.begin_sharing if durable else dialect.begin_sharing_relaxed
        elif writes:
            begin = dialect.begin_writing if durable else dialect.begin_relaxed
        else:
            begin = ""
        self.fetch(connection, begin or self.begin, ())

    def unlimit(self, session: Session) -> None:
        """Let a statement that does next to nothing end, whatever limit the session has."""
        self.limit(session, None)

    def waiting_to_begin(self, moment: float | None) -> AbstractContextManager[None]:
        """Return a context manager around the beginning of a transaction that writes.

        It lets processes that wait for the lock get it in turn, where the database does not.

        Raises:
            StoreBusy: other processes have been waiting until ``moment`` of the monotonic clock.
        """
        return nullcontext()

    def check(self, session: Session) -> None:
        """Raise the driver's error if a connection that was idle is lost."""
        self.fetch(session.connection, "SELECT 1", ())

    def is_lost(self, error: Exception) -> bool:
        """Return whether an error means that the connection is lost, so that a new one may work."""
        return False

    def is_conflict(self, error: Exception) -> bool:
        """Return whether what others do has undone a transaction, which may be begun again."""
        return False

    def is_duplicate(self, error: Exception) -> bool:
        """Return whether a row was not inserted because another one has a unique key of it."""
        return False

    def fetch(self, connection: Any, sql: str, params: Sequence[Any]) -> list[Row]:
        """Run a statement and return its rows, an empty list if it has no result."""
        cursor = connection.cursor()
        cursor.execute(sql, params)
        return list(cursor.fetchall()) if cursor.description else []

    def write(self, connection: Any, sql: str, params: Sequence[Any]) -> int:
        """Run a statement and return the number of rows that it changed."""
        cursor = connection.cursor()
        cursor.execute(sql, params)
        return int(cursor.rowcount)

    def run_together(self, connection: Any, sql: str, params: Sequence[Any]) -> None:
        """Run statements that ``Dialect.together`` has joined; the first error ends them."""
        connection.cursor().execute(sql, params)

    def can_translate(self, error: Exception) -> bool:
        """Return whether an error is one of the driver, of Peewee, or of a value."""
        package = type(error).__module__.partition(".")[0]
        return package == self.driver or isinstance(error, _TRANSLATED)

    def translate(self, error: Exception) -> StoreError:
        """Return the StoreError that corresponds to an error; raise it ``from`` that."""
        text = str(error)
        if self.is_conflict(error):
            return StoreConflict(text)
        if isinstance(error, _VALUE_ERRORS):
            return StoreValueError(text)
        lowered = text.lower()
        for fragment, kind in (*self.error_texts, *_ERROR_TEXTS):
            if fragment in lowered:
                return kind(text)
        if self.is_lost(error):
            return StoreUnavailable(text)
        return StoreError(text)

    def is_replaced(self) -> bool:
        """Return whether the address now refers to another database than the one opened."""
        return False

    @abstractmethod
    def insert(
        self, insertion: Insertion, connection: Any, sql: str, rows: Iterable[Sequence[Any]]
    ) -> None:
        """Insert rows, which may be an iterator, within a transaction.

        ``sql`` is the insertion's statement for one row.
        """

    def insert_numbered(
        self, insertion: Insertion, connection: Any, sql: str, row: Sequence[Any]
    ) -> int:
        """Insert a row without an id within a transaction, and return the id that it gets.

        It is called in transactions that share the lock for writing.
        """
        raise NotImplementedError


_PREFIX = "prefix="
_NAME = re.compile(r"[A-Za-z0-9_]{1,64}")


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


# Each is imported when a database with this scheme is first opened.
_ENGINES = {
    "sqlite": "wikiapi.store.engines.sqlite:SqliteEngine",
    "mysql": "wikiapi.store.engines.mysql:MysqlEngine",
    "mariadb": "wikiapi.store.engines.mysql:MysqlEngine",
    "postgres": "wikiapi.store.engines.postgresql:PostgresqlEngine",
    "postgresql": "wikiapi.store.engines.postgresql:PostgresqlEngine",
}


def engine_of(url: str, *, read_only: bool) -> Engine:
    """Return the engine of a URL.

    Raises StoreUnavailable if the URL is malformed, if the driver is not installed, and if the file
    does not exist and ``read_only`` forbids to create it.
    """
    scheme = url.partition(":")[0]
    if scheme not in _ENGINES or (scheme != "sqlite" and "://" not in url):
        raise StoreUnavailable(f"cannot use a database of kind {scheme!r}")
    module, _, name = _ENGINES[scheme].partition(":")
    kind: Any = getattr(import_module(module), name)
    engine: Engine = kind(url, read_only=read_only)
    return engine
