"""The sandbox of a worker process, which confines it even if a module exploits a bug of Lua.

The process permanently gives up privileges, files, sockets and the creation of processes. Resource
limits apply on every system; everything else requires Linux.
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

    from .seccomp import install_filter
except ImportError:  # Some builds of Python have no ctypes.
    ctypes = None  # type: ignore[assignment]

_NONE = 0
_NOBODY = 65534
_NAMESPACE_FLAGS = 0x10000000 | 0x40000000 | 0x08000000 | 0x00020000
"""New namespaces for users, networks, interprocess communication and mounts: ``unshare(2)``."""


def confine(memory: int) -> None:
    """Give up everything that a worker does not need; call this when all code has been loaded.

    Args:
        memory: bytes of address space allowed beyond what is in use now.
    """
    in_use = _address_space()
    if os.geteuid() == 0:
        # In a container, root may lack the required capability.
        with suppress(OSError):
            os.setgroups([])
            os.setgid(_NOBODY)
            os.setuid(_NOBODY)
    for limit, value in (
        (resource.RLIMIT_CORE, _NONE),
        (resource.RLIMIT_FSIZE, _NONE),
        (resource.RLIMIT_NOFILE, _NONE),
        (resource.RLIMIT_NPROC, _NONE),
        (resource.RLIMIT_AS, in_use + memory),
    ):
        _, hard = resource.getrlimit(limit)
        allowed = value if hard == resource.RLIM_INFINITY else min(value, hard)
        # Some systems do not support all of the limits.
        with suppress(ValueError, OSError):
            resource.setrlimit(limit, (allowed, allowed))
    gc.freeze()
    if ctypes and not install_filter():
        # New namespaces have no network.
        unshare = getattr(ctypes.CDLL(None), "unshare", None)
        if unshare is not None:
            unshare(_NAMESPACE_FLAGS)


def _address_space() -> int:
    """Return the size of the address space in bytes, or a generous estimate if it is unknown."""
    try:
        with open("/proc/self/statm", encoding="ascii") as file:  # noqa: PTH123
            return int(file.read().split()[0]) * resource.getpagesize()
    except OSError:
        return 1 << 30


class CpuBudget:
    """A CPU time limit; when it is exceeded, the kernel kills the process."""

    def __init__(self) -> None:
        """Create a budget that is not running."""
        self._end = 0.0

    def start(self, seconds: float) -> None:
        """Allow the process a number of seconds of CPU time from now on."""
        self._end = process_time() + seconds
        signal.setitimer(signal.ITIMER_PROF, max(seconds, 0.001))

    def stop(self) -> float:
        """Remove the limit, and return the seconds that are left.

        They are computed, since the timer would round them up.
        """
        signal.setitimer(signal.ITIMER_PROF, 0)
        return self._end - process_time()
