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
"""Seconds after which a server that does not answer counts as gone."""

ROWS_PER_INSERT = 500

_GREATEST = 2**63 - 1


class ServerDialect(Dialect):
    """The SQL of a database server."""

    def plan_lines(self, rows: Iterable[Sequence[Any]]) -> list[str]:
        """Return a line for each row."""
        return ["  ".join(str(value) for value in row if value is not None) for row in rows]


class ServerEngine(Engine):
    """A database on a server: connections are pooled, statements are limited by the server."""

    def connections(self, size: int) -> Pool:
        """Return a pool of at most ``size`` connections."""
        return Pool(self, size)

    def limit(self, session: Session, moment: float | None) -> None:
        """Set the server's limit for each statement, when it differs from the one that is set.

        Setting the limit costs a round trip. So the time left is rounded down in steps of an
        eighth at most: the statements of many requests in a row share one limit, and none runs
        past its deadline.
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
        """Return the rows; an integer beyond 64 bits raises OverflowError, as on SQLite."""
        for value in params:
            if type(value) is int and not -_GREATEST - 1 <= value <= _GREATEST:
                raise OverflowError("an integer beyond 64 bits")
        return super().fetch(connection, sql, params)


def rounded_down(milliseconds: int) -> int:
    """Return the number with all but its first four binary digits cleared."""
    shift = max(milliseconds.bit_length() - 4, 0)
    return milliseconds >> shift << shift
