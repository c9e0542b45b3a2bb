"""Texts put together into pieces that are worth sending."""

from __future__ import annotations

from typing import TYPE_CHECKING, AnyStr

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

PIECE = 65_536
"""Characters of text that go into one piece, more or less."""


def gathered(parts: Iterable[AnyStr]) -> Iterator[AnyStr]:
    """The parts of a text in pieces of at least ``PIECE`` characters, but for the last."""
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
    """A text in pieces of so many characters at most."""
    for start in range(0, len(text), most):
        yield text[start : start + most]
