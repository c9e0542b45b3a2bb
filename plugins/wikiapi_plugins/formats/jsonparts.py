"""A large tree as JSON in parts, no more than one of which is in memory at a time.

What is small is encoded at once, since an encoder is fastest when it is called least; only what is
large is taken apart.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from wikiapi.api.levels import Later, finished, length, level
from wikiapi.api.pieces import PIECE, slices

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    Members = dict[Any, Any] | list[Any]


class JsonParts:
    """Writes trees in one version and one encoding."""

    def __init__(
        self, convert: Callable[[Any], Any], encode: Callable[[Any], bytes], most: int = PIECE
    ) -> None:
        """Take what makes a tree plain, and what writes plain data in UTF-8 without white space.

        ``most`` is how many characters are small, more or less.
        """
        self._convert = convert
        self._encode = encode
        self._most = most

    def of(self, root: Any) -> Iterator[bytes]:
        """The parts of a tree: together what ``encode(convert(root))`` gives."""
        return self._value(Later(root))

    def _value(self, value: Any) -> Iterator[bytes]:
        if length(value, self._most) <= self._most:
            yield self._encode(finished(value, self._convert))
        elif isinstance(value, str):
            yield b'"'
            yield from (self._encode(piece)[1:-1] for piece in slices(value, self._most))
            yield b'"'
        else:
            plain = level(value.node, self._convert) if isinstance(value, Later) else value
            yield from self._container(plain)

    def _container(self, plain: Any) -> Iterator[bytes]:
        """An object or a list that is too large to be encoded at once."""
        begin, end = (b"{", b"}") if isinstance(plain, dict) else (b"[", b"]")
        yield begin
        comma = b""
        for group in _groups(plain, self._most):
            yield comma
            yield from self._members(group)
            comma = b","
        yield end

    def _members(self, group: Members) -> Iterator[bytes]:
        """Successive members, as they stand between brackets."""
        if len(group) > 1:
            yield self._encode(finished(group, self._convert))[1:-1]
        elif isinstance(group, dict):
            ((name, value),) = group.items()
            yield self._encode({name: 0})[1:-2]
            yield from self._value(value)
        else:
            yield from self._value(group[0])


def _groups(plain: Members, most: int) -> Iterable[Members]:
    """The members of an object or a list in order, those that are small together."""
    if isinstance(plain, dict):
        names = iter(plain)
        for values in _runs(plain.values(), most):
            yield {name: value for value, name in zip(values, names, strict=False)}
    else:
        yield from _runs(plain, most)


def _runs(values: Iterable[Any], most: int) -> Iterator[list[Any]]:
    """Runs of values; none is longer than so much unless it is a single value."""
    run: list[Any] = []
    total = 0
    for value in values:
        grown = length(value, most)
        if run and total + grown > most:
            yield run
            run, total = [], 0
        run.append(value)
        total += grown
    if run:
        yield run
