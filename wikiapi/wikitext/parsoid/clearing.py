"""Moves marks out of constructs that must not contain any: tags, targets of links, and URLs.

A call within such a construct does not produce elements, but attributes of the next element.
"""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

from wikiapi.wikitext.parsoid.attributes import Attribute, MarkedText, attributes_in
from wikiapi.wikitext.parsoid.entities import BRACKETS
from wikiapi.wikitext.parsoid.marks import (
    AROUND,
    ATTRIBUTE,
    BEGIN,
    CELL,
    END,
    LINE_BLANKS,
    MARK,
    STRIP_MARK,
    has_marks,
    marks_in,
    split_marks,
)
from wikiapi.wikitext.parsoid.sources import Sources
from wikiapi.wikitext.protocols import Protocols
from wikiapi.wikitext.syntax import URL_CHARACTERS

_TAG = re.compile(r"</?[A-Za-z][^<>]*+>")
_TAG_WITH_MARKER = re.compile(r"</?[A-Za-z][^<>\x7f]*+\x7f[^<>]*+>")
_TARGET = re.compile(
    rf"\[\[((?:[^\[\]{{}}|<>\n\x7f]*+{STRIP_MARK})++[^\[\]{{}}|<>\n\x7f]*+)(\||\]\][a-z]*+)"
)
"""Matches the target of a link that has marks in it."""
_TARGET_AND_PIPE = re.compile(rf"\[\[[^\[\]{{}}|<>\n\x7f]++{STRIP_MARK}\|{STRIP_MARK}")
_BETWEEN = rf"(?:{STRIP_MARK})++(?={URL_CHARACTERS})"
_BAR = re.compile(r"(\|\||!!)")
_SPLIT_BARS = re.compile(rf"([|!]|\A[ \t]*\{{)((?:{STRIP_MARK})++)(?=[|!}}+-])")
"""Matches table markup of two characters with marks between them."""
_SPLIT_INDENT = re.compile(rf"\A([ \t]*:[: \t]*)((?:{STRIP_MARK})++)(?=\{{\|)")
_SPLIT_TAG = re.compile(rf"(</?)((?:{STRIP_MARK})++)(?=[A-Za-z/])")


class Cleared(NamedTuple):
    """A text without marks, and the marks to put before and after it instead."""

    before: str
    text: str
    after: str


def clear(
    text: str,
    sources: Sources,
    name: str = "",
    instead: str = ATTRIBUTE,
    *,
    begin: str = BEGIN,
    is_option: bool = False,
) -> Cleared:
    """Return a text without its marks, and record calls whose whole result is in it as attributes.

    Args:
        text: the text.
        sources: the sources of the page.
        name: name of the attribute, if it is not part of the text.
        instead: the kind of mark that replaces those of recorded calls.
        begin: the kind of mark that replaces those before calls whose results only begin here.
        is_option: whether the text is an option of an image.
    """
    marks = marks_in(text)
    begun = {mark.number for mark in marks if mark.kind == BEGIN}
    calls = [mark.number for mark in marks if mark.kind == END and mark.number in begun]
    before, after = [], []
    if calls:
        marked = MarkedText.read(text)
        attributes = [Attribute(name, marked, is_option=is_option)] if name else attributes_in(text)
        sources.note_attributes(calls, tuple(attributes))
        before.append(sources.mark(instead, calls[0]))
    ended = set(calls)
    for kind, number, _, _ in marks:
        if kind == END and number not in ended:
            after.append(sources.mark(kind, number))
        elif kind not in (BEGIN, END) or number not in ended:
            before.append(sources.mark(begin if kind == BEGIN else kind, number))
    return Cleared("".join(before), MARK.sub("", text), "".join(after))


def clear_tags(text: str, sources: Sources) -> str:
    """Return the text without marks in its tags."""
    if not has_marks(text):
        return text
    if "<\x7f" in text or "</\x7f" in text:
        text = _SPLIT_TAG.sub(r"\2\1", text)
    return _TAG_WITH_MARKER.sub(lambda match: _joined(match[0], sources), text)


_RESERVED = re.compile(r' (about|typeof|property|rel|rev)="(?=[^"]*(?:mw:|#mwt))')


def rename_reserved(html: str) -> str:
    """Return the HTML with attributes renamed that the page sets but Parsoid reserves."""
    if "mw:" not in html and "#mwt" not in html:
        return html
    return _TAG.sub(lambda match: _RESERVED.sub(r' data-x-\1="', match[0]), html)


_MAY_BE_ADDRESS = re.compile(rf"[:/]{URL_CHARACTERS.replace('[^', '[^:/', 1)}*+\x7f")
"""Matches the last ``:`` or ``/`` before a mark, if no other characters than those of a URL follow.

Other lines cannot have a URL with a mark in it. The search for URLs takes twenty times as long.
"""


