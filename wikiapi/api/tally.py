"""Counts the size of an answer, to keep it below a limit.

The size is the number of bytes of text (:func:`size_of`). Hardly any answer comes near the limit.
The JSON of an object or list is never shorter than the text in it, and is faster to generate than
the text is to measure. A value is therefore only measured if the length of its JSON exceeds the
limit.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from types import NoneType
from typing import Any

import orjson


class Tally:
    """The size of one answer."""

    def __init__(self, plain: Callable[[Any], Any]) -> None:
        """Start at 0; ``plain`` converts containers that the JSON encoder does not support."""
        self._plain = plain
        self._size = 0
        self._bound = 0
        self._unmeasured: list[Any] = []

    @property
    def size(self) -> int:
        """Bytes of text that have been counted."""
        if self._unmeasured:
            self._size += sum(map(size_of, self._unmeasured))
            self._bound = 0
            self._unmeasured.clear()
        return self._size

    def exceeds(self, size: int) -> bool:
        """Return whether more than ``size`` bytes have been counted."""
        return self._size + self._bound > size and self.size > size

    def add_if_fits(self, value: Any, limit: int) -> bool:
        """Count a value if the total stays within a limit in bytes; return whether it does.

        Nothing may be added to a counted value before ``size`` is read.
        """
        bound = self._longest(value)
        if bound is not None and self._size + self._bound + bound <= limit:
            self._bound += bound
            self._unmeasured.append(value)
            return True
        size = self.size + size_of(value)
        if size > limit:
            return False
        self._size = size
        return True

    def _longest(self, value: Any) -> int | None:
        """Return an upper bound of a value's size; None if it cannot be encoded."""
        try:
            # Subclasses of dict and list are encoded like these, without the slower conversion,
            # which does not change the size of the text.
            return len(orjson.dumps(value))
        except orjson.JSONEncodeError:
            try:
                return len(orjson.dumps(value, self._plain, orjson.OPT_PASSTHROUGH_SUBCLASS))
            except orjson.JSONEncodeError:
                return None


SHORT = frozenset({str, int})
"""The most frequent types of values that are the same in all format versions."""
PLAIN = SHORT | {float, bool, NoneType}
"""The types of values that formatversion 2 does not convert."""


def size_of(value: Any) -> int:
    """Return the number of bytes of text in a value, without names."""
    if isinstance(value, dict):
        return _total_size(value.values())
    if isinstance(value, list | tuple):
        return _total_size(value)
    if isinstance(value, str):
        return _length(value)
    if value is None or isinstance(value, bool):
        return int(value is True)
    return len(str(value))


def _total_size(values: Iterable[Any]) -> int:
    """Return the total size of the values of an object or a list."""
    total = 0
    for value in values:
        kind = type(value)
        if kind is str:
            total += len(value) if value.isascii() else _length(value)
        elif kind is int:
            total += len(str(value))
        elif value is not False and value is not None:
            total += size_of(value)
    return total


def _length(text: str) -> int:
    return len(text) if text.isascii() else len(text.encode("utf-8", "surrogatepass"))
