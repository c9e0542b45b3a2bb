"""Where the elements begin and end in the wikitext that a call shares with text around it.

The wikitext is searched for the markup that makes an element of the name. Calls and tags in it are
blank for that, since what they contain is no markup of the text around them.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

CALL, COMMENT, IGNORED = "\0", "\1", "\2"
"""The characters that calls and tags, comments, and include tags are replaced by."""
_NOTHING = f"{COMMENT}{IGNORED} \t"
_LIST_MARKS = ":;*#"
_LISTS: Mapping[str, str] = MappingProxyType({"ul": "*", "ol": "#", "dl": ":;"})
_ITEMS = frozenset({"li", "dd", "dt"})
_CELLS = frozenset({"td", "th", "caption"})
_LINES = frozenset({"p", "pre"})
_QUOTES = {"i": "''", "b": "'''"}
_CELL = re.compile(rf"^[ \t{COMMENT}]*(\||!)|\|\||(!!)", re.MULTILINE)
_TABLE = re.compile(
    rf"^[ \t:{COMMENT}]*(\{{\||\|\}})"
    r"|<(/?)table\b[^<>]*>",
    re.MULTILINE | re.IGNORECASE,
)


class _Element(NamedTuple):
    """Where an element begins and ends, and where its content ends; ``None`` if not closed."""

    start: int
    end: int | None
    inner_end: int | None


class _Elements(NamedTuple):
    """The elements of a name.

    ``positions`` are where they begin and end, ``innermost`` the innermost ones from there on, and
    ``closed`` where closing tags end without opening ones.
    """

    positions: list[int]
    innermost: list[_Element | None]
    closed: list[int]


class Extents:
    """Finds where elements begin and end in one text; every search is made once for the text."""

    def __init__(self, text: str) -> None:
        """Take the wikitext, with every character of calls, tags and comments replaced."""
        self._text = text
        self._elements: dict[str, _Elements] = {}
        self._cells: tuple[list[int], list[int]] | None = None

    def start(self, tag: str, position: int, lines: int, depth: int) -> int | None:
        """Return where the element begins that a position is in, or ``None`` if it is not found.

        Args:
            tag: the name of the element.
            position: a position in it.
            lines: the number of line ends in its text up to there.
            depth: the number of lists that are open there.
        """
        if tag in _LISTS or tag in _ITEMS:
            return self._list_start(tag, position, depth)
        if tag in _LINES:
            for _ in range(lines):
                position = max(0, self._text.rfind("\n", 0, position))
            return self._text.rfind("\n", 0, position) + 1
        if tag in _CELLS:
            starts, _ = self._cell_bounds()
            place = bisect_left(starts, position) - 1
            return starts[place] if place >= 0 else None
        if tag in _QUOTES:
            start = self._text.rfind(_QUOTES[tag], 0, position)
            return start if start >= 0 else None
        element = self._around(tag, position)
        return None if element is None else element.start

    def end(self, tag: str, position: int, lines: int, depth: int) -> int | None:
        """Return where the element ends that a position is in, or ``None`` if it is not found.

        The arguments are those of :meth:`start`; ``lines`` counts from the position on.
        """
        text = self._text
        if tag in _LISTS or tag in _ITEMS:
            return self._list_end(tag, position, depth)
        if tag in _LINES:
            start = end = position
            for _ in range(lines + 1):
                end = text.find("\n", position)
                end = len(text) if end < 0 else end
                start, position = position, end + 1
            # Elements at the end of a paragraph that show nothing are after it.
            return start + len(text[start:end].rstrip(_NOTHING)) if tag == "p" else end
        if tag in _CELLS:
            _, ends = self._cell_bounds()
            place = bisect_left(ends, position)
            return ends[place] if place < len(ends) else len(text)
        if tag in _QUOTES:
            start = text.find(_QUOTES[tag], position)
            return start + len(_QUOTES[tag]) if start >= 0 else None
        if tag == "tbody" and self._around(tag, position) is None:
            table = self._around("table", position)
            return None if table is None else table.inner_end
        element = self._around(tag, position)
        if element is not None:
            return len(text) if element.end is None else element.end
        # A call has opened the element.
        closed = self._elements[tag].closed
        place = bisect_right(closed, position)
        return closed[place] if place < len(closed) else None

    def _list_start(self, tag: str, position: int, depth: int) -> int:
        text = self._text
        start = text.rfind("\n", 0, position) + 1
        while start and self._belongs(tag, before := text.rfind("\n", 0, start - 1) + 1, depth):
            start = before
        return start

    def _list_end(self, tag: str, position: int, depth: int) -> int:
        text = self._text
        end = text.find("\n", position)
        while end >= 0 and self._belongs(tag, end + 1, depth):
            end = text.find("\n", end + 1)
        return len(text) if end < 0 else end

    def _belongs(self, tag: str, start: int, depth: int) -> bool:
        """Return whether the line at a position is in the same list or item, whose depth is given.

        Only lines with longer prefixes are in the same item.
        """
        line = self._text[start : start + depth + (tag not in _LISTS)]
        is_deep = not line.strip(_LIST_MARKS) and len(line) == depth + (tag not in _LISTS)
        return is_deep and line[depth - 1] in _LISTS.get(tag, _LIST_MARKS)

    def _cell_bounds(self) -> tuple[list[int], list[int]]:
        """Return where cells begin, and where they end at the latest."""
        if self._cells is None:
            starts: list[int] = []
            ends: list[int] = []
            is_header = False
            for match in _CELL.finditer(self._text):
                if match[1]:
                    is_header = match[1] == "!"
                    ends.append(max(0, match.start() - 1))
                    starts.append(match.start(1))
                elif not match[2] or is_header:
                    ends.append(match.start())
                    starts.append(match.start())
            self._cells = starts, ends
        return self._cells

    def _around(self, tag: str, position: int) -> _Element | None:
        """Return the innermost element of a name that a position is in."""
        if tag not in self._elements:
            self._elements[tag] = self._read_elements(tag)
        positions, innermost, _ = self._elements[tag]
        place = bisect_right(positions, position) - 1
        return innermost[place] if place >= 0 else None

    def _read_elements(self, tag: str) -> _Elements:
        """Return the elements of a name."""
        pattern = _TABLE if tag == "table" else re.compile(rf"()<(/?){tag}\b[^<>]*>", re.IGNORECASE)
        positions: list[int] = []
        closed: list[int] = []
        changes: list[list[int | None]] = []
        stack: list[list[int | None]] = []
        nothing: list[int | None] = []
        for match in pattern.finditer(self._text):
            start = match.start(1) if match[1] else match.start()
            if match[1] == "|}" or match[2]:
                if stack:
                    stack.pop()[1:] = match.end(), start
                else:
                    closed.append(match.end())
                positions.append(match.end())
            else:
                element: list[int | None] = [start, None, None]
                stack.append(element)
                positions.append(start)
            changes.append(stack[-1] if stack else nothing)
        innermost = [_Element(each[0] or 0, *each[1:]) if each else None for each in changes]
        return _Elements(positions, innermost, closed)
