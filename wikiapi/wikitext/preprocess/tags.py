"""Finds where comments, extension tags and include tags end.

Failed searches are remembered, so that a text with many unclosed tags is still read in linear time.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_INCLUDE_TAGS = frozenset({"noinclude", "includeonly", "onlyinclude"})
_BLANKS = re.compile(r"[ \t]*")


@dataclass(frozen=True, slots=True)
class TagToken:
    """The token type of what begins with ``<name``, and where it ends."""

    type: str
    end: int


class TagScanner:
    """Finds the ends of comments and tags in one text."""

    def __init__(self, source: str, *, inclusion: bool) -> None:
        """Scan ``source``; ``inclusion`` says whether it is transcluded or shown as a page."""
        self._source = source
        self._only = inclusion and "<onlyinclude>" in source and "</onlyinclude>" in source
        self._ignored_element = "noinclude" if inclusion else "includeonly"
        names = ("includeonly",) if inclusion else ("noinclude", "onlyinclude")
        self._ignored_tags = frozenset({*names, *(f"/{name}" for name in names)})
        self._no_greater_than = False
        self._never_closed: set[str] = set()

    def comments(self, start: int, *, alone: bool) -> list[int]:
        """Return the end of a comment and, with ``alone``, of those that follow it directly."""
        ends = [self._comment_end(start)]
        while alone:
            position = blanks_end(self._source, ends[-1])
            if not self._source.startswith("<!--", position):
                break
            ends.append(self._comment_end(position))
        return ends

    def ends_line(self, position: int) -> bool:
        """Return whether only blanks follow on the line, and another line follows."""
        return self._source.startswith("\n", blanks_end(self._source, position))

    def _comment_end(self, start: int) -> int:
        position = self._source.find("-->", start + 4)
        return position + 3 if position >= 0 else len(self._source)

    def tag(self, start: int, name_end: int) -> TagToken | None:
        """Return the tag whose name ends at ``name_end``.

        Return ``None`` for an ``</onlyinclude>`` after which text is left out.
        """
        name = self._source[start + 1 : name_end].lower()
        if self._only and self._source.startswith("</onlyinclude>", start):
            return None
        is_include_tag = name.removeprefix("/") in _INCLUDE_TAGS
        end = -1
        if not is_include_tag or name in self._ignored_tags or name == self._ignored_element:
            end = -1 if self._no_greater_than else self._source.find(">", name_end)
            self._no_greater_than = end < 0
        if end < 0:
            return TagToken("TEXT", name_end)
        end += 1
        if name in self._ignored_tags:
            return TagToken("IGNORED", end)
        kind = "IGNORED" if name == self._ignored_element else "EXTENSION"
        if self._source[end - 2] == "/":
            return TagToken(kind, end)
        closing = self._closing_tag(name, end)
        if closing:
            return TagToken(kind, closing)
        if kind == "IGNORED":
            return TagToken(kind, len(self._source))
        return TagToken("TEXT", end)

    def _closing_tag(self, name: str, position: int) -> int:
        if name in self._never_closed:
            return 0
        pattern = rf"</{re.escape(name)}[ \t\n\r\f\v]*>"
        match = re.compile(pattern, re.IGNORECASE).search(self._source, position)
        if match:
            return match.end()
        self._never_closed.add(name)
        return 0

    def next_inclusion(self, start: int) -> int:
        """Return the end of the next ``<onlyinclude>``, or of the text if there is none.

        Return 0 if nothing is left out, because the text has no such parts or is not transcluded.
        """
        if not self._only:
            return 0
        opening = self._source.find("<onlyinclude>", start)
        return opening + len("<onlyinclude>") if opening >= 0 else len(self._source)


def blanks_end(source: str, position: int) -> int:
    """Return the position after the blanks, if any, at a position."""
    match = _BLANKS.match(source, position)
    return match.end() if match else position
