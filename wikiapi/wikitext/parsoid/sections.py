"""Sections: everything from a heading to the next of its level or above in a ``<section>``."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from selectolax.lexbor import LexborNode

    from wikiapi.wikitext.output import Section
    from wikiapi.wikitext.parsoid.elementids import ElementIds

NOT_EDITABLE = "-1"
"""Number of a section that the page's source does not hold, as one that a template brought."""
_LEAD = "0"


def heading_of(node: LexborNode | None) -> LexborNode | None:
    """The heading element, if a node is the wrapper of a heading."""
    if (
        node is None
        or node.tag != "div"
        or "mw-heading" not in (node.attributes.get("class") or "").split()
    ):
        return None
    return node.child


class SectionWriter:
    """Writes blocks of a page into sections that follow from its headings.

    A heading within another element begins no section.
    """

    def __init__(self, sections: Sequence[Section], ids: ElementIds) -> None:
        """Begin with the lead, which every page has."""
        self._numbers = {
            section.anchor: section.index if section.index.isdigit() else NOT_EDITABLE
            for section in sections
        }
        self._ids = ids
        self._levels: list[int] = []
        self._openings: dict[int, str] = {0: self._opening(_LEAD)}

    def enter(self, position: int, heading: LexborNode) -> None:
        """A section begins before the block of this position."""
        anchor = heading.attributes.get("id") or ""
        level = int((heading.tag or "h2")[1:])
        closed = self._leave(level)
        self._levels.append(level)
        opening = self._opening(self._numbers.get(anchor, NOT_EDITABLE))
        self._openings[position] = self._openings.get(position, "") + closed + opening

    def html(self, blocks: Sequence[str], ending: str) -> str:
        """The blocks in their sections; the ending goes to the last of them."""
        placed = (self._openings.get(at, "") + block for at, block in enumerate(blocks))
        opened = "".join(placed) if blocks else self._openings[0]
        return f"{opened}{ending}{self._leave(0)}"

    def _leave(self, level: int) -> str:
        """Ends of the sections that a heading of this level ends; the lead has no level."""
        levels = self._levels
        if not levels:
            return "</section>"
        kept = [known for known in levels if known < level]
        self._levels = kept
        return "</section>" * (len(levels) - len(kept))

    def _opening(self, number: str) -> str:
        return f'<section data-mw-section-id="{number}" id="{self._ids.take()}">'
