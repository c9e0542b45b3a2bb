"""What the rest of the store asks of a kind of database."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from typing import Any, ClassVar

import peewee

from wikiapi.store.dialect import Dialect
from wikiapi.store.insert import Insertion
from wikiapi.store.statements import Row


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
        """A connection for this thread alone, until it is given back.

        ``moment`` says until when to wait for one. Raises StoreUnavailable when there is none by
        then, and after ``close``.
        """

    @abstractmethod
    def give(self, session: Session) -> None:
        """Give a connection back that is in order."""

    @abstractmethod
    def drop(self, session: Session) -> None:
        """Give a connection back that is lost, or in a state that nobody knows."""

    @abstractmethod
    def close(self) -> None:
        """Close all; nothing can be taken afterwards."""

    @abstractmethod
    def count(self) -> int:
        """How many are open now."""


class Engine(ABC):
    """A database of one kind, at one address.

    ``compiler`` is Peewee's database of the kind, which is never connected: it writes SQL.
    ``trusted`` says that the driver gives texts as ``str``. ``begin`` starts a transaction.
    """

    dialect: ClassVar[Dialect]
    explain: ClassVar[str] = "EXPLAIN"
    """What stands before a statement to be told its plan."""
    trusted: ClassVar[bool] = False
    begin: str = "BEGIN"
    compiler: peewee.Database

    @abstractmethod
    def connect(self) -> Session:
        """Open a connection that commits each statement."""

    @abstractmethod
    def connections(self, size: int) -> Connections:
        """The means to share at most ``size`` connections between threads."""

    @abstractmethod
    def limit(self, session: Session, moment: float | None) -> None:
        """Let statements run until a moment of the monotonic clock, or for ever."""

    def check(self, session: Session) -> None:
        """Raise the driver's error if a connection that has rested is gone."""
        self.fetch(session.connection, "SELECT 1", ())

    def is_lost(self, error: Exception) -> bool:
        """Whether an error says that the connection is gone, so that another one may do."""
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

    def plan_lines(self, rows: Iterable[Row]) -> list[str]:
        """The rows of a plan as lines of text."""
        return ["  ".join(str(value) for value in row if value is not None) for row in rows]

    def is_replaced(self) -> bool:
        """Whether the address leads to another database now than the one that was opened."""
        return False

    @abstractmethod
    def insert(self, connection: Any, what: Insertion, rows: Iterable[Sequence[Any]]) -> None:
        """Insert rows as they come, within a transaction."""
