"""Threads of which one runs at a time; the next one is drawn from the seed."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from random import Random

MAIN = "main"
_HANDS_OVER = (1.0, 0.3, 0.03)
"""Probabilities of a switch at a seam: small steps, or whole operations between switches."""


class Turns:
    """Switches between threads at the points where they call it.

    A thread that waits for anything else must use :meth:`wait_until`: if the running thread sleeps,
    no other one continues.
    """

    def __init__(self, draw: Random) -> None:
        """Draw the order from ``draw``."""
        self._draw, self._rate = draw, draw.choice(_HANDS_OVER)
        self._ready: dict[str, threading.Semaphore] = {}
        self._failures: list[BaseException] = []
        self._ended, self._threads = threading.Semaphore(0), list[threading.Thread]()
        """The thread that has ended, and not been joined."""
        self._own = threading.local()

    @property
    def name(self) -> str:
        """The name of the current thread."""
        return getattr(self._own, "name", MAIN)

    def run(self, works: Mapping[str, Callable[[], None]]) -> None:
        """Run functions in threads of these names; raise the first error after all have ended."""
        threads = [threading.Thread(target=self._run_thread, args=work) for work in works.items()]
        self._ready = {name: threading.Semaphore(0) for name in works}
        for thread in threads:
            thread.start()
        while self._ready:
            self._wake()
            self._ended.acquire()
            # Only then are its connections closed.
            self._threads.pop().join()
        for failure in self._failures:
            raise failure

    def pass_on(self) -> None:
        """Switch to another thread with the drawn probability."""
        if self._draw.random() < self._rate:
            self.hand_over()

    def wait_until(self, is_so: Callable[[], bool]) -> None:
        """Let other threads run until a condition is true."""
        while not is_so():
            self.hand_over()

    def hand_over(self) -> None:
        """Let a random thread run, possibly this one; return when it is this thread's turn."""
        if self.name in self._ready:
            self._wake()
            self._ready[self.name].acquire()

    def _wake(self) -> None:
        if self._ready:
            self._ready[self._draw.choice(list(self._ready))].release()

    def _run_thread(self, name: str, work: Callable[[], None]) -> None:
        self._own.name = name
        self._ready[name].acquire()
        try:
            work()
        except BaseException as failure:
            self._failures.append(failure)
        finally:
            del self._ready[name]
            self._threads.append(threading.current_thread())
            self._ended.release()


class TurnEvent:
    """Like :class:`threading.Event`, for threads that take turns; waiting never times out."""

    def __init__(self, turns: Turns) -> None:
        """Start unset."""
        self._turns, self._is_set = turns, False

    def set(self) -> None:
        self._is_set = True

    def wait(self, _: float | None = None) -> None:
        self._turns.wait_until(lambda: self._is_set)
