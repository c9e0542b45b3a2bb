"""Elapsed time and CPU time; the latter does not depend on other processes."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass

from bench.memory import descendants


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


def cpu_of(process: int) -> float:
    """Return the CPU seconds of a running process and of its running descendants, on all cores."""
    return sum(map(_cpu, (str(process), *descendants(process))))


def _cpu(process: str) -> float:
    # The number of another process's clock, see clock_getcpuclockid(3) on Linux. It is exact, while
    # /proc/PID/stat counts hundredths of a second.
    with suppress(OSError):
        return time.clock_gettime(~int(process) << 3 | 2)
    return 0.0


def _children_cpu() -> float:
    """Return the CPU seconds of this process's finished children, on all cores."""
    times = os.times()
    return times.children_user + times.children_system
