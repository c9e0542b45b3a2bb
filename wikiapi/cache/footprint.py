"""What a value takes in memory, so that a cache's ceiling is one of bytes."""

from __future__ import annotations

import gc
from sys import getsizeof
from types import BuiltinFunctionType, FunctionType, ModuleType

_CODE = (type, ModuleType, FunctionType, BuiltinFunctionType)
"""What values refer to, but do not bring with them."""


def footprint(value: object, *, shared: tuple[type, ...] = ()) -> int:
    """Bytes that a value takes with all that it refers to.

    Each object counts once; classes, modules and functions do not, nor objects of the types
    ``shared``, with what these refer to.
    """
    apart = (*_CODE, *shared)
    seen: set[int] = set()
    size, waiting = 0, [value]
    while waiting:
        found = waiting.pop()
        if id(found) in seen or isinstance(found, apart):
            continue
        seen.add(id(found))
        size += getsizeof(found)
        waiting += gc.get_referents(found)
    return size
