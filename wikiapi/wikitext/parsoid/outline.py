"""Positions of the nodes of a document, for finding ranges of sibling nodes quickly."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from wikiapi.budget import Budget

if TYPE_CHECKING:
    from selectolax.lexbor import LexborNode

_CLIMBED_AT_ONCE = 64
"""Number of ancestors visited for one step of the request's budget."""


class Range(NamedTuple):
    """A range of sibling nodes: the places of the first and the last."""

    first: int
    last: int


class Outline:
    """The nodes of a tree in document order. A node's place is its index; the root has place 0.

    Attributes:
        nodes: the nodes by place.
        parents: the place of each node's parent.
        ends: the place of the last node within each node.
    """

    def __init__(self, root: LexborNode, budget: Budget) -> None:
        """Number the nodes below ``root``. Later searches for ranges are charged to ``budget``."""
        self.nodes: list[LexborNode] = list(root.traverse(include_text=True))
        places = {node.mem_id: place for place, node in enumerate(self.nodes)}
        self.parents: list[int] = [0] * len(self.nodes)
        self._depths: list[int] = [0] * len(self.nodes)
        self.ends: list[int] = list(range(len(self.nodes)))
        self._budget = budget
        for place, node in enumerate(self.nodes):
            parent = node.parent
            if place and parent is not None:
                self.parents[place] = places[parent.mem_id]
                self._depths[place] = self._depths[self.parents[place]] + 1
        for place in range(len(self.nodes) - 1, 0, -1):
            parent_place = self.parents[place]
            self.ends[parent_place] = max(self.ends[parent_place], self.ends[place])

    def between(self, begin: int, end: int, *, begins_line: bool = False) -> Range | None:
        """Return the range of the nodes between two marks; ``None`` if there are none.

        ``begins_line`` is whether a line break after the first mark is not in the source.
        """
        first = begin + 1
        while first < end and (
            (
                self.is_nothing(first)
                and (begins_line or not self._begins_with_text(begin, first, end))
            )
            or (self.nodes[first].tag == "tbody" and self.ends[first] >= end)
        ):
            first += 1
        last = end - 1
        while last > first and (
            self.ends[last] >= end
            or (self.is_nothing(last) and not self._is_text_beside(last, end))
        ):
            last -= 1
        if first < end:
            return self.side_by_side(self._ended(begin, first, end) or first, last)
        if self.parents[begin] == self.parents[end]:
            # Blanks between the marks, if their parent may contain text.
            texts = [place for place in range(begin + 1, end) if self.nodes[place].is_text_node]
            if not texts or self.nodes[self.parents[begin]].tag in NO_TEXT:
                return None
            return Range(texts[0], texts[-1])
        # An element that ends between the marks.
        span = self.side_by_side(begin, end)
        element = self.nodes[span.first]
        is_mark = span.first == begin
        return None if is_mark or element.tag == "tbody" else Range(span.first, span.first)

    def _begins_with_text(self, begin: int, first: int, end: int) -> bool:
        """Return whether what is between two marks begins with text, which may be blank.

        Line breaks before a ``<div>`` do not count.
        """
        is_before_division = first + 1 < end and self.is_division(first + 1)
        if is_before_division and self.is_breaks(first):
            return False
        return self._is_text_beside(first, begin)

    def _is_text_beside(self, place: int, mark: int) -> bool:
        """Return whether a node is text beside a mark, where there may be text."""
        parent = self.parents[mark]
        is_beside = self.parents[place] == parent and self.nodes[parent].tag not in NO_TEXT
        return is_beside and self.nodes[place].is_text_node

    def _ended(self, begin: int, first: int, end: int) -> int:
        """Return the outermost element with markup that ends between two marks; 0 for none.

        The node at ``first`` after the mark is in it, too.
        """
        element = 0
        place = self.parents[begin]
        climbed = 0
        while place and self.ends[place] < end:
            if self.ends[place] < first:
                return 0
            climbed += 1
            if self.nodes[place].tag != "tbody":
                element = place
            place = self.parents[place]
        self._budget.step(1 + climbed // _CLIMBED_AT_ONCE)
        return element

    def is_written(self, place: int) -> bool:
        """Return whether a node is an element that must come from markup in the source."""
        return self.nodes[place].is_element_node and not self.is_implied(place)

    def is_implied(self, place: int) -> bool:
        """Return whether an element may have been added without markup in the source."""
        return self.nodes[place].tag in _IMPLIED

    def is_nothing(self, place: int) -> bool:
        """Return whether a node is a comment, such as a mark, or blank text."""
        node = self.nodes[place]
        return node.is_comment_node or node.is_empty_text_node

    def is_division(self, place: int) -> bool:
        """Return whether a node is a ``<div>``, but not that around a heading."""
        node = self.nodes[place]
        return (
            node.tag == "div" and "mw-heading" not in (node.attributes.get("class") or "").split()
        )

    def is_breaks(self, place: int) -> bool:
        """Return whether a node is text that consists of line breaks."""
        node = self.nodes[place]
        return node.is_text_node and not (node.text_content or "").strip("\n")

    def side_by_side(self, first: int, last: int) -> Range:
        """Return the smallest range of siblings that contains both nodes."""
        climbed = 0
        while first != last and self.parents[first] != self.parents[last]:
            climbed += 1
            above_first = self._depths[first] - self._depths[last]
            if above_first >= 0:
                first = self.parents[first]
            if above_first <= 0:
                last = self.parents[last]
        self._budget.step(1 + climbed // _CLIMBED_AT_ONCE)
        return Range(first, last)

    def line_ends(self, first: int, end: int, *, is_last: bool = False) -> int:
        """Return the number of line ends in the text from a place up to another.

        If the text is the last, those after it do not count.
        """
        texts = (node.text_content or "" for node in self.nodes[first:end] if node.is_text_node)
        text = "".join(texts)
        return (text.rstrip() if is_last else text).count("\n")

    def lists(self, place: int) -> int:
        """Return the number of lists that a node is in, with itself."""
        count = 0
        while place:
            count += self.nodes[place].tag in _LISTS
            place = self.parents[place]
        return count

    def overlap(self, one: Range, other: Range) -> bool:
        """Return whether two ranges share nodes."""
        return one.first <= self.ends[other.last] and other.first <= self.ends[one.last]

    def joined(self, one: Range, other: Range) -> Range:
        """Return the smallest range that contains both ranges."""
        last = one.last if self.ends[one.last] > self.ends[other.last] else other.last
        return self.side_by_side(min(one.first, other.first), last)

    def siblings(self, span: Range) -> Iterator[int]:
        """Yield the places of the nodes of a range, but not of their descendants."""
        place = span.first
        while place <= span.last:
            yield place
            place = self.ends[place] + 1


_IMPLIED = frozenset({"p", "tbody"})
"""Elements that are added without markup."""
_LISTS = frozenset({"ul", "ol", "dl"})
NO_TEXT = frozenset({"table", "tbody", "thead", "tfoot", "tr", "colgroup"})
"""Tables and their parts that contain only other parts. Text is moved out of them."""
