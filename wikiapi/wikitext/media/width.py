"""Sizes as they are written: ``120``, ``x120``, ``100x200``."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from wikiapi.wikitext.state import ParseState

LARGEST = 2**63 - 1
"""A size that is written with more digits counts as this."""

_WIDTH = re.compile(r"([0-9]*+)\s*+(?:(px)\s*+)?\Z", re.ASCII)
_BOX = re.compile(r"([0-9]*+)x([0-9]*+)\s*+(?:(px)\s*+)?\Z", re.ASCII)
_ENOUGH_DIGITS = 20


class WrittenSize(NamedTuple):
    """Width and height in pixels, ``None`` where not given or 0."""

    width: int | None = None
    height: int | None = None

    def __bool__(self) -> bool:
        """Whether there is any."""
        return bool(self.width or self.height)


def read_box(text: str, state: ParseState) -> WrittenSize:
    """A width, a height or both; nothing where the text is neither."""
    match = _BOX.match(text)
    if match is None:
        return read_width(text, state)
    _note_doubled(match[3], state)
    return WrittenSize(_pixels(match[1]), _pixels(match[2]))


def read_width(text: str, state: ParseState) -> WrittenSize:
    """A width alone."""
    match = _WIDTH.match(text) if text else None
    if match is None:
        return WrittenSize()
    _note_doubled(match[2], state)
    return WrittenSize(_pixels(match[1]))


def _note_doubled(unit: str | None, state: ParseState) -> None:
    """The unit has been taken off already; a second one is tolerated."""
    if unit:
        state.add_tracking_category("double-px-category")


def _pixels(digits: str) -> int | None:
    significant = digits.lstrip("0")
    if len(significant) >= _ENOUGH_DIGITS:
        return LARGEST
    return min(int(significant), LARGEST) if significant else None
