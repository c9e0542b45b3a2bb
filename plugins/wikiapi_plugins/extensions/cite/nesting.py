"""Whether a footnote's text holds the start of another: its end tag was then forgotten."""

from __future__ import annotations

import re
import sys
from bisect import bisect_left
from collections import defaultdict

_START = re.compile(r"<ref(?:erences)?\b", re.IGNORECASE)
_CLOSE = re.compile(r"</(\w+)\s*>")
_TAG = re.compile(r"<(?:!--|(\w+))")
_NAMES = ("ref", "references")
_NEVER = sys.maxsize


def holds_open_ref(text: str) -> bool:
    """Whether a ``<ref>`` or ``<references>`` begins outside comments and pairs of tags."""
    return bool(_START.search(text)) and _Scan(text).finds_start()


class _Scan:
    """Goes through a text once, over every comment and pair of tags that is complete."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._closes: dict[str, list[tuple[int, int]]] = defaultdict(list)
        for match in _CLOSE.finditer(text):
            self._closes[match[1]].append(match.span())
        self._bracket = -1
        self._comment_end = -1

    def finds_start(self) -> bool:
        position = 0
        while match := _TAG.search(self._text, position):
            name = match[1]
            end = self._tag_end(match.end()) if name else match.end()
            if end < 0:
                return False
            over = self._pair_end(name, end) if name else self._comment_over(match.end())
            if over < 0 and name and name.lower() in _NAMES:
                return True
            position = match.end() if over < 0 else over
        return False

    def _tag_end(self, start: int) -> int:
        """Where the next ``>`` is; each is looked for once."""
        if self._bracket < start:
            self._bracket = self._text.find(">", start)
        return self._bracket

    def _comment_over(self, start: int) -> int:
        """Where a comment ends, -1 if it does not; each end is looked for once."""
        if self._comment_end < start:
            found = self._text.find("-->", start)
            self._comment_end = found + 3 if found >= 0 else _NEVER
        return self._comment_end if self._comment_end != _NEVER else -1

    def _pair_end(self, name: str, start: int) -> int:
        closes = self._closes.get(name, [])
        place = bisect_left(closes, (start, 0))
        return closes[place][1] if place < len(closes) else -1
