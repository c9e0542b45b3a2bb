"""When memory is looked through for cycles while much is made and little of it has any."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

_THRESHOLDS = (200_000, 20, 100)
"""New objects before the young are looked at; then how often the older are, too."""


@contextmanager
def collected_rarely() -> Iterator[None]:
    """Have the collector look seldom: records and links hold no cycles, but are so many."""
    usual = gc.get_threshold()
    gc.freeze()
    gc.set_threshold(*_THRESHOLDS)
    try:
        yield
    finally:
        gc.set_threshold(*usual)
        gc.unfreeze()
