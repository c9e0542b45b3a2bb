"""The calls that headings come from, which Parsoid's HTML edits instead of the page."""

from __future__ import annotations

from wikiapi.wikitext.block.headings import HeadingOrigin
from wikiapi.wikitext.parsoid.marks import BEGIN, END, has_marks, marks_in, start_of_trailing
from wikiapi.wikitext.parsoid.sources import CallSource, Sources
from wikiapi.wikitext.preprocess.nodes import Template


class OpenCalls:
    """The outermost calls of one text, for headings that are asked for in the text's order."""

    def __init__(self, text: str, sources: Sources) -> None:
        """Read the marks of a text."""
        self._sources = sources
        self._marks = iter(marks_in(text))
        self._next = next(self._marks, None)
        self._number: int | None = None
        self._count = 0
        """The number of headings of the open call so far."""

    def heading_origin(self, position: int, *, is_element: bool) -> HeadingOrigin | None:
        """Return the origin of a heading at a position; ``None`` if it is not from a call.

        A heading from a call is a section of the template that the page calls, also if the
        heading is from an argument. That of a parser function is no section of any page,
        nor is one that is written as an element.
        """
        while (mark := self._next) is not None and mark.start < position:
            if mark.kind == END and mark.number == self._number:
                self._number = None
            elif mark.kind == BEGIN and self._number is None and self._is_call(mark.number):
                self._number, self._count = mark.number, 0
            self._next = next(self._marks, None)
        if self._number is None:
            return None
        if is_element:
            return HeadingOrigin("", None, None)
        self._count += 1
        source = self._sources.get(self._number)
        title = source.title if isinstance(source, CallSource) else None
        return HeadingOrigin(f"T-{self._count}" if title else "", title, None)

    def _is_call(self, number: int) -> bool:
        source = self._sources.get(number)
        return isinstance(source, CallSource) and isinstance(source.node, Template)


def start_of_call(text: str, position: int) -> int:
    """Return where the calls begin that a position is at the start of, or the position."""
    if not has_marks(text):
        return position
    trailing = start_of_trailing(text[:position], " \t\n")
    begins = (mark.start for mark in marks_in(text[trailing:position]) if mark.kind == BEGIN)
    begin = next(begins, None)
    return position if begin is None else trailing + begin
