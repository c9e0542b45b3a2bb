"""Waiting in turn: locks that are granted in the order in which they were asked for.

``threading.Lock`` and SQLite's own lock are granted to whoever asks at the right moment. A thread
that writes again at once then overtakes those that have been waiting, some of them for seconds.
"""

from __future__ import annotations

import fcntl
import os
import threading
import time
from collections import deque
from collections.abc import Hashable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple
from weakref import WeakValueDictionary

from wikiapi.errors import StoreBusy

PATIENCE = 30.0
"""Seconds to wait for others if the request has no deadline."""
POLL_SECONDS = 0.0005
"""Seconds between two attempts to get a lock that another process holds."""


class _Place(NamedTuple):
    """The place of a thread that waits. ``gate`` is released when the lock is handed over to it."""

    gate: threading.Lock
    shares: bool


class Turns:
    """A lock for the threads of a process, which get it in the order in which they asked.

    Threads may share it with each other: they wait for those that do not, and those for them.
    """

    def __init__(self) -> None:
        """Create the lock, which nobody holds."""
        self._guard = threading.Lock()
        self._is_held = False
        self._sharing = 0
        self._waiting: deque[_Place] = deque()

    @contextmanager
    def turn(self, moment: float | None = None, *, shares: bool = False) -> Iterator[None]:
        """Hold the lock within the block, alone or with others that share it.

        Raises:
            StoreBusy: the lock is not free by ``moment`` of the monotonic clock, or after
                ``PATIENCE`` seconds if that is ``None``.
        """
        if not self._acquire(seconds_until(moment), shares=shares):
            raise StoreBusy("others have been writing for too long")
        try:
            yield
        finally:
            self._release(shares=shares)

    def _acquire(self, patience: float, *, shares: bool) -> bool:
        place = _Place(threading.Lock(), shares)
        place.gate.acquire()
        with self._guard:
            self._waiting.append(place)
            self._hand_over()
        try:
            if place.gate.acquire(timeout=patience):
                return True
        except BaseException:
            if not self._leave(place):
                self._release(shares=shares)
            raise
        return not self._leave(place)

    def _leave(self, place: _Place) -> bool:
        """Give up a place; return false if the lock has been handed over to it meanwhile."""
        with self._guard:
            if place not in self._waiting:
                return False
            self._waiting.remove(place)
            # Those behind it may share the lock with those who hold it.
            self._hand_over()
            return True

    def _release(self, *, shares: bool) -> None:
        with self._guard:
            if shares:
                self._sharing -= 1
            else:
                self._is_held = False
            self._hand_over()

    def _hand_over(self) -> None:
        """Let in whoever is first, and behind it those who share the lock with it."""
        while self._waiting and not self._is_held:
            if not self._waiting[0].shares and self._sharing:
                return
            place = self._waiting.popleft()
            self._is_held = not place.shares
            self._sharing += place.shares
            place.gate.release()


class NamedTurns:
    """Locks like :class:`Turns`, one for each name; those in use are kept."""

    def __init__(self) -> None:
        """Create no lock yet."""
        self._guard = threading.Lock()
        self._turns: WeakValueDictionary[Hashable, Turns] = WeakValueDictionary()

    @contextmanager
    def turn(self, name: Hashable, moment: float | None = None) -> Iterator[None]:
        """Hold the lock of a name within the block.

        Raises:
            StoreBusy: as for :meth:`Turns.turn`.
        """
        with self._guard:
            turns = self._turns.get(name)
            if turns is None:
                turns = self._turns[name] = Turns()
        with turns.turn(moment):
            yield


class Turnstile:
    """The place of the process that gets the lock of a SQLite file next.

    A process waits for the file's lock only while it holds this one. It is a lock on the file's
    folder, so that no further file is needed. SQLite's locks are not affected: closing another
    descriptor of the file itself would release them (https://sqlite.org/howtocorrupt.html).
    """

    def __init__(self, folder: Path) -> None:
        """Take the folder, which is opened when the lock is first needed."""
        self._folder = folder
        self._descriptor = -1
        self._process = 0

    @contextmanager
    def turn(self, moment: float | None = None) -> Iterator[None]:
        """Hold the lock within the block; one thread of a process at a time.

        Raises:
            StoreBusy: another process holds it until ``moment`` of the monotonic clock, or for
                ``PATIENCE`` seconds if that is ``None``.
        """
        ends = time.monotonic() + seconds_until(moment)
        while not self._try():
            if time.monotonic() >= ends:
                raise StoreBusy("another process has been writing for too long")
            time.sleep(POLL_SECONDS)
        try:
            yield
        finally:
            if self._process:
                with suppress(OSError):
                    fcntl.flock(self._descriptor, fcntl.LOCK_UN)

    def __del__(self) -> None:
        self.close()

    def close(self) -> None:
        """Close the folder; it is opened again when the lock is needed."""
        if self._process == os.getpid():
            with suppress(OSError):
                os.close(self._descriptor)
        self._process = 0

    def _try(self) -> bool:
        try:
            # Each process opens the folder: a lock is shared with processes forked since.
            if self._process != os.getpid():
                self._descriptor = os.open(self._folder, os.O_RDONLY)
                self._process = os.getpid()
            fcntl.flock(self._descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        except OSError:
            # There is no such folder any more, or its file system has no such locks. SQLite's own
            # lock does without the order, and SQLite reports what is wrong with the file.
            return True
        return True


def seconds_until(moment: float | None) -> float:
    """Return the seconds until a moment of the monotonic clock; ``PATIENCE`` without one."""
    return PATIENCE if moment is None else max(moment - time.monotonic(), 0.0)