@cache
def _address(protocols: Protocols) -> re.Pattern[str]:
    """Return the pattern of a URL with marks in it."""
    return re.compile(
        rf"\[{protocols.any}(?:{URL_CHARACTERS}|{STRIP_MARK})*+"
        rf"|(?<!\w){protocols.named}(?:{URL_CHARACTERS}|{_BETWEEN})*+"
    )


def clear_targets(text: str, sources: Sources) -> str:
    """Return the text without marks in targets of links and in URLs."""
    if not has_marks(text):
        return text
    if "\x7f|\x7f" in text:
        text = _TARGET_AND_PIPE.sub(lambda match: _pipes(match[0], sources), text)

    def cleared_address(match: re.Match[str]) -> str:
        if not has_marks(match[0]):
            return match[0]
        address = match[0].removeprefix("[")
        before, target, after = clear(address, sources, "href")
        return f"{before}{'[' if address != match[0] else ''}{target}{after}"

    address = _address(sources.protocols)
    # A search through the whole text would take longer than all else that is done with marks.
    lines = [
        address.sub(cleared_address, line)
        if "\x7f" in line and _MAY_BE_ADDRESS.search(line)
        else line
        for line in text.split("\n")
    ]
    text = "\n".join(lines)

    def cleared(match: re.Match[str]) -> str:
        if match[2] == "|" and ":" not in match[1] and _is_open(match[1], sources):
            # A call has made the end of the target and what follows it, which makes no link.
            return match[0].replace("[[", BRACKETS)
        before, target, after = clear(match[1], sources, "href")
        return f"{before}[[{target}{match[2]}{after}"

    return _TARGET.sub(cleared, text)


def _is_open(text: str, sources: Sources) -> bool:
    """Return whether a call, but not of ``{{!}}``, begins in a text that does not end there."""
    marks = marks_in(text)
    ended = {mark.number for mark in marks if mark.kind == END}
    return any(
        mark.kind == BEGIN and mark.number not in ended and not sources.is_pipe(mark.number)
        for mark in marks
    )


def _joined(text: str, sources: Sources) -> str:
    return "".join(clear(text, sources)) if has_marks(text) else text


_PIPE = re.compile(rf"({STRIP_MARK})\|({STRIP_MARK})")


def _pipes(text: str, sources: Sources) -> str:
    """Return markup with ``|`` for the calls of ``{{!}}``, which count as if they were written."""

    def pipe(match: re.Match[str]) -> str:
        (opening,), (closing,) = marks_in(match[1]), marks_in(match[2])
        is_call = (opening.kind, closing.kind) == (BEGIN, END) and opening.number == closing.number
        return "|" if is_call and sources.is_pipe(opening.number) else match[0]

    return _PIPE.sub(pipe, text) if "\x7f|\x7f" in text else text


def clear_cells(text: str, sources: Sources) -> str:
    """Return the text without marks in the attributes of tables, rows and cells."""
    if not has_marks(text) or not ("{|" in text or "{\x7f" in text):
        return text
    lines = text.split("\n")
    starts = (
        number
        for number, line in enumerate(lines)
        if "{" in line and MARK.sub("", line).lstrip(": \t").startswith("{|")
    )
    first = next(starts, len(lines))
    lines[first:] = [
        _table_line(line, sources) if "|" in line or "!" in line else line for line in lines[first:]
    ]
    return "\n".join(lines)


def _table_line(line: str, sources: Sources) -> str:
    if not has_marks(line):
        return line
    if MARK.sub("", line).lstrip(LINE_BLANKS).startswith(("|", "!", "{|")):
        line = _pipes(line, sources)

    def joined(match: re.Match[str]) -> str:
        for mark in marks_in(match[2]):
            if mark.kind == BEGIN:
                sources.note_text_before(mark.number, match[1])
        return match[2] + match[1]

    if any(split in line for split in ("|\x7f", "!\x7f", "{\x7f")):
        line = _SPLIT_BARS.sub(joined, line)
    if line.lstrip(LINE_BLANKS).startswith(":"):
        line = _SPLIT_INDENT.sub(r"\2\1", line)
    before, line, after = split_marks(line)
    start = line.lstrip(" \t")
    if start.startswith(("{|", "|-")):
        return before + _joined(line + after, sources)
    if has_marks(line) and start.startswith(("|", "!")) and not start.startswith("|}"):
        line = _cells(line, sources)
    return f"{before}{line}{after}"


def _cells(line: str, sources: Sources) -> str:
    """Return a line of cells with marks moved from attributes to after the bar that ends them."""
    at = min(position for position in (line.find("|"), line.find("!")) if position >= 0) + 1
    pieces = _BAR.split(line[at:])
    for index in range(0, len(pieces), 2):
        attributes, bar, content = pieces[index].partition("|")
        if not bar or "[[" in attributes or not has_marks(attributes):
            continue
        before, attributes, after = clear(attributes, sources, instead=AROUND, begin=CELL)
        pieces[index] = f"{attributes}|{before}{after}{content}"
    return f"{line[:at]}{''.join(pieces)}"
