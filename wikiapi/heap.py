"""Garbage: when it is collected, and giving unused memory back to the operating system."""

from __future__ import annotations

import ctypes
import gc
import traceback
from collections.abc import Iterator
from contextlib import contextmanager, suppress

_THRESHOLDS = (200_000, 20, 100)
"""The thresholds of the three generations, for :func:`gc.set_threshold`."""


def give_back() -> None:
    """Free unused objects, and return unused memory to the operating system.

    Renderings refer to themselves, so that their memory waits for the garbage collector, which
    counts objects and not bytes. glibc keeps free memory below memory that is in use; other C
    libraries have no such function and no such need.
    """
    gc.collect()
    with suppress(AttributeError, OSError):
        ctypes.CDLL(None).malloc_trim(0)


def clear_locals(error: BaseException) -> None:
    """Remove the references from the finished functions of an exception's traceback to objects."""
    chain: BaseException | None = error
    while chain is not None:
        traceback.clear_frames(chain.__traceback__)
        chain = chain.__context__


@contextmanager
def collected_rarely() -> Iterator[None]:
    """Collect garbage rarely within the block, such as an import, which makes few cycles."""
    usual = gc.get_threshold()
    collect_rarely()
    try:
        yield
    finally:
        gc.set_threshold(*usual)
        gc.unfreeze()


def collect_rarely() -> None:
    """Collect garbage rarely from now on, in a process that only imports."""
    gc.freeze()
    gc.set_threshold(*_THRESHOLDS)
