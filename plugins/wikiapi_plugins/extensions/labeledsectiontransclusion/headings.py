"""``{{#section-h:Page|heading|next}}``: the text under a heading, or before the first one."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from wikiapi.wikitext import FunctionCall, ParserFunction, PluginState
from wikiapi.wikitext.syntax import trim
from wikiapi_plugins.extensions.labeledsectiontransclusion.pages import NO_SECTION, source_of

_HEADING_LINE = re.compile(r"^=.*", re.MULTILINE)
_NOINCLUDE = re.compile(r"<(/?)noinclude\s{0,9}>", re.IGNORECASE)
_LEVELS = 6
_HEADING_BYTES = 300
_HEADINGS_IN_STEP = 16


class _Heading(NamedTuple):
    """A heading: its level, its text in lower case, and where its line starts and ends."""

    level: int
    name: str
    start: int
    end: int


class Page(NamedTuple):
    """The text of a page and its headings."""

    text: str
    headings: list[_Heading]

    @classmethod
    def of(cls, text: str) -> Page:
        """Return a text with its headings."""
        return cls(text, list(_headings(text)))

    def under_heading(self, name: str, until: str) -> str | None:
        """Return the text under a heading, or ``None`` if no heading has that name.

        With an empty name, return the text before the first heading. ``until`` names the heading
        to stop at, and is ignored if no later heading has that name.
        """
        text, headings = self
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


_PAGES: PluginState[dict[str, Page]] = PluginState(lambda state: {})
"""The pages of a rendering from which sections were taken, by their texts."""


def section_h(call: FunctionCall) -> str:
    """Return the text under a heading, up to a given one or the next of the same level."""
    source = source_of(call)
    if isinstance(source, str):
        return source
    pages = call.state.plugin(_PAGES)
    page = pages.get(source.text)
    if page is None:
        page = pages[source.text] = Page.of(without_noinclude(source.text))
        call.state.charge(len(page.headings) * _HEADING_BYTES)
    call.state.budget.step(len(page.headings) // _HEADINGS_IN_STEP)
    found = page.under_heading(call.expand(1), call.expand(2))
    if found is None:
        call.state.notices.add_tracking_category(NO_SECTION)
        return ""
    tree = call.state.expander.tree(trim(found), inclusion=True)
    return trim(source.expanded(call, tree))


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
