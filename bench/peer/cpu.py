"""Time by the clock and by the processors: the second holds whatever else runs."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Cost:
    """Seconds that programs took: by the clock, and of processor time on all cores together."""

    wall: float
    cpu: float


def cost_of(run: Callable[[], object]) -> Cost:
    """What the programs cost that a function starts and waits for."""
    start, used = time.perf_counter(), _children_cpu()
    run()
    return Cost(time.perf_counter() - start, _children_cpu() - used)


def _children_cpu() -> float:
    """Seconds that the finished child processes of this one have used, on all cores."""
    times = os.times()
    return times.children_user + times.children_system
