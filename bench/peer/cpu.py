"""Elapsed time and CPU time; the latter does not depend on other processes."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Cost:
    """The elapsed time of programs and their CPU time on all cores, in seconds."""

    wall: float
    cpu: float


def cost_of(run: Callable[[], object]) -> Cost:
    """Return the cost of the programs that a function starts and waits for."""
    start, used = time.perf_counter(), _children_cpu()
    run()
    return Cost(time.perf_counter() - start, _children_cpu() - used)


def _children_cpu() -> float:
    """Return the CPU seconds of this process's finished children, on all cores."""
    times = os.times()
    return times.children_user + times.children_system
