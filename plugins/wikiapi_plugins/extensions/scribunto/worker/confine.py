"""What a worker may not do, whatever becomes of the Lua in it.

It gives up rights, files, sockets and processes for good. What a system does not have is left out:
limits are everywhere, the rest is Linux.
"""

from __future__ import annotations

import gc
import os
import resource
import signal
from contextlib import suppress
from time import process_time

try:
    import ctypes

    from .seccomp import refuse_calls
except ImportError:  # Some builds of Python have no ctypes.
    ctypes = None  # type: ignore[assignment]

_NONE = 0
_NOBODY = 65534
_NAMESPACES = 0x10000000 | 0x40000000 | 0x08000000 | 0x00020000
"""Of users, networks, communication between processes, and mounts: see ``unshare(2)``."""


def confine(memory: int) -> None:
    """Give up what a worker never needs, once all its code is loaded.

    Args:
        memory: bytes of address space beyond what is in use now.
    """
    in_use = _address_space()
    _be_nobody()
    for limit, value in (
        (resource.RLIMIT_CORE, _NONE),
        (resource.RLIMIT_FSIZE, _NONE),
        (resource.RLIMIT_NOFILE, _NONE),
        (resource.RLIMIT_NPROC, _NONE),
        (resource.RLIMIT_AS, in_use + memory),
    ):
        _lower(limit, value)
    gc.freeze()
    if ctypes and not refuse_calls():
        _leave_namespaces()


def _be_nobody() -> None:
    """Run as a user without rights, where we are root."""
    if os.geteuid() == 0:
        # Root of a container may lack the right to do that.
        with suppress(OSError):
            os.setgroups([])
            os.setgid(_NOBODY)
            os.setuid(_NOBODY)


def _leave_namespaces() -> None:
    """Enter empty namespaces for networks and the like, if that is permitted."""
    unshare = getattr(ctypes.CDLL(None), "unshare", None)
    if unshare is not None:
        unshare(_NAMESPACES)


def _lower(limit: int, value: int) -> None:
    _, hard = resource.getrlimit(limit)
    allowed = value if hard == resource.RLIM_INFINITY else min(value, hard)
    # Not every system has every limit.
    with suppress(ValueError, OSError):
        resource.setrlimit(limit, (allowed, allowed))


def _address_space() -> int:
    """Return the bytes of address space in use; a generous guess if they are not known."""
    try:
        with open("/proc/self/statm", encoding="ascii") as file:  # noqa: PTH123
            return int(file.read().split()[0]) * resource.getpagesize()
    except OSError:
        return 1 << 30


class CpuBudget:
    """The kernel ends the process when its CPU time for a page is used up."""

    def __init__(self) -> None:
        """Create the counter."""
        self._end = 0.0

    def start(self, seconds: float) -> None:
        """Count down from now."""
        self._end = process_time() + seconds
        signal.setitimer(signal.ITIMER_PROF, max(seconds, 0.001))

    def stop(self) -> float:
        """Stop, and return the seconds that are left. The timer itself would round them up."""
        signal.setitimer(signal.ITIMER_PROF, 0)
        return self._end - process_time()
