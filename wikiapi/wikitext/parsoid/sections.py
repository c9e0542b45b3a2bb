"""Sections of Parsoid's HTML: ``<section>`` elements around the headings and what follows them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from wikiapi.wikitext.output import Section as OutputSection
from wikiapi.wikitext.parsoid.outline import Outline

NOT_EDITABLE = "-1"
"""Number of a section that cannot be edited, such as one in a template."""
_PSEUDO = "-2"
"""Number of a section without a heading."""
_LEAD = "0"
_LEAD_LEVEL = 1
"""Headings of this level within an element end the lead section."""
_CLOSING = "</section>"


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

    def __init__(self, sections: Iterable[OutputSection], outline: Outline) -> None:
        """Begin with the lead section, which every page has; ``outline`` is that of the page."""
        self._numbers = {
            section.anchor: section.index if section.index.isdigit() else NOT_EDITABLE
            for section in sections
        }
        self._outline = outline
        self.lead = Section(_LEAD, 0)
        self._open = [self.lead]
        self._before: int | None = None
        """The block before the next one."""
        self._tags: dict[int, list[Section | None]] = {}
        """Tags before tokens of the page: a section for its start tag, ``None`` for an end."""

    def take(self, block: int, headings: Sequence[tuple[int, int]]) -> Mapping[int, Section]:
        """Begin the sections of a block.

        ``headings`` are the elements around headings in the block, with these. Return the sections
        by the element that begins them.
        """
        outline = self._outline
        before, self._before = self._before, block
        if (heading := outline.heading(block)) is not None:
            is_part = before is not None and _is_start_of_call(outline, before, heading)
            at = before if before is not None and is_part else block
            return {block: self._begin(at, self._section(heading))}
        if not headings:
            return {}
        begun: dict[int, Section] = {}
        current = self._open[-1]
        levels = [
            self._level(heading) for node, heading in headings if outline.parents[node] == block
        ]
        if levels and min(levels) <= (current.level or _LEAD_LEVEL):
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
        anchor = self._outline.attribute(heading, "id") or ""
        return Section(self._numbers.get(anchor, NOT_EDITABLE), self._level(heading))

    def _level(self, heading: int) -> int:
        return int(self._outline.tags[heading][1:])

    def _begin(self, block: int, section: Section) -> Section:
        """Begin a section before a block, and end those that its level ends, or the lead."""
        outer = [each for each in self._open if 0 < each.level < section.level]
        ends = [None] * (len(self._open) - len(outer))
        self._tags.setdefault(self._outline.start(block), []).extend((*ends, section))
        self._open = [*outer, section]
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

    def html(self) -> str:
        """Return the page with its sections."""
        inserted = {
            index: "".join(_CLOSING if tag is None else tag.opening for tag in tags)
            for index, tags in self._tags.items()
        }
        ends = _CLOSING * len(self._open)
        return f"{self.lead.opening}{self._outline.html(inserted)}{ends}"


def _is_start_of_call(outline: Outline, node: int, heading: int) -> bool:
    """Return whether a node before a heading is blank and from the same call as the heading."""
    about = outline.attribute(heading, "about")
    if about is None or not outline.is_element(node) or outline.attribute(node, "about") != about:
        return False
    return not outline.content(node).strip()
