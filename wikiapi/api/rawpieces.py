"""A body for the whole answer that is made while it is sent."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from wikiapi.api.result import RawBody

if TYPE_CHECKING:
    from collections.abc import Iterator


@dataclass(frozen=True, slots=True)
class RawPieces(RawBody):
    """A raw body that is too large to be held: ``pieces`` take the place of ``body``.

    They may ask the store, within the request's deadlines. Should that fail the connection is cut,
    since the client has begun to read; so whoever gives them has done all else before.
    """

    pieces: Iterator[bytes] = field(default_factory=lambda: iter(()))
