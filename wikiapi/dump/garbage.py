"""Makes garbage collection rare during imports, which create many objects but few cycles."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

_THRESHOLDS = (200_000, 20, 100)
"""The thresholds of the three generations, for :func:`gc.set_threshold`."""


@contextmanager
def collected_rarely() -> Iterator[None]:
    """Collect garbage rarely within the block."""
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
