"""What a worker may not do, whatever becomes of the Lua in it."""

from __future__ import annotations

import gc
import resource
import signal
from contextlib import suppress
from time import process_time

_NONE = 0


def confine(memory: int) -> None:
    """Give up what a worker never needs: more files, processes, output to disk, core dumps.

    Args:
        memory: bytes of address space beyond what is in use now.
    """
    in_use = _address_space()
    for limit, value in (
        (resource.RLIMIT_CORE, _NONE),
        (resource.RLIMIT_FSIZE, _NONE),
        (resource.RLIMIT_NOFILE, _NONE),
        (resource.RLIMIT_NPROC, _NONE),
        (resource.RLIMIT_AS, in_use + memory),
    ):
        _lower(limit, value)
    gc.freeze()


def _lower(limit: int, value: int) -> None:
    _, hard = resource.getrlimit(limit)
    wanted = value if hard == resource.RLIM_INFINITY else min(value, hard)
    # Not every system has every limit.
    with suppress(ValueError, OSError):
        resource.setrlimit(limit, (wanted, wanted))


def _address_space() -> int:
    """Bytes of address space in use; a generous guess where the system does not tell."""
    try:
        with open("/proc/self/statm", encoding="ascii") as file:  # noqa: PTH123
            return int(file.read().split()[0]) * resource.getpagesize()
    except OSError:
        return 1 << 30


class CpuBudget:
    """The kernel ends the process when its CPU time for a page is used up."""

    def __init__(self) -> None:
        """Nothing is counted yet."""
        self._end = 0.0

    def start(self, seconds: float) -> None:
        """Count down from now."""
        self._end = process_time() + seconds
        signal.setitimer(signal.ITIMER_PROF, max(seconds, 0.001))

    def stop(self) -> float:
        """Stop, and tell the seconds that are left. The timer itself would round them up."""
        signal.setitimer(signal.ITIMER_PROF, 0)
        return self._end - process_time()
