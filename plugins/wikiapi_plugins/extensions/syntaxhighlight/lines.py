"""The attributes that speak of lines: where numbers start and which lines stand out."""

from __future__ import annotations

import re

_NUMBER = re.compile(r"\s*([0-9]{1,9})\s*\Z", re.ASCII)
_RANGE = re.compile(r"\s*([0-9]{1,9})\s*-\s*([0-9]{1,9})\s*\Z", re.ASCII)
MAX_LINES = 1000
"""More highlighted lines than these are not followed."""


def first_number(text: str | None) -> int:
    """The number of the first line: 1 unless a number is given."""
    match = _NUMBER.match(text or "")
    return int(match[1]) if match else 1


def marked_lines(text: str | None, total: int) -> frozenset[int]:
    """The lines named by ``1,3-5``, counted from 1, of which there are ``total``."""
    marked: set[int] = set()
    for item in (text or "").split(",")[:MAX_LINES]:
        first, last = _span(item)
        marked.update(range(max(first, 1), min(last, total, first + MAX_LINES) + 1))
        if len(marked) >= MAX_LINES:
            break
    return frozenset(marked)


def _span(item: str) -> tuple[int, int]:
    """The first and last line of one item; (1, 0), which is none, if it cannot be read."""
    if match := _NUMBER.match(item):
        return int(match[1]), int(match[1])
    if match := _RANGE.match(item):
        return int(match[1]), int(match[2])
    return 1, 0
