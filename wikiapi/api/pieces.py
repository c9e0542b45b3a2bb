"""Texts put together into pieces that are worth sending."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import AnyStr

from wikiapi.api.result import RawBody

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


@dataclass(frozen=True, slots=True)
class RawPieces(RawBody):
    """A raw body that is too large to be held: ``pieces`` take the place of ``body``.

    They may ask the store, within the request's deadlines. Should that fail the connection is cut,
    since the client has begun to read; so whoever gives them has done all else before.
    """

    pieces: Iterator[bytes] = field(default_factory=lambda: iter(()))
