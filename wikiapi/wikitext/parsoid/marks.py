"""Source marks, which delimit the parts of a text that come from one call or tag.

They are used only for Parsoid's HTML, until :mod:`~wikiapi.wikitext.parsoid.ranges` converts them
to attributes. Marks are strip markers up to the middle of the pipeline, and then the HTML comments
that these stand for. The stages of the pipeline ignore marks at the ends of a line, so that the
HTML is the same with and without marks.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from wikiapi.wikitext.expand.strip import PREFIX, SUFFIX

KIND = "source"
"""Kind of the strip markers."""
BEGIN, END = "b", "e"
"""Kinds of the marks before and after the result of a call or tag."""
ATTRIBUTE = "a"
"""Kind of a mark for a call whose result is part of the tag of the next element."""
AROUND = "p"
"""Kind of a mark for a call whose result is part of the tag of the element around the mark."""
CELL = "c"
"""Kind of a mark that replaces that before a call whose result begins in the attributes of a cell,
at the start of the cell."""
ELEMENT = "n"
"""Kind of a mark that stands for an invisible element."""

_OPENING = f"{PREFIX}-{KIND}-"
_COMMENT = "<!--mw"
STRIP_MARK = rf"{re.escape(_OPENING)}[a-z][0-9]{{1,9}}-[0-9A-F]{{8,12}}{re.escape(SUFFIX)}"
"""Pattern of a mark in wikitext."""
_COMMENT_MARK = r"<!--mw[a-z][0-9]{1,9}-->"
MARK = re.compile(rf"{STRIP_MARK}|{_COMMENT_MARK}")
"""Matches a mark in either form."""
COMMENT = re.compile(r"<!--mw([a-z])([0-9]{1,9})-->")
"""Matches a mark as a comment; the groups are its kind and number."""
_IN_WIKITEXT = re.compile(
    rf"{re.escape(_OPENING)}([a-z])([0-9]{{1,9}})-[0-9A-F]{{8,12}}{re.escape(SUFFIX)}"
)
LINE_BLANKS = " \t"
_LEADING = re.compile(
    rf"[{LINE_BLANKS}]*+(?:{STRIP_MARK}|{_COMMENT_MARK})(?:{STRIP_MARK}|{_COMMENT_MARK}|[{LINE_BLANKS}])*+"
)


def comment(kind: str, number: int) -> str:
    """Return a mark as a comment."""
    return f"{_COMMENT}{kind}{number}-->"


def strip_kind(kind: str, number: int) -> str:
    """Return the kind of strip marker for a mark."""
    return f"{KIND}-{kind}{number}"


class MarkInText(NamedTuple):
    """A mark in wikitext: its kind and number, and where it begins and ends."""

    kind: str
    number: int
    start: int
    end: int


def marks_in(text: str) -> list[MarkInText]:
    """Return the marks in wikitext."""
    return [
        MarkInText(match[1], int(match[2]), match.start(), match.end())
        for match in _IN_WIKITEXT.finditer(text)
    ]


def has_marks(text: str) -> bool:
    """Return whether there are marks in a text."""
    return _OPENING in text or _COMMENT in text


_RESULT = re.compile(rf"{_COMMENT}{BEGIN}([0-9]{{1,9}})-->([^<]++){_COMMENT}{END}\1-->")


def wrap_results(html: str) -> str:
    """Return HTML with the results of calls that are only text in elements."""
    return _RESULT.sub(r"<span>\2</span>", html) if _COMMENT in html else html


def without_marks(text: str) -> str:
    """Return the text without marks."""
    return MARK.sub("", text) if has_marks(text) else text


class SplitLine(NamedTuple):
    """A line, and the marks that were at its ends or among the blanks there."""

    before: str
    line: str
    after: str


def split_marks(line: str) -> SplitLine:
    """Return a line separated from the marks at its ends.

    If the line contains nothing else, the marks are in ``before``.
    """
    if not has_marks(line):
        return SplitLine("", line, "")
    match = _LEADING.match(line)
    if match is None:
        return SplitLine("", *_without_trailing(line))
    before, indent = _parted(match[0])
    rest, after = _without_trailing(line[match.end() :])
    return SplitLine(before, indent + rest, after)


def _without_trailing(line: str) -> tuple[str, str]:
    start = start_of_trailing(line)
    after, blanks = _parted(line[start:])
    return line[:start] + blanks, after


def _parted(text: str) -> tuple[str, str]:
    """Return the marks of a text, and the text without them."""
    return ("".join(MARK.findall(text)), MARK.sub("", text)) if has_marks(text) else ("", text)


def start_of_trailing(text: str, blanks: str = LINE_BLANKS) -> int:
    """Return the position where the blanks and marks at the end of a text begin."""
    end = len(text.rstrip(blanks))
    while True:
        start = max(text.rfind(_OPENING, 0, end), text.rfind(_COMMENT, 0, end))
        match = MARK.match(text, start) if start >= 0 else None
        if match is None or match.end() != end:
            return end
        end = start
        while end and text[end - 1] in blanks:
            end -= 1


def around_marks(change: Callable[[str], str], text: str) -> Callable[[str], str]:
    """Return a function that applies ``change`` to a line of ``text`` without marks at its ends."""
    if not has_marks(text):
        return change

    def changed(line: str) -> str:
        if not has_marks(line):
            return change(line)
        before, line, after = split_marks(line)
        return f"{before}{change(line)}{after}"

    return changed
