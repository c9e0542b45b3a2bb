"""How much an answer holds: bytes of text, as MediaWiki measures a result."""

from __future__ import annotations

from types import NoneType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable

SHORT = frozenset({str, int})
"""The most frequent of what every version shows as it is."""
PLAIN = SHORT | {float, bool, NoneType}
"""What formatversion 2 shows as it is."""


def size_of(value: Any) -> int:
    """The bytes of text in a value, names not counted."""
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
    """The sizes of what is in an object or a list; most of it are short texts and numbers."""
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
