"""Whether a footnote's text holds the start of another: its end tag was then forgotten."""

from __future__ import annotations

import re
import sys
from bisect import bisect_left
from collections import defaultdict

_START = re.compile(r"<ref(?:erences)?\b", re.IGNORECASE)
_CLOSE = re.compile(r"</(\w+)\s*>")
_OPEN = re.compile(r"<(?:!--|(\w+))")
_NEVER = sys.maxsize


def holds_open_ref(text: str) -> bool:
    """Whether a ``<ref>`` or ``<references>`` begins outside comments and pairs of tags."""
    if not _START.search(text):
        return False
    rest = _Scan(text).rest()
    return bool(_START.search(rest, 0, max(0, rest.rfind(">"))))


class _Scan:
    """Goes through a text once, over every comment and pair of tags that is complete."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._closes: dict[str, list[tuple[int, int]]] = defaultdict(list)
        for match in _CLOSE.finditer(text):
            self._closes[match[1]].append(match.span())
        self._found: dict[str, int] = {}

    def rest(self) -> str:
        """The text without them."""
        kept = []
        position = done = 0
        while match := _OPEN.search(self._text, position):
            position = match.end()
            end = self._pair_end(match[1], position) if match[1] else self._next("-->", position)
            if end != _NEVER:
                kept.append(self._text[done : match.start()])
                position = done = end
        return "".join([*kept, self._text[done:]])

    def _next(self, mark: str, start: int) -> int:
        """Where the next such mark ends; each is looked for once."""
        if self._found.get(mark, 0) < start + len(mark):
            place = self._text.find(mark, start)
            self._found[mark] = place + len(mark) if place >= 0 else _NEVER
        return self._found[mark]

    def _pair_end(self, name: str, start: int) -> int:
        closes = self._closes.get(name, [])
        place = bisect_left(closes, (self._next(">", start), 0))
        return closes[place][1] if place < len(closes) else _NEVER
