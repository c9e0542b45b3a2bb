"""Headings: conversion of ``== text ==`` to ``<h2>``, their origins, numbers and ids."""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import NamedTuple

from wikiapi.temporary import temporary_attribute
from wikiapi.title.title import Title
from wikiapi.wikitext.expand.strip import MARKER, PREFIX, StripState
from wikiapi.wikitext.parsoid.marks import around_marks, has_marks, split_marks
from wikiapi.wikitext.preprocess.nodes import Content, Heading
from wikiapi.wikitext.syntax import LINE_SPACE

TOC_MARK = '<meta property="mw:PageProp/toc" />'
"""Stands for the table of contents."""
_MAX_LEVEL = 6
FROM_EQUALS = " data-mw-equals"
"""Attribute that distinguishes headings with ``=`` from elements, until sections are numbered.

It is used for Parsoid's HTML only.
"""


def mark_headings(text: str, *, parsoid: bool = False) -> str:
    """Return the text with headings as ``<hN>`` elements.

    Empty lines after headings are removed, except for Parsoid's HTML.
    """
    if "=" not in text:
        return text
    lines = text.split("\n")
    if parsoid:
        return "\n".join(
            [
                _marked_heading(line) if line.startswith(_MAY_BEGIN) and "=" in line else line
                for line in lines
            ]
        )
    out: list[str] = []
    after_heading = False
    for line in lines:
        heading = _heading(line) if line.startswith("=") else ""
        if not after_heading or line.strip(LINE_SPACE):
            out.append(heading or line)
            after_heading = bool(heading)
    return "\n".join(out)


_MAY_BEGIN = ("=", PREFIX, " ", "\t")
"""What a heading begins with: the markup, a mark, or blanks before a mark."""


def _marked_heading(line: str) -> str:
    """Return a line with marks at its ends like :func:`_heading`, or the line if it is none."""
    before, inner, after = split_marks(line)
    heading = _heading(inner, FROM_EQUALS) if inner.startswith("=") else ""
    return f"{before}{heading}{after}" if heading else line


def _heading(line: str, attributes: str = "") -> str:
    """Return the element of a heading, whose level is the number of ``=`` on both sides."""
    line = line.rstrip(LINE_SPACE)
    opening = len(line) - len(line.lstrip("="))
    closing = len(line) - len(line.rstrip("="))
    is_bare = opening == len(line)
    level = min(_MAX_LEVEL, (opening - 1) // 2 if is_bare else min(opening, closing))
    inner = line[level:-level].strip(" \t")
    return f"<h{level}{attributes}>{inner}</h{level}>" if level else ""


_RULE = re.compile(r"^-----*", re.MULTILINE)


def draw_rules(text: str) -> str:
    """Return the text with four or more hyphens at the start of a line as ``<hr>``."""
    if "----" not in text:
        return text
    if has_marks(text):
        rule = around_marks(lambda line: _RULE.sub("<hr />", line), text)
        return "\n".join([rule(line) if "----" in line else line for line in text.split("\n")])
    return _RULE.sub("<hr />", text)


class HeadingOrigin(NamedTuple):
    """Where a heading comes from.

    ``section`` is the value of the API's parameter ``section``; ``title`` is the page whose source
    contains the heading. If that is the rendered page, ``offset`` is the position in its source, in
    code points.
    """

    section: str
    title: Title | None
    offset: int | None


_UNKNOWN = HeadingOrigin("", None, None)


class EditLink(NamedTuple):
    """A link that edits a section, whose name is still to be converted to a variant."""

    marker: str
    section: str
    html: Callable[[str], str]
    """Returns the link for a name of the section."""


class Headings:
    """The headings of one rendering: their origins, numbers and ids."""

    def __init__(self, strip: StripState) -> None:
        """Create markers of headings in ``strip``."""
        self._strip = strip
        self._marked: dict[str, tuple[Title, Heading]] = {}
        self._offsets: dict[int, int] = {}
        self._length = 0
        self._last_offset = 0
        self.text_offset = 0
        """The position in the page's source where the text that is expanded begins."""
        self.outline = Outline(is_page=True)
        """The outline of the text that is being parsed."""
        self.edit_links: list[EditLink] = []
        """The edit links of a page whose language has variants."""

    def separate_outline(self) -> AbstractContextManager[Outline]:
        """Return a context manager that gives the content of a tag a separate outline."""
        return temporary_attribute(self, "outline", Outline(is_page=False))

    def set_page(self, content: Content, length: int, offset: int) -> None:
        """Record the positions of the page's own headings.

        Args:
            content: the tree of the page's text.
            length: the length of that text.
            offset: the position in the page's source where that text begins.
        """
        self._length = length + offset
        self.text_offset = offset
        for node in content:
            if isinstance(node, Heading):
                self._offsets[node.index] = node.offset + offset

    def mark(self, title: Title, heading: Heading) -> str:
        """Return a new marker for a heading in the source of the page ``title``."""
        marker = self._strip.add_general("", "h")
        self._marked[marker] = title, heading
        return marker

    def split_marker(self, inner: str) -> tuple[str, str]:
        """Return the marker in a heading's text ("" if there is none) and the text without it."""
        marker = ""
        for match in MARKER.finditer(inner):
            if match[0] in self._marked:
                marker = match[0]
        if marker:
            inner = inner.replace(marker, "")
        return marker, inner

    def origin(self, marker: str, page: Title) -> HeadingOrigin:
        """Return the origin of the heading that a marker stands for; ``page`` is being rendered."""
        if not marker:
            return _UNKNOWN
        title, heading = self._marked[marker]
        if title.key != page.key:
            return HeadingOrigin(f"T-{heading.index}", title, None)
        # A page that transcludes itself shows headings twice. From the first such heading on, the
        # position is the length of the page, as in MediaWiki.
        offset = self._offsets.get(heading.index, self._length)
        self._last_offset = offset if offset >= self._last_offset else self._length
        return HeadingOrigin(str(heading.index), title, self._last_offset)


class Outline:
    """Assigns ids to headings, and numbers such as 1.2.1 according to their levels."""

    def __init__(self, *, is_page: bool) -> None:
        """Create an empty outline. Only headings of the page itself are sections of it."""
        self.is_page = is_page
        self._anchors: dict[str, int] = {}
        self._depth = 0
        self._previous = 0
        self._levels: list[int] = [0]
        self._counts: list[int] = [0]

    def id_suffix(self, key: str) -> str:
        """Return the suffix that distinguishes a heading's id from equal ids before it, or ""."""
        count = self._anchors.get(key)
        if count is None:
            self._anchors[key] = 1
            return ""
        number = count + 1
        while f"{key}_{number}" in self._anchors:
            number += 1
        self._anchors[key] = number
        self._anchors[f"{key}_{number}"] = 1
        return f"_{number}"

    def next(self, level: int) -> tuple[int, str]:
        """Return depth and number of the next heading. Skipped levels do not add to the depth."""
        if level > self._previous or not self._depth:
            self._depth += 1
            del self._levels[self._depth :], self._counts[self._depth :]
            self._levels.append(level)
            self._counts.append(0)
        elif level < self._previous and self._depth > 1:
            depth = self._depth
            while depth > 0 and self._levels[depth] > level:
                depth -= 1
            self._depth = depth if depth and self._levels[depth] == level else depth + 1
        self._levels[self._depth] = level
        self._counts[self._depth] += 1
        self._previous = level
        return self._depth, ".".join(map(str, self._counts[1 : self._depth + 1]))
