"""Keeping the memory of a process with threads from growing without being used.

glibc gives each thread a heap of its own (up to eight for each core). What one thread allocates and
another frees leaves holes that neither fills, so that a server's memory grows for hours while what
Python holds stays the same. Python computes in one thread at a time, which therefore loses nothing
when all share one heap (https://man7.org/linux/man-pages/man3/mallopt.3.html).
"""

from __future__ import annotations

import ctypes
import gc
import os
import sys
from contextlib import suppress

_ARENA_MAX = -8
_THRESHOLDS = (10_000, 10, 10)
"""Allocations after which young objects are looked through; how often older ones are with them."""
_SETTING = "MALLOC_ARENA_MAX"
"""The variable by which an administrator tells glibc the same; it has the last word."""


def share_heap() -> None:
    """Have all threads that start from now on allocate from one heap, where the C library can."""
    if sys.platform == "linux" and _SETTING not in os.environ:
        with suppress(AttributeError, OSError):  # other C libraries have one heap anyway
            ctypes.CDLL(None).mallopt(_ARENA_MAX, 1)


def keep_heap() -> None:
    """Have the garbage collector leave alone what start-up has made, which stays for good.

    It would otherwise look through all of it every few requests, for some tens of milliseconds.
    What a request makes is mostly gone by the time its answer is sent, so that is looked through
    less often than usual too.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(*_THRESHOLDS)
