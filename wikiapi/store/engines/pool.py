"""A bounded pool of connections to a server, for the threads of one process."""

from __future__ import annotations

import os
import threading
import time
from contextlib import suppress

from wikiapi.errors import StoreUnavailable
from wikiapi.store.engines.base import Connections, Engine, Session

LONGEST_WAIT = 10.0
"""Seconds that a thread waits for a connection if its request has no deadline."""

TRUSTED_FOR = 1.0
"""Seconds after its last use in which a connection is taken to be there still."""


class Pool(Connections):
    """At most ``size`` connections, the last one given back is the first to be taken.

    One that has rested is checked before it is used again. After a fork the child opens its own;
    what belongs to the parent is left alone.
    """

    def __init__(self, engine: Engine, size: int) -> None:
        """Open nothing yet."""
        self._engine = engine
        self._size = max(size, 1)
        self._closed = False
        self._begin()

    def take(self, moment: float | None) -> Session:
        """Return a connection that answered a moment ago, or a new one."""
        if self._process != os.getpid():
            self._begin()
        self._reserve(moment)
        try:
            return self._rested() or self._fresh()
        except BaseException:
            self._free()
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
        self._free()

    def drop(self, session: Session) -> None:
        """Close it, and all that rest: what befell one has most likely befallen them."""
        _end(session)
        self._end_idle()
        self._free()

    def close(self) -> None:
        """Close those that rest; those in use are closed when they are given back."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()
        self._end_idle()

    def count(self) -> int:
        """Return the number of connections, idle and in use."""
        with self._changed:
            return len(self._idle) + self._used

    def _begin(self) -> None:
        self._process = os.getpid()
        self._changed = threading.Condition()
        self._idle: list[Session] = []
        self._used = 0

    def _reserve(self, moment: float | None) -> None:
        wait = LONGEST_WAIT if moment is None else moment - time.monotonic()
        with self._changed:
            free = self._changed.wait_for(lambda: self._closed or self._used < self._size, wait)
            if self._closed:
                raise StoreUnavailable("this database has been closed")
            if not free:
                raise StoreUnavailable(f"all {self._size} connections to the database are in use")
            self._used += 1

    def _rested(self) -> Session | None:
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

    def _fresh(self) -> Session:
        try:
            return self._engine.connect()
        except Exception as error:
            raise StoreUnavailable(f"the database cannot be reached: {error}") from error

    def _free(self) -> None:
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
