"""Ids of elements: ``mw`` and a serial number in base64.

What a page's source says is numbered first, in document order; then what was added around it, with
the numbers that are free.
"""

from __future__ import annotations

from base64 import urlsafe_b64encode
from itertools import count
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from selectolax.lexbor import LexborNode

_BITS = 8


def element_id(serial: int) -> str:
    """The id that a serial number, from 0 on, gives."""
    length = max(1, -(-serial.bit_length() // _BITS))
    return "mw" + urlsafe_b64encode(serial.to_bytes(length)).decode().rstrip("=")


class ElementIds:
    """The ids of one document. Number 0 is the body's, which is not shown."""

    def __init__(self) -> None:
        """Begin at the first element."""
        self._next = 1
        self._free = [0]

    def take(self) -> str:
        """The id of the next element of the source."""
        self._next += 1
        return element_id(self._next - 1)

    def skip(self) -> None:
        """Pass over an element that something else will stand for: its number is free again."""
        self._free.append(self._next)
        self._next += 1

    def name(self, nodes: Iterable[LexborNode]) -> None:
        """Give ids to those of the source's elements that have none."""
        for node in nodes:
            if "id" not in node.attributes:
                node.attrs["id"] = self.take()

    def name_added(self, nodes: Iterable[LexborNode]) -> None:
        """Give ids to elements around the source, when all of the source's have theirs."""
        serials = self._remaining()
        for node in nodes:
            if "id" not in node.attributes:
                node.attrs["id"] = element_id(next(serials))

    def _remaining(self) -> Iterator[int]:
        yield from self._free
        yield from count(self._next)
