"""Sections of Parsoid's HTML: ``<section>`` elements around the headings and what follows them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from wikiapi.wikitext.output import Section as OutputSection
from wikiapi.wikitext.parsoid.ranges import heading_of

if TYPE_CHECKING:
    from selectolax.lexbor import LexborHTMLParser, LexborNode

NOT_EDITABLE = "-1"
"""Number of a section that cannot be edited, such as one in a template."""
_PSEUDO = "-2"
"""Number of a section without a heading."""
_LEAD = "0"
_LEAD_LEVEL = 1
"""Headings of this level within an element end the lead section."""
_CLOSING = "</section>"
_MARK = "section-mark"
"""Element that stands for the tag of a section within an element; no page can have it."""
_MARKS = re.compile(rf'<{_MARK} data-number="([0-9]*)"></{_MARK}>')


@dataclass(slots=True, eq=False)
class Section:
    """A section. ``number`` is that of the page's section, ``level`` that of its heading."""

    number: str
    level: int
    id: str = ""

    @property
    def opening(self) -> str:
        """The start tag."""
        return f'<section data-mw-section-id="{self.number}" id="{self.id}">'


class Sections:
    """The sections of a page, made of its headings.

    A heading within an element begins a section there. If that would end a section outside of the
    element, the outer section has no number, and the element begins another one. Headings further
    within, such as those in cells of tables, do not affect the outer section.
    """

    def __init__(self, sections: Iterable[OutputSection], parser: LexborHTMLParser) -> None:
        """Begin with the lead section, which every page has; ``parser`` is that of the page."""
        self._numbers = {
            section.anchor: section.index if section.index.isdigit() else NOT_EDITABLE
            for section in sections
        }
        self._parser = parser
        self.lead = Section(_LEAD, 0)
        self._open = [self.lead]
        self._before: LexborNode | None = None
        """The block before the next one."""
        self._tags: dict[int, list[Section | None]] = {}
        """Tags before each block of the page: a section for its start tag, ``None`` for an end."""
        self._within: list[Section] = []
        """The sections within elements, by the numbers of their marks."""

    def take(
        self,
        position: int,
        block: LexborNode,
        headings: Sequence[tuple[LexborNode, LexborNode]],
    ) -> Mapping[int, Section]:
        """Begin the sections of the block at a position.

        ``headings`` are the elements around headings in the block, with these. Return the sections
        by the ``mem_id`` of the element that begins them.
        """
        before, self._before = self._before, block
        if (heading := heading_of(block)) is not None:
            if before is not None and _is_start_of_call(before, heading):
                position -= 1
            return {block.mem_id: self._begin(position, self._section(heading))}
        if not headings:
            return {}
        begun: dict[int, Section] = {}
        current = self._open[-1]
        levels = [_level(heading) for node, heading in headings if _is_child(node, block)]
        if levels and min(levels) <= (current.level or _LEAD_LEVEL):
            current.number = NOT_EDITABLE
            begun[block.mem_id] = self._begin(position, Section(_PSEUDO, current.level))
        by_parent: dict[int, list[tuple[LexborNode, Section]]] = {}
        for node, heading in headings:
            if node.parent is not None:
                begun[node.mem_id] = section = self._section(heading)
                by_parent.setdefault(node.parent.mem_id, []).append((node, section))
        for siblings in by_parent.values():
            self._mark(siblings)
        return begun

    def _section(self, heading: LexborNode) -> Section:
        anchor = heading.attributes.get("id") or ""
        return Section(self._numbers.get(anchor, NOT_EDITABLE), _level(heading))

    def _begin(self, position: int, section: Section) -> Section:
        """Begin a section before a block, and end those that its level ends, or the lead."""
        outer = [each for each in self._open if 0 < each.level < section.level]
        ends = [None] * (len(self._open) - len(outer))
        self._tags.setdefault(position, []).extend((*ends, section))
        self._open = [*outer, section]
        return section

    def _mark(self, siblings: Sequence[tuple[LexborNode, Section]]) -> None:
        """Put marks for the sections that begin with some children of one element."""
        levels: list[int] = []
        for node, section in siblings:
            outer = [level for level in levels if level < section.level]
            for _ in range(len(levels) - len(outer)):
                node.insert_before(self._tag())
            node.insert_before(self._tag(str(len(self._within))))
            self._within.append(section)
            levels = [*outer, section.level]
        node, section = siblings[-1]
        # Its wikitext would include the end of the element.
        section.number = NOT_EDITABLE
        for _ in levels:
            if node.parent is not None:
                node.parent.insert_child(self._tag())

    def _tag(self, number: str = "") -> LexborNode:
        mark = self._parser.create_node(_MARK)
        mark.attrs["data-number"] = number
        return mark

    def html(self, blocks: Sequence[str]) -> str:
        """Return the blocks in their sections."""
        out = [self.lead.opening]
        for position, block in enumerate(blocks):
            tags = self._tags.get(position, ())
            out += (_CLOSING if section is None else section.opening for section in tags)
            out.append(_MARKS.sub(self._opening, block) if _MARK in block else block)
        out += [_CLOSING] * len(self._open)
        return "".join(out)

    def _opening(self, mark: re.Match[str]) -> str:
        return self._within[int(mark[1])].opening if mark[1] else _CLOSING


def _is_start_of_call(node: LexborNode, heading: LexborNode) -> bool:
    """Return whether a node before a heading is blank and from the same call as the heading."""
    about = heading.attributes.get("about")
    is_part = node.is_element_node and node.attributes.get("about") == about is not None
    return is_part and not (node.text() or "").strip()


def _is_child(node: LexborNode, block: LexborNode) -> bool:
    return node.parent is not None and node.parent.mem_id == block.mem_id


def _level(heading: LexborNode) -> int:
    return int((heading.tag or "h2")[1:])
