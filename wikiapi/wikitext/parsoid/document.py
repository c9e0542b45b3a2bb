"""The stage itself: from the finished HTML of a page to a document after the specification."""

from __future__ import annotations

from base64 import urlsafe_b64encode
from collections.abc import Container, Iterable, Iterator, Sequence
from itertools import count
from typing import TYPE_CHECKING

from selectolax.lexbor import LexborHTMLParser

from wikiapi.wikitext.html.tidy import close_voids
from wikiapi.wikitext.output import Section
from wikiapi.wikitext.parsoid.links import mark_link, mark_picture
from wikiapi.wikitext.parsoid.marks import without_marks
from wikiapi.wikitext.parsoid.ranges import Ranges, heading_of, place_elements
from wikiapi.wikitext.state import ParseState

if TYPE_CHECKING:
    from selectolax.lexbor import LexborNode


_DOCUMENT = "<!DOCTYPE html><html><head></head><body>"


def parsoid_html(html: str, state: ParseState) -> str:
    """Return the HTML of a page in Parsoid's form, without its container."""
    sources = state.sources
    if sources is None:
        raise ValueError("a rendering that has not marked what its parts come from")
    parser = LexborHTMLParser(_DOCUMENT + place_elements(html, sources))
    ranges = Ranges(parser, sources, state.budget)
    body = parser.body
    if body is None:
        return ""
    ranges.describe(body)
    indicators = state.output.indicators
    indicators.update({name: without_marks(html) for name, html in indicators.items()})
    return _Document(state, ranges.within).html(list(body.iter(include_text=True)))


class _Document:
    """One document that is being written."""

    def __init__(self, state: ParseState, hidden: Container[int]) -> None:
        """Write a page; elements of hidden identities get no ids."""
        self._state = state
        self._hidden = hidden
        self._ids = ElementIds()
        self._added: dict[int, LexborNode] = {}
        """Elements that stand around what the source says, by identity."""

    def html(self, blocks: list[LexborNode]) -> str:
        writer = SectionWriter(self._state.output.sections, self._ids)
        for position, block in enumerate(blocks):
            heading = heading_of(block)
            if heading is not None:
                writer.enter(position, heading)
            self._mark(block)
        self._ids.name_added(self._added.values())
        return writer.html([close_voids(block.html or "") for block in blocks])

    def _mark(self, block: LexborNode) -> None:
        nodes = [node for node in block.traverse(include_text=False) if node.is_element_node]
        self._sort(nodes)
        source = [node for node in nodes if node.mem_id not in self._added]
        for node in source:
            if node.tag == "a":
                mark_link(node, self._state.site)
        for node in source:
            if node.tag == "img":
                mark_picture(node, self._state.site, self._state.files)
        self._ids.name(node for node in source if node.mem_id not in self._hidden)

    def _sort(self, nodes: Iterable[LexborNode]) -> None:
        """Note which elements were added: all within them is, but for a heading in its wrapper."""
        for node in nodes:
            parent = node.parent
            is_within = parent is not None and parent.mem_id in self._added
            if _is_contents(node):
                self._ids.skip()
            if _is_added(node) or (is_within and heading_of(parent) is None):
                self._added[node.mem_id] = node


def _is_contents(node: LexborNode) -> bool:
    return node.tag == "div" and node.attributes.get("id") == "toc"


def _is_added(node: LexborNode) -> bool:
    css = (node.attributes.get("class") or "").split()
    return _is_contents(node) or heading_of(node) is not None or "mw-editsection" in css


# What a page's source says is numbered first, in document order; then what was added around it,
# with the numbers that are free.

_BITS = 8


def element_id(serial: int) -> str:
    """Return the id for a serial number, from 0 on."""
    length = max(1, -(-serial.bit_length() // _BITS))
    return "mw" + urlsafe_b64encode(serial.to_bytes(length)).decode().rstrip("=")


class ElementIds:
    """The ids of one document. Number 0 is the body's, which is not shown."""

    def __init__(self) -> None:
        """Begin at the first element."""
        self._next = 1
        self._free = [0]

    def take(self) -> str:
        """Return the id of the next element of the source."""
        self._next += 1
        return element_id(self._next - 1)

    def skip(self) -> None:
        """Pass over an element that something else will stand for: its number is free again."""
        self._free.append(self._next)
        self._next += 1

    def name(self, nodes: Iterable[LexborNode]) -> None:
        """Add ids to those of the source's elements that have none."""
        for node in nodes:
            if "id" not in node.attributes:
                node.attrs["id"] = self.take()

    def name_added(self, nodes: Iterable[LexborNode]) -> None:
        """Add ids to elements around the source, after all of the source's have theirs."""
        serials = self._remaining()
        for node in nodes:
            if "id" not in node.attributes:
                node.attrs["id"] = element_id(next(serials))

    def _remaining(self) -> Iterator[int]:
        yield from self._free
        yield from count(self._next)


NOT_EDITABLE = "-1"
"""Number of a section that the page's source does not hold, as one that a template brought."""
_LEAD = "0"


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
        """Begin a section before the block at this position."""
        anchor = heading.attributes.get("id") or ""
        level = int((heading.tag or "h2")[1:])
        closed = self._leave(level)
        self._levels.append(level)
        opening = self._opening(self._numbers.get(anchor, NOT_EDITABLE))
        self._openings[position] = self._openings.get(position, "") + closed + opening

    def html(self, blocks: Sequence[str]) -> str:
        """Return the blocks in their sections; the ending goes to the last one."""
        placed = (self._openings.get(at, "") + block for at, block in enumerate(blocks))
        opened = "".join(placed) if blocks else self._openings[0]
        return f"{opened}{self._leave(0)}"

    def _leave(self, level: int) -> str:
        """Return the end tags of the sections that a heading of this level ends."""
        levels = self._levels
        if not levels:
            return "</section>"
        outer = [known for known in levels if known < level]
        self._levels = outer
        return "</section>" * (len(levels) - len(outer))

    def _opening(self, number: str) -> str:
        return f'<section data-mw-section-id="{number}" id="{self._ids.take()}">'
