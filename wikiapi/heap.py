"""Gives memory that is no longer used back to the operating system."""

from __future__ import annotations

import ctypes
import gc
import traceback
from contextlib import suppress


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
