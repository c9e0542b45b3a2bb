"""The stage itself: from the finished HTML of a page to a document after the specification."""

from __future__ import annotations

from typing import TYPE_CHECKING

from selectolax.lexbor import LexborHTMLParser

from wikiapi.wikitext.html.serialize import close_voids
from wikiapi.wikitext.parsoid.elementids import ElementIds
from wikiapi.wikitext.parsoid.links import mark_link
from wikiapi.wikitext.parsoid.media import mark_picture
from wikiapi.wikitext.parsoid.pageprops import page_properties
from wikiapi.wikitext.parsoid.sections import SectionWriter, heading_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from selectolax.lexbor import LexborNode

    from wikiapi.wikitext.state import ParseState

_DOCUMENT = "<!DOCTYPE html><html><head></head><body>"


def parsoid_html(html: str, state: ParseState) -> str:
    """The HTML of a page, container left out, in Parsoid's form."""
    body = LexborHTMLParser(_DOCUMENT + html).body
    blocks = [] if body is None else list(body.iter(include_text=True))
    return _Document(state).html(blocks)


class _Document:
    """One document that is being written."""

    def __init__(self, state: ParseState) -> None:
        self._state = state
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
        ending = page_properties(self._state, self._ids)
        self._ids.name_added(self._added.values())
        return writer.html([close_voids(block.html or "") for block in blocks], ending)

    def _mark(self, block: LexborNode) -> None:
        nodes = [node for node in block.traverse(include_text=False) if node.is_element_node]
        self._sort(nodes)
        source = [node for node in nodes if node.mem_id not in self._added]
        for node in source:
            if node.tag == "a":
                mark_link(node, self._state.site)
        for node in source:
            if node.tag == "img":
                mark_picture(node, self._state)
        self._ids.name(source)

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
