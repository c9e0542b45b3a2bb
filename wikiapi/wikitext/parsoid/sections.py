"""Sections of Parsoid's HTML: ``<section>`` elements around the headings and what follows them."""

from __future__ import annotations

from bisect import bisect_right
from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from wikiapi.wikitext.html.entities import finished_attributes
from wikiapi.wikitext.output import Section as OutputSection
from wikiapi.wikitext.parsoid.attributes import as_json
from wikiapi.wikitext.parsoid.outline import REMOVED, Outline
from wikiapi.wikitext.parsoid.ranges import TRANSCLUSION, PageCall
from wikiapi.wikitext.parsoid.sources import Level, Sources

NOT_EDITABLE = "-1"
"""Number of a section that cannot be edited, such as one in a template."""
_PSEUDO = "-2"
"""Number of a section without a heading."""
_LEAD = "0"
_CLOSING = "</section>"


@dataclass(slots=True, eq=False)
class Section:
    """A section. ``number`` is that of the page's section, ``level`` that of its heading."""

    number: str
    level: int
    id: str = ""
    start: int | None = None
    """Where it begins in the page's text, if its heading is there."""
    block: int = 0
    """Its first block."""
    depth: int = 0
    """The number of sections that it is in."""
    source: Mapping[str, str] = field(default_factory=dict)
    """Attributes that say which calls it is from."""

    @property
    def opening(self) -> str:
        """The start tag."""
        source = finished_attributes(self.source) if self.source else ""
        return f'<section data-mw-section-id="{self.number}" id="{self.id}"{source}>'


class _Joined(NamedTuple):
    """Sections that share calls, by their indices, and the numbers of these calls in a text."""

    sections: range
    level: Level
    numbers: Sequence[int]


