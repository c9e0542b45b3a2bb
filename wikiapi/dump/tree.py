"""The nodes that the reader builds while an element is open."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from wikiapi.dump.schema import Element


class Node:
    """An open element: the texts and attributes of its leaves, and its closed child nodes."""

    __slots__ = ("attributes", "children", "element", "entries", "texts")

    def __init__(self, element: Element) -> None:
        """Begin an element."""
        self.element = element
        self.texts: dict[str, str] = {}
        self.attributes: dict[str, dict[str, str]] = {}
        self.children: dict[str, list[Node]] = {}
        # The repeated leaves, in their order, with their attributes.
        self.entries: list[tuple[dict[str, str], str]] = []
