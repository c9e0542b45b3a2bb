"""What database servers have in common."""

from __future__ import annotations

import time
from abc import abstractmethod
from collections.abc import Iterable, Sequence
from typing import Any

from wikiapi.store.engines.base import Engine, Session
from wikiapi.store.engines.dialect import Dialect
from wikiapi.store.engines.pool import Pool
from wikiapi.store.sql.statements import Row

CONNECT_TIMEOUT = 10
"""Seconds to wait for a connection before a server is considered to be down."""

ROWS_PER_INSERT = 500

_GREATEST = 2**63 - 1


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