class Sections:
    """The sections of a page, made of its headings.

    A heading within an element begins a section there. If that would end a section outside of the
    element, the outer section has no number, and the element begins another one. Headings further
    within, such as those in cells of tables, do not affect the outer section. Every heading ends
    the lead section.
    """

    def __init__(self, sections: Iterable[OutputSection], outline: Outline, offset: int) -> None:
        """Begin with the lead section, which every page has.

        Args:
            sections: the sections that the page's headings begin.
            outline: the outline of the page.
            offset: where the text begins in the page's source that calls are in.
        """
        self._sections = {section.anchor: section for section in sections}
        self._outline = outline
        self._offset = offset
        self.lead = Section(_LEAD, 0, start=0)
        self._open = [self.lead]
        self._begun = [self.lead]
        """The sections that are not within other elements, in their order."""
        self._tags: dict[int, list[Section | None]] = {}
        """Tags before tokens of the page: a section for its start tag, ``None`` for an end."""

    def begin(self, headings: Mapping[int, int]) -> Mapping[int, Section]:
        """Begin the sections of the page; return them by the element that begins them.

        ``headings`` are the headings by the elements around them, in their order.
        """
        outline = self._outline
        begun: dict[int, Section] = {}
        waiting = deque(headings.items())
        while waiting:
            block = outline.block(waiting[0][0])
            before = block - 1
            while before and outline.tags[before := outline.block(before)] == REMOVED:
                before -= 1
            inside: list[tuple[int, int]] = []
            while waiting and waiting[0][0] <= outline.ends[block]:
                inside.append(waiting.popleft())
            begun |= self._take(block, inside, before or None)
        return begun

    def _take(
        self, block: int, headings: Sequence[tuple[int, int]], before: int | None
    ) -> Mapping[int, Section]:
        """Begin the sections of a block that contains headings, or is one.

        ``before`` is the block before it.
        """
        outline = self._outline
        if (heading := outline.heading(block)) is not None:
            is_part = before is not None and _is_start_of_call(outline, before, heading)
            at = before if before is not None and is_part else block
            return {block: self._begin(at, self._section(heading))}
        begun: dict[int, Section] = {}
        current = self._open[-1]
        levels = [
            self._level(heading) for node, heading in headings if outline.parents[node] == block
        ]
        if levels and (not current.level or min(levels) <= current.level):
            current.number = NOT_EDITABLE
            begun[block] = self._begin(block, Section(_PSEUDO, current.level))
        by_parent: dict[int, list[tuple[int, Section]]] = {}
        for node, heading in headings:
            begun[node] = section = self._section(heading)
            by_parent.setdefault(outline.parents[node], []).append((node, section))
        for parent, children in by_parent.items():
            self._begin_within(parent, children)
        return begun

    def _section(self, heading: int) -> Section:
        section = self._sections.get(self._outline.attribute(heading, "id") or "")
        if section is None or not section.index.isdigit():
            return Section(NOT_EDITABLE, self._level(heading))
        offset = section.offset
        start = None if offset is None else offset - self._offset
        return Section(section.index, self._level(heading), start=start)

    def _level(self, heading: int) -> int:
        return int(self._outline.tags[heading][1:])

    def _begin(self, block: int, section: Section) -> Section:
        """Begin a section before a block, and end those that its level ends, or the lead."""
        outer = [each for each in self._open if 0 < each.level < section.level]
        ends = [None] * (len(self._open) - len(outer))
        self._tags.setdefault(self._outline.start(block), []).extend((*ends, section))
        self._open = [*outer, section]
        section.block, section.depth = block, len(outer)
        self._begun.append(section)
        return section

    def _begin_within(self, parent: int, children: Sequence[tuple[int, Section]]) -> None:
        """Begin the sections of some children of an element, and end them with the element."""
        levels: list[int] = []
        for node, section in children:
            outer = [level for level in levels if level < section.level]
            ends = [None] * (len(levels) - len(outer))
            self._tags.setdefault(self._outline.start(node), []).extend((*ends, section))
            levels = [*outer, section.level]
        # The wikitext of the last one would include the end of the element.
        children[-1][1].number = NOT_EDITABLE
        ends = [None] * len(levels)
        self._tags.setdefault(self._outline.closing(parent), []).extend(ends)

    def join(self, calls: Iterable[PageCall], sources: Sources) -> None:
        """Describe sections that share calls: those in which the first begins and the last ends."""
        if len(self._begun) == 1:
            return
        joined: list[_Joined] = []
        by_block: dict[int, PageCall] = {}
        """The calls by the first block that they have made."""
        for call in calls:
            if not call.level.is_page:
                continue
            by_block[call.first] = call
            begun, ended = self._index_of(call.first), self._index_of(call.last)
            if begun == ended:
                continue
            span, numbers = self._around(begun, ended), call.numbers
            if joined and span.start < joined[-1].sections.stop:
                before = joined.pop()
                span = range(
                    min(before.sections.start, span.start), max(before.sections.stop, span.stop)
                )
                numbers = (*before.numbers, *numbers)
            joined.append(_Joined(span, call.level, numbers))
        for each in joined:
            self._describe(each, by_block, sources)

    def _index_of(self, block: int) -> int:
        """Return the index of the section that a block is in."""
        return bisect_right(self._begun, block, key=lambda section: section.block) - 1

    def _around(self, first: int, last: int) -> range:
        """Return the indices of complete sections on one level that include two sections."""
        begun = self._begun
        depth = min(section.depth for section in begun[first : last + 1])
        while begun[first].depth > depth:
            first -= 1
        last += 1
        while last < len(begun) and begun[last].depth > depth:
            last += 1
        return range(first, last)

    def _describe(
        self, joined: _Joined, by_block: Mapping[int, PageCall], sources: Sources
    ) -> None:
        begun, (sections, level, numbers) = self._begun, joined
        end: int | None = len(level.text)
        if sections.stop < len(begun):
            following = begun[sections.stop]
            end = following.start
            if end is None and (call := by_block.get(following.block)):
                end = level.first_of(sources, call.numbers)
        first = begun[sections.start]
        parts = level.parts(sources, numbers, first.start, end)
        about = {"about": sources.about(sources.next_serial())}
        for section in begun[sections.start : sections.stop]:
            if section.depth == first.depth:
                section.source = about
        first.source = {
            **about, "typeof": TRANSCLUSION, "data-mw": as_json({"parts": parts}),
        }  # fmt: skip

    def html(self) -> str:
        """Return the page with its sections."""
        inserted = {
            index: "".join(_CLOSING if tag is None else tag.opening for tag in tags)
            for index, tags in self._tags.items()
        }
        ends = _CLOSING * len(self._open)
        return f"{self.lead.opening}{self._outline.html(inserted)}{ends}"


def _is_start_of_call(outline: Outline, node: int, heading: int) -> bool:
    """Return whether a node before a heading is blank and the first one of the heading's call."""
    about = outline.attribute(heading, "about")
    if about is None or not outline.is_element(node) or outline.attribute(node, "about") != about:
        return False
    return outline.has(node, "typeof") and not outline.content(node).strip()
