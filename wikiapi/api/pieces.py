"""Large answers in pieces: the response tree is serialised level by level while it is sent.

A plain copy of a whole tree is nearly as large as the tree. Here only the containers of one level
are in plain form at a time; those below wait as :class:`Later` until it is their turn.
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
"""Characters that an item counts for beside its text: names, numbers, punctuation."""
PIECE = 65_536
"""Characters of text that go into one piece, more or less."""


class Later:
    """A container of the tree that has not been converted yet."""

    __slots__ = ("node",)

    def __init__(self, node: Any) -> None:
        """Take a dict, list or tuple of the tree."""
        self.node = node


def level(node: Any, convert: Convert) -> Any:
    """Return a container of the tree in plain form; those that it holds are :class:`Later` in it.

    They need not be its direct items: version 1 puts some into an object of their own.
    """
    held = list(node) if isinstance(node, tuple) else copy(node)
    for place, value in _places(held):
        if isinstance(value, dict | list | tuple):
            held[place] = Later(value)
    return convert(held)


def finished(plain: Any, convert: Convert) -> Any:
    """Return a part of what :func:`level` gave in plain form to the last item."""
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
    """Return the characters of texts; what may hold others is put on the list."""
    total = 0
    for value in values:
        kind = type(value)
        if kind is str:
            total += len(value)
        elif kind not in _SHORT:
            waiting.append(value)
    return total


def is_large(result: Result, most: int) -> bool:
    """Return whether an answer has more than a number of bytes of text, at little cost.

    What is not counted while it is added is looked at where a long text may be: in an action's own
    object, as the HTML of a page is.
    """
    if result.exceeds(most):
        return True
    for value in result.root.values():
        if isinstance(value, dict):
            for text in value.values():
                if isinstance(text, str) and len(text) > most:
                    return True
    return False


def _places(held: Any) -> Iterable[tuple[Any, Any]]:
    return held.items() if isinstance(held, dict) else enumerate(held)


def gathered(parts: Iterable[AnyStr]) -> Iterator[AnyStr]:
    """Yield the parts of a text in pieces of at least ``PIECE`` characters, but for the last."""
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
    """Yield a text in pieces of so many characters at most."""
    for start in range(0, len(text), most):
        yield text[start : start + most]


@dataclass(frozen=True, slots=True)
class RawPieces(RawBody):
    """A raw body that is too large to be held: ``pieces`` take the place of ``body``.

    They may ask the store, within the request's deadlines. Should that fail the connection is cut,
    since the client has begun to read; so whoever gives them has done all else before.
    """

    pieces: Iterator[bytes] = field(default_factory=lambda: iter(()))
