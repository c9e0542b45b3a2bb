"""Conversion of the finished HTML of a page to HTML that follows the DOM specification."""

from __future__ import annotations

from base64 import urlsafe_b64encode
from collections.abc import Container, Iterable, Sequence
from functools import lru_cache
from itertools import chain, count
from typing import TYPE_CHECKING

from selectolax.lexbor import LexborHTMLParser

from wikiapi.wikitext.html.tidy import close_voids, tree_bytes
from wikiapi.wikitext.parsoid.marks import without_marks
from wikiapi.wikitext.parsoid.ranges import Ranges, heading_of, place_elements
from wikiapi.wikitext.parsoid.sections import Sections
from wikiapi.wikitext.state import ParseState

if TYPE_CHECKING:
    from selectolax.lexbor import LexborNode


_DOCUMENT = "<!DOCTYPE html><html><head></head><body>"


def parsoid_html(html: str, state: ParseState) -> str:
    """Return the HTML of a page like Parsoid's, without the element around it.

    Raises:
        ValueError: the rendering has no sources, since Parsoid's HTML was not requested.
    """
    sources = state.sources
    if sources is None:
        raise ValueError("the rendering has not recorded the sources of its parts")
    with state.budget.borrow(tree_bytes(html)):
        parser = LexborHTMLParser(_DOCUMENT + place_elements(html, sources))
        ranges = Ranges(parser, sources, state.budget)
        body = parser.body
        if body is None:
            return ""
        ranges.describe(body)
        indicators = state.output.indicators
        indicators.update({name: without_marks(text) for name, text in indicators.items()})
        return _Document(parser, state, ranges.within).html(list(body.iter(include_text=True)))


class _Document:
    """Adds sections and ids to one document."""

    def __init__(self, parser: LexborHTMLParser, state: ParseState, hidden: Container[int]) -> None:
        """Create the writer of a page. Elements whose ``mem_id`` is in ``hidden`` get no ids."""
        self._parser = parser
        self._state = state
        self._hidden = hidden
        self._ids = ElementIds()
        self._added: dict[int, LexborNode] = {}
        """Elements that are not in the page's source but added around it, by ``mem_id``."""

    def html(self, blocks: list[LexborNode]) -> str:
        sections = Sections(self._state.output.sections, self._parser)
        sections.lead.id = self._ids.take()
        for position, block in enumerate(blocks):
            nodes = [node for node in block.traverse(include_text=False) if node.is_element_node]
            headings = [
                (node, heading) for node in nodes if (heading := heading_of(node)) is not None
            ]
            begun = sections.take(position, block, headings)
            self._sort(nodes)
            for node in nodes:
                if (section := begun.get(node.mem_id)) is not None:
                    section.id = self._ids.take()
                if node.mem_id not in self._added and node.mem_id not in self._hidden:
                    self._ids.name(node)
            for _, heading in headings:
                second = heading.child
                if second is not None and second.tag == "span" and second.child is None:
                    second.attrs["typeof"] = "mw:FallbackId"
        self._ids.name_added(self._added.values())
        return sections.html([close_voids(block.html or "") for block in blocks])

    def _sort(self, nodes: Sequence[LexborNode]) -> None:
        """Record added elements: those added as such, and all within, except wrapped headings."""
        if not any(map(_is_added, nodes)):
            return
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
    if node.tag == "span":
        return "mw-editsection" in (node.attributes.get("class") or "").split()
    return _is_contents(node) or heading_of(node) is not None


# Elements of the page's source are numbered first, in document order. Added elements then get the
# remaining numbers.

_BITS = 8


@lru_cache(maxsize=4096)
def element_id(serial: int) -> str:
    """Return the id for a serial number, from 0 on."""
    length = max(1, -(-serial.bit_length() // _BITS))
    return "mw" + urlsafe_b64encode(serial.to_bytes(length)).decode().rstrip("=")


class ElementIds:
    """Assigns the ids of one document. Number 0 is that of the body, which is not output."""

    def __init__(self) -> None:
        """Begin with the number of the first element."""
        self._next = 1
        self._free = [0]

    def take(self) -> str:
        """Return the id of the next element of the source."""
        self._next += 1
        return element_id(self._next - 1)

    def skip(self) -> None:
        """Skip the number of the table of contents; it is left for an added element."""
        self._free.append(self._next)
        self._next += 1

    def name(self, node: LexborNode) -> None:
        """Add an id to an element of the source, if it has none."""
        if "id" not in node.attributes:
            node.attrs["id"] = self.take()

    def name_added(self, nodes: Iterable[LexborNode]) -> None:
        """Add ids to added elements; called after all elements of the source have ids."""
        serials = chain(self._free, count(self._next))
        for node in nodes:
            if "id" not in node.attributes:
                node.attrs["id"] = element_id(next(serials))
