"""The primary database and its replicas, on which statements are run."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from itertools import count
from typing import Any, TypeVar

from wikiapi.errors import StoreUnavailable
from wikiapi.store.engines.base import Engine, Session

T = TypeVar("T")

SUSPENSION = 30.0
"""Seconds for which a replica that failed is not used."""


class Source:
    """One database and the connections of this process to it."""

    def __init__(self, engine: Engine, size: int) -> None:
        """Take the engine and the maximum number of connections, none of which is opened yet."""
        self.engine = engine
        self.connections = engine.connections(size)
        self._suspended_until = 0.0

    @property
    def is_suspended(self) -> bool:
        """Whether the database failed in the last ``SUSPENSION`` seconds and is not to be used."""
        return time.monotonic() < self._suspended_until

    def suspend(self) -> None:
        """Note that the database failed, so that it is not used for ``SUSPENSION`` seconds."""
        self._suspended_until = time.monotonic() + SUSPENSION

    def is_down(self, error: Exception) -> bool:
        """Return whether an error is the fault of this database rather than of the statement."""
        return isinstance(error, StoreUnavailable) or self.engine.is_lost(error)

    def run(
        self,
        work: Callable[[Any, str, Any], T],
        sql: str,
        params: Any,
        moment: float | None,
        *,
        again: bool,
    ) -> T:
        """Run a statement on any connection, until ``moment`` of the monotonic clock.

        With ``again``, which is for statements that only read, it is run once more on a new
        connection if the first turns out to be lost. Raises the driver's errors and
        StoreUnavailable.
        """
        session = self.connections.take(moment)
        try:
            self.engine.limit(session, moment)
            result = work(session.connection, sql, params)
        except Exception as error:
            if not self.engine.is_lost(error):
                self.connections.give(session)
                raise
            self.connections.drop(session)
            if not again:
                raise
        except BaseException:
            self.connections.drop(session)
            raise
        else:
            self.connections.give(session)
            return result
        return self.run(work, sql, params, moment, again=False)

    def on(
        self,
        session: Session,
        work: Callable[[Any, str, Any], T],
        sql: str,
        params: Any,
        moment: float | None,
    ) -> T:
        """Run a statement on a connection that the caller has taken."""
        self.engine.limit(session, moment)
        return work(session.connection, sql, params)


class Replicas:
    """Replicas of the primary database that are read from in turn.

    Replicas lag behind by different times. After :meth:`take_turn`, a thread reads from one replica
    only, as long as it is up, so that a request sees the wiki in one state.
    """

    def __init__(self, sources: Sequence[Source]) -> None:
        """Take the replicas in the order in which they are tried."""
        self._sources = sources
        self._turns = count()
        self._own = threading.local()

    def take_turn(self) -> None:
        """Make this thread read from the next replica from now on."""
        self._own.turn = next(self._turns)

    def run(
        self,
        primary: Source,
        work: Callable[[Any, str, Any], T],
        sql: str,
        params: Any,
        moment: float | None,
    ) -> T:
        """Run a statement that reads on the next replica that is up, else on the primary."""
        size = len(self._sources)
        turn_taken: int | None = getattr(self._own, "turn", None)
        first = next(self._turns) if turn_taken is None else turn_taken
        for turn in range(first, first + size):
            source = self._sources[turn % size]
            if source.is_suspended:
                continue
            try:
                return source.run(work, sql, params, moment, again=True)
            except Exception as error:
                if not source.is_down(error):
                    raise
                source.suspend()
        return primary.run(work, sql, params, moment, again=True)

    def close(self) -> None:
        """Close the connections to all replicas."""
        for source in self._sources:
            source.connections.close()
