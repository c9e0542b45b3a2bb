"""Whether something takes longer than its input is long, told from times on a busy machine."""

from __future__ import annotations

import gc
import math
import signal
import time
from collections.abc import Callable
from typing import Any, Self

Run = Callable[[Any], object]
Make = Callable[[int], Any]

LARGEST_GROWTH = 8.0
"""What is linear takes four times as much 4 times as long, what is quadratic 16 times."""
_LONG_ENOUGH = 0.004
"""Seconds from which a time says something."""
_ROUNDS = 3
"""Any single time may be spoilt by what else the machine does."""


class Stopwatch:
    """Measures the time of the processor, and breaks off what takes too long.

    Within the main thread only, and as a context: garbage is left alone meanwhile.
    """

    def __init__(self, patience: float) -> None:
        """Wait for so many seconds of the processor at most."""
        self.patience = patience

    def __enter__(self) -> Self:
        self._handler = signal.signal(signal.SIGVTALRM, _break_off)
        gc.disable()
        return self

    def __exit__(self, *_: object) -> None:
        gc.enable()
        signal.signal(signal.SIGVTALRM, self._handler)

    def seconds(self, run: Run, value: Any, rounds: int = 1) -> float:
        """Return the shortest time of some rounds; infinite if one was aborted."""
        return min(self._once(run, value) for _ in range(rounds))

    def growth(self, run: Run, make: Make, size: int, largest: int) -> list[float]:
        """Return the times of an input, one twice and one four times as long; none if they are
        linear.

        What looks bad is measured again.

        Args:
            run: what to measure.
            make: makes an input of a size.
            size: the size to begin with; it is doubled until times are long enough to compare.
            largest: the size from which on there is nothing to fear.
        """
        times: list[float] = []
        for _ in range(_ROUNDS):
            while (first := self.seconds(run, make(size), _ROUNDS)) < _LONG_ENOUGH:
                size *= 2
                if size > largest:
                    return []
            times = [first]
            for more in (2, 4):
                times.append(self.seconds(run, make(size * more), _ROUNDS))
                if times[-1] == math.inf:
                    return times
            if times[-1] <= LARGEST_GROWTH * first:
                return []
        return times

    def _once(self, run: Run, value: Any) -> float:
        signal.setitimer(signal.ITIMER_VIRTUAL, self.patience)
        # Where such a timer runs, Linux may count the time of the process in ticks of 4 ms.
        start = time.thread_time()
        try:
            run(value)
            return time.thread_time() - start
        except _BrokenOff:
            return math.inf
        finally:
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)


class _BrokenOff(BaseException):
    """Not an Exception: what is measured must not catch it."""


def _break_off(*_: object) -> None:
    raise _BrokenOff
