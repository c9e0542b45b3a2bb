"""What database servers have in common: limits of time, and a pool of connections."""

from __future__ import annotations

import os
import threading
import time
from abc import abstractmethod
from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import Any

from wikiapi.errors import StoreUnavailable
from wikiapi.store.engines.base import Connections, Engine, Session
from wikiapi.store.engines.dialect import Dialect
from wikiapi.store.sql.statements import Row

CONNECT_TIMEOUT = 10
"""Seconds to wait for a connection before a server is considered to be down."""

ROWS_PER_INSERT = 500

_GREATEST = 2**63 - 1

LONGEST_WAIT = 10.0
"""Seconds that a thread waits for a connection if its request has no deadline."""

_AMPLE = 1_000
"""Milliseconds in which a server certainly ends a statement that does next to nothing."""

TRUSTED_FOR = 1.0
"""Seconds after its last use for which a connection is assumed to be still open."""


class ServerDialect(Dialect):
    """The base class of the dialects of database servers."""

    def plan_lines(self, rows: Iterable[Sequence[Any]]) -> list[str]:
        """Return each row as a line."""
        return ["  ".join(str(value) for value in row if value is not None) for row in rows]


class ServerEngine(Engine):
    """A database on a server, which limits the time of statements; connections are pooled."""

    def connections(self, size: int) -> Pool:
        """Return a pool of at most ``size`` connections."""
        return Pool(self, size)

    def limit(self, session: Session, moment: float | None) -> None:
        """Set the server's time limit for statements, if it differs from the current one.

        Setting the limit costs a round trip. The remaining time is therefore rounded down, by at
        most an eighth: statements of many successive requests share the same limit, and none
        exceeds its deadline.
        """
        if moment is None:
            limit = 0
        else:
            limit = rounded_down(max(int((moment - time.monotonic()) * 1000), 1))
        if limit != (session.limit or 0):
            super().fetch(session.connection, self.limiting(limit), ())
            session.limit = limit

    def unlimit(self, session: Session) -> None:
        """Remove a limit that is too short; a longer one stays, as each change is a round trip."""
        if session.limit and session.limit < _AMPLE:
            self.limit(session, None)

    @abstractmethod
    def limiting(self, milliseconds: int) -> str:
        """Return the statement that limits the statements of a session; 0 removes the limit."""

    def fetch(self, connection: Any, sql: str, params: Sequence[Any]) -> list[Row]:
        """Return the rows of a statement. Integers beyond 64 bits raise OverflowError.

        The same happens on SQLite.
        """
        for value in params:
            if type(value) is int and not -_GREATEST - 1 <= value <= _GREATEST:
                raise OverflowError("an integer beyond 64 bits")
        return super().fetch(connection, sql, params)


def rounded_down(milliseconds: int) -> int:
    """Return the number with all but its four most significant bits cleared."""
    shift = max(milliseconds.bit_length() - 4, 0)
    return milliseconds >> shift << shift


class Pool(Connections):
    """At most ``size`` connections; the one returned last is taken first.

    A connection that has been idle is checked before it is used again. After a fork, the child
    process opens its own connections and does not touch those of its parent.
    """

    def __init__(self, engine: Engine, size: int) -> None:
        """Create an empty pool; connections are opened when they are needed."""
        self._engine = engine
        self._size = max(size, 1)
        self._closed = False
        self._reset()

    def take(self, moment: float | None) -> Session:
        """Return an idle connection that works, or a new one."""
        if self._process != os.getpid():
            self._reset()
        wait = LONGEST_WAIT if moment is None else moment - time.monotonic()
        with self._changed:
            free = self._changed.wait_for(lambda: self._closed or self._used < self._size, wait)
            if self._closed:
                raise StoreUnavailable("this database has been closed")
            if not free:
                raise StoreUnavailable(f"all {self._size} connections to the database are in use")
            self._used += 1
        try:
            return self._idle_connection() or self._new_connection()
        except BaseException:
            self._release()
            raise

    def give(self, session: Session) -> None:
        """Return a connection to the pool."""
        session.since = time.monotonic()
        with self._changed:
            closed = self._closed
            if not closed:
                self._idle.append(session)
        if closed:
            _end(session)
        self._release()

    def drop(self, session: Session) -> None:
        """Close a connection and all idle ones, which are most likely lost too."""
        _end(session)
        self._end_idle()
        self._release()

    def close(self) -> None:
        """Close the idle connections; those in use are closed when they are returned."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()
        self._end_idle()

    def count(self) -> int:
        """Return the number of connections, idle and in use."""
        with self._changed:
            return len(self._idle) + self._used

    def _reset(self) -> None:
        self._process = os.getpid()
        self._changed = threading.Condition()
        self._idle: list[Session] = []
        self._used = 0

    def _idle_connection(self) -> Session | None:
        with self._changed:
            session = self._idle.pop() if self._idle else None
        if session is None or time.monotonic() - session.since < TRUSTED_FOR:
            return session
        try:
            self._engine.check(session)
        except Exception as error:
            _end(session)
            self._end_idle()
            if not self._engine.is_lost(error):
                raise
            return None
        return session

    def _new_connection(self) -> Session:
        try:
            return self._engine.connect()
        except Exception as error:
            raise StoreUnavailable(f"the database cannot be reached: {error}") from error

    def _release(self) -> None:
        with self._changed:
            self._used -= 1
            self._changed.notify()

    def _end_idle(self) -> None:
        with self._changed:
            idle, self._idle = self._idle, []
        for session in idle:
            _end(session)


def _end(session: Session) -> None:
    with suppress(Exception):
        session.connection.close()
