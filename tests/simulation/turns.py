"""Threads of which one runs at a time; which is next is drawn."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from random import Random

MAIN = "main"
_HANDS_OVER = (1.0, 0.3, 0.03)
"""How often a thread hands over where it may: small steps, or whole operations between others'."""


class Turns:
    """Hands over from thread to thread, where they ask for it.

    What is blocked for another reason must come through :meth:`wait_until`: no thread goes on
    while the one that runs is asleep.
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
        """Which thread this is."""
        return getattr(self._own, "name", MAIN)

    def run(self, works: Mapping[str, Callable[[], None]]) -> None:
        """Run each function in a thread of a name, until all have ended; raise what one raised."""
        threads = [threading.Thread(target=self._live, args=work) for work in works.items()]
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
        """Hand over, as often as is drawn."""
        if self._draw.random() < self._rate:
            self.hand_over()

    def wait_until(self, is_so: Callable[[], bool]) -> None:
        """Let others run until something is so."""
        while not is_so():
            self.hand_over()

    def hand_over(self) -> None:
        """Let the drawn thread run, which may be this one; return when it is this one's turn."""
        if self.name in self._ready:
            self._wake()
            self._ready[self.name].acquire()

    def _wake(self) -> None:
        if self._ready:
            self._ready[self._draw.choice(list(self._ready))].release()

    def _live(self, name: str, work: Callable[[], None]) -> None:
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
    """As :class:`threading.Event`, for threads that take turns; nobody loses patience."""

    def __init__(self, turns: Turns) -> None:
        """Be unset."""
        self._turns, self._is_set = turns, False

    def set(self) -> None:
        self._is_set = True

    def wait(self, _: float | None = None) -> None:
        self._turns.wait_until(lambda: self._is_set)
