"""How much an answer holds, counted as closely as it takes to keep it below a ceiling.

What counts is bytes of text (:mod:`wikiapi.api.measure`), and hardly any answer comes near the
ceiling. Encoded as JSON, an object or a list is never shorter than the text in it, and is encoded
faster than it is measured: so it is measured only when that bound does not tell that it fits.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from types import NoneType
from typing import Any

import orjson


class Tally:
    """The count of one answer."""

    def __init__(self, plain: Callable[[Any], Any]) -> None:
        """Begin with nothing; ``plain`` makes a container of the answer plain for the encoder."""
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
        """Return whether more than so many bytes have been counted."""
        return self._size + self._bound > size and self.size > size

    def takes(self, value: Any, limit: int) -> bool:
        """Count a value if the total stays within a limit of bytes; return whether it does.

        A value that is counted must not be given more to hold before the next call of ``size``.
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
        """Return a bound of the value's size; none for what the encoder does not know."""
        try:
            # What containers of the answer show as takes no other space, and is long to ask for.
            return len(orjson.dumps(value))
        except orjson.JSONEncodeError:
            return self._longest_shown(value)

    def _longest_shown(self, value: Any) -> int | None:
        try:
            return len(orjson.dumps(value, self._plain, orjson.OPT_PASSTHROUGH_SUBCLASS))
        except orjson.JSONEncodeError:
            return None


SHORT = frozenset({str, int})
"""The most frequent of what every version shows as it is."""
PLAIN = SHORT | {float, bool, NoneType}
"""What formatversion 2 shows as it is."""


def size_of(value: Any) -> int:
    """Return the bytes of text in a value, names not counted."""
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
    """Return the sizes of the values of an object or a list, mostly short texts and numbers."""
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
