"""``{{#section-h:Page|heading|next}}``: the text under a heading, or before the first one."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from wikiapi.wikitext import FunctionCall, ParserFunction
from wikiapi.wikitext.syntax import trim
from wikiapi_plugins.extensions.labeledsectiontransclusion.pages import NO_SECTION, source_of

_HEADING_LINE = re.compile(r"^=.*", re.MULTILINE)
_NOINCLUDE = re.compile(r"<(/?)noinclude\s{0,9}>", re.IGNORECASE)
_LEVELS = 6


class _Heading(NamedTuple):
    """A heading: its level, its text in lower case, and where its line starts and ends."""

    level: int
    name: str
    start: int
    end: int


def section_h(call: FunctionCall) -> str:
    """Return the text under a heading, up to a given one or the next of the same level."""
    source = source_of(call)
    if isinstance(source, str):
        return source
    text = without_noinclude(source.text)
    found = under_heading(text, call.expand(1), call.expand(2))
    if found is None:
        call.state.notices.add_tracking_category(NO_SECTION)
        return ""
    tree = call.state.expander.tree(trim(found), inclusion=True)
    return trim(source.expanded(call, tree))


def under_heading(text: str, name: str, until: str) -> str | None:
    """Return the text under a heading, or ``None`` if no heading has that name.

    With an empty name, return the text before the first heading. ``until`` names the heading to
    stop at, and is ignored if no later heading has that name.
    """
    headings = list(_headings(text))
    start, level, following = 0, _LEVELS, headings
    if name:
        wanted = name.lower()
        position = next((n for n, each in enumerate(headings) if each.name == wanted), None)
        if position is None:
            return None
        start, level = headings[position].end, headings[position].level
        following = headings[position + 1 :]
    ends = [each for each in following if until and each.name == until.lower()]
    ends = ends or [each for each in following if each.level <= level]
    return text[start : ends[0].start] if ends else text[start:]


def _headings(text: str) -> Iterator[_Heading]:
    """Yield the lines of a text that are headings."""
    for match in _HEADING_LINE.finditer(text):
        line = match[0].rstrip()
        opening = len(line) - len(line.lstrip("="))
        closing = len(line) - len(line.rstrip("="))
        level = min(opening, closing, _LEVELS)
        if opening < len(line) and level:
            name = line[level:-level].strip().lower()
            yield _Heading(level, name, match.start(), match.end())


def without_noinclude(text: str) -> str:
    """Return a text without its ``<noinclude>`` elements; unpaired tags stay."""
    kept: list[str] = []
    position, opened = 0, None
    for match in _NOINCLUDE.finditer(text):
        if not match[1]:
            opened = match.start() if opened is None else opened
        elif opened is not None:
            kept.append(text[position:opened])
            position, opened = match.end(), None
    return "".join([*kept, text[position:]])


DECLARATION = ParserFunction("#section-h", section_h, ("#lsth",), raw=True)
