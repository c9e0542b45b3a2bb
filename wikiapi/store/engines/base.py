"""The interface of a database engine."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, ClassVar

import peewee

from wikiapi.errors import (
    StoreError,
    StoreFull,
    StoreReadOnly,
    StoreUnavailable,
    StoreValueError,
)
from wikiapi.store.engines.dialect import Dialect
from wikiapi.store.engines.insertion import Insertion
from wikiapi.store.sql.statements import Row

_VALUE_ERRORS: tuple[type[Exception], ...] = (OverflowError, ValueError)
"""What is raised for a value that cannot be bound: a number beyond 64 bits, a lone surrogate."""

_ERROR_TEXTS: tuple[tuple[str, type[StoreError]], ...] = (
    ("readonly", StoreReadOnly),
    ("read-only", StoreReadOnly),
    ("read only", StoreReadOnly),
    ("unable to open", StoreUnavailable),
    ("closed", StoreUnavailable),
    ("deadlock", StoreUnavailable),
    ("connect", StoreUnavailable),
    ("is full", StoreFull),
    ("no space left", StoreFull),
)


class Session:
    """A driver's connection, with what has been set on it since it was opened.

    ``limit`` is what the engine remembers of the last deadline, ``since`` when the connection was
    last given back, by the monotonic clock.
    """

    __slots__ = ("__weakref__", "connection", "limit", "since")

    def __init__(self, connection: Any) -> None:
        """Take a fresh connection, on which nothing is set."""
        self.connection = connection
        self.limit: float | None = None
        self.since = 0.0


class Connections(ABC):
    """The open connections of a process to one database."""

    @abstractmethod
    def take(self, moment: float | None) -> Session:
        """Return a connection for this thread alone, until it is given back.

        ``moment`` says until when to wait for one. Raises StoreUnavailable when there is none by
        then, and after ``close``.
        """

    @abstractmethod
    def give(self, session: Session) -> None:
        """Return a connection that works to the pool."""

    @abstractmethod
    def drop(self, session: Session) -> None:
        """Return a connection to the pool that is lost, or whose state is unknown."""

    @abstractmethod
    def close(self) -> None:
        """Close all; nothing can be taken afterwards."""

    @abstractmethod
    def count(self) -> int:
        """Return the number of open connections."""


class Engine(ABC):
    """A database of one kind, at one address.

    ``trusted`` says that the driver gives texts as ``str``. ``begin`` starts a transaction.
    """

    dialect: ClassVar[Dialect]
    driver: ClassVar[str]
    """The package that talks to the database, and raises errors of its own."""
    error_texts: ClassVar[tuple[tuple[str, type[StoreError]], ...]] = ()
    """Parts of the driver's messages, in lower case, and what they mean; the first one counts."""
    trusted: ClassVar[bool] = False
    begin: str = "BEGIN"

    @abstractmethod
    def connect(self) -> Session:
        """Open a connection that commits each statement."""

    @abstractmethod
    def connections(self, size: int) -> Connections:
        """Return an object that shares at most ``size`` connections between threads."""

    @abstractmethod
    def limit(self, session: Session, moment: float | None) -> None:
        """Let statements run until a moment of the monotonic clock, or for ever."""

    def check(self, session: Session) -> None:
        """Raise the driver's error if a connection that has rested is gone."""
        self.fetch(session.connection, "SELECT 1", ())

    def is_lost(self, error: Exception) -> bool:
        """Return whether an error says that the connection is gone, so that another one may do."""
        return False

    def fetch(self, connection: Any, sql: str, params: Sequence[Any]) -> list[Row]:
        """Run a statement; all of its rows, none for one that gives none."""
        cursor = connection.cursor()
        cursor.execute(sql, params)
        return list(cursor.fetchall()) if cursor.description else []

    def write(self, connection: Any, sql: str, params: Sequence[Any]) -> int:
        """Run a statement; how many rows it touched."""
        cursor = connection.cursor()
        cursor.execute(sql, params)
        return int(cursor.rowcount)

    def is_driver_error(self, error: Exception) -> bool:
        """Return whether an error comes from the driver or from Peewee."""
        package = type(error).__module__.partition(".")[0]
        return package == self.driver or isinstance(error, peewee.PeeweeException)

    def is_value_error(self, error: Exception) -> bool:
        """Return whether an error of a statement says that a value cannot be bound."""
        return isinstance(error, _VALUE_ERRORS)

    def translate(self, error: Exception) -> StoreError:
        """Return the StoreError that an error stands for; raise it ``from`` the original."""
        text = str(error)
        if self.is_value_error(error):
            return StoreValueError(text)
        lowered = text.lower()
        for fragment, kind in (*self.error_texts, *_ERROR_TEXTS):
            if fragment in lowered:
                return kind(text)
        return StoreError(text)

    @contextmanager
    def translating(self) -> Iterator[None]:
        """Turn the driver's errors within the block into StoreErrors; all others pass."""
        try:
            yield
        except Exception as error:
            if self.is_driver_error(error):
                raise self.translate(error) from error
            raise

    def is_replaced(self) -> bool:
        """Return whether the address leads to another database now than the one that was opened."""
        return False

    @abstractmethod
    def insert(self, connection: Any, what: Insertion, rows: Iterable[Sequence[Any]]) -> None:
        """Insert rows as they come, within a transaction."""
