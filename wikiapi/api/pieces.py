"""Streaming of large answers: the response tree is serialised level by level while it is sent.

A plain copy of the whole tree would be nearly as large as the tree. Here only the containers of one
level are converted to plain form at a time; those below are :class:`Later` objects until they are
serialised.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from copy import copy
from dataclasses import dataclass, field
from types import NoneType
from typing import Any, AnyStr

from wikiapi.api.result import RawBody, Result

Convert = Callable[[Any], Any]
"""``to_version1`` or ``to_version2`` of :mod:`wikiapi.api.result`."""

_SHORT = frozenset({bool, float, int, NoneType})
_PER_ITEM = 8
"""Characters that are added for each item to the length of texts: names, numbers, punctuation."""
PIECE = 65_536
"""Approximate size of a piece in characters."""


class Later:
    """A container of the tree that has not been converted yet."""

    __slots__ = ("node",)

    def __init__(self, node: Any) -> None:
        """Take a dict, list or tuple in the tree."""
        self.node = node


def level(node: Any, convert: Convert) -> Any:
    """Return a container of the tree in plain form, with :class:`Later` objects for those inside.

    These need not be direct items of the result, because version 1 wraps some in another object.
    """
    held = list(node) if isinstance(node, tuple) else copy(node)
    for place, value in held.items() if isinstance(held, dict) else enumerate(held):
        if isinstance(value, dict | list | tuple):
            held[place] = Later(value)
    return convert(held)


def finished(plain: Any, convert: Convert) -> Any:
    """Return a part of the result of :func:`level` completely converted to plain form."""
    if isinstance(plain, Later):
        return convert(plain.node)
    if isinstance(plain, dict):
        return {name: finished(value, convert) for name, value in plain.items()}
    if isinstance(plain, list):
        return [finished(value, convert) for value in plain]
    return plain


def length(node: Any, most: int) -> int:
    """Return the approximate number of characters of a part of the tree, counted up to ``most``."""
    if isinstance(node, str):
        return len(node)
    total, waiting = 0, [node]
    while waiting and total <= most:
        held = waiting.pop()
        if isinstance(held, Later):
            held = held.node
        if isinstance(held, dict | list | tuple):
            total += len(held) * _PER_ITEM
            if total <= most:
                total += _add_up(held.values() if isinstance(held, dict) else held, waiting)
    return total


def _add_up(values: Iterable[Any], waiting: list[Any]) -> int:
    """Return the total length of texts; append values that may contain others to ``waiting``."""
    total = 0
    for value in values:
        kind = type(value)
        if kind is str:
            total += len(value)
        elif kind not in _SHORT:
            waiting.append(value)
    return total


def is_large(result: Result, most: int) -> bool:
    """Return whether an answer has more than ``most`` bytes of text.

    To be fast, this only considers what the result has counted, and texts in the objects of
    actions, such as the HTML of a page.
    """
    if result.exceeds(most):
        return True
    for value in result.root.values():
        if isinstance(value, dict):
            for text in value.values():
                if isinstance(text, str) and len(text) > most:
                    return True
    return False


def gathered(parts: Iterable[AnyStr]) -> Iterator[AnyStr]:
    """Yield the parts of a text joined to pieces of at least ``PIECE`` characters, but the last."""
    held: list[AnyStr] = []
    length = 0
    for part in parts:
        held.append(part)
        length += len(part)
        if length >= PIECE:
            yield part[:0].join(held)
            held.clear()
            length = 0
    if held:
        yield held[0][:0].join(held)


def slices(text: str, most: int = PIECE) -> Iterator[str]:
    """Yield a text in pieces of at most ``most`` characters."""
    for start in range(0, len(text), most):
        yield text[start : start + most]


@dataclass(frozen=True, slots=True)
class RawPieces(RawBody):
    """A raw body that is too large for memory, with ``pieces`` instead of ``body``.

    The iterator may query the store, within the request's deadlines. If a query fails the
    connection is closed, because the beginning has been sent already; all other work must therefore
    be done before.
    """

    pieces: Iterator[bytes] = field(default_factory=lambda: iter(()))
