"""The items of a box: its elements, with values from the arguments of the template."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from wikiapi.wikitext import Frame, ParseState, parse_fragment, trim, wrap_blocks
from wikiapi_plugins.extensions.portableinfobox.markup import CONTAINERS, ITEMS, PARTS, Node
from wikiapi_plugins.extensions.portableinfobox.pictures import Picture, Pictures, file_names

_ELEMENT = re.compile(r"<[^<>]*+>")
_PARAMETER = re.compile(r"\{\{\{([^{}|]*+)")
_LEFT_OVER = re.compile(r"\{\{\{[^{}]*+\}\}\}")
_LINES = re.compile(r"(?<=>)[\r\n]++|(?<![\r\n])[\r\n]++(?=<)")
_FILES = frozenset({"image", "media", "audio", "video"})
DEPTH = 20
"""Maximum depth of nested groups."""


class UnknownElement(Exception):
    """The box contains an unknown element; the argument is its name."""


@dataclass(slots=True)
class Item:
    """An element with its values.

    Attributes:
        kind: ``title``, ``media``, ``data``, ``header``, ``group``...
        node: the element.
        value: the HTML of ``data``, ``title``, ``header`` and ``navigation``.
        label: the HTML of the label.
        pictures: the files of ``media``.
        items: the items within a group, panel or section.
    """

    kind: str
    node: Node
    value: str = ""
    label: str = ""
    pictures: list[Picture] = field(default_factory=list)
    items: list[Item] = field(default_factory=list)

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to show."""
        if self.kind in CONTAINERS:
            return all(item.is_empty or item.kind == "header" for item in self.items)
        return not self.pictures if self.kind == "media" else self.value == ""

    @property
    def source(self) -> str | None:
        """The parameter of the template that the item shows."""
        return self.node.attributes.get("source")

    @property
    def name(self) -> str | None:
        """The name that the template gives the item."""
        return self.node.attributes.get("name")

    @property
    def visible_items(self) -> list[Item]:
        """The items of a group that are shown: those with values, or all of them."""
        if self.node.attribute("show") == "incomplete" and not self.is_empty:
            return self.items
        return [item for item in self.items if not item.is_empty]


class Evaluation:
    """Evaluates the elements of a box."""

    def __init__(self, frame: Frame, state: ParseState) -> None:
        """Take parameters from the frame of the template that contains the box."""
        self._frame = frame
        self._state = state
        self._pictures = Pictures(state)

    def items(self, nodes: Sequence[Node], depth: int = 0) -> list[Item]:
        """Return all items, including those without values.

        Raises:
            UnknownElement: an element is unknown.
        """
        if depth == 0:
            files = (node for node in _all(nodes) if node.name in _FILES)
            self._pictures.load([name for node in files for name in self._names(node)])
        return [self._item(node, depth) for node in nodes if node.name not in PARTS]

    def _item(self, node: Node, depth: int) -> Item:
        name = node.name
        if name in CONTAINERS and depth < DEPTH:
            label = self._text(node.part("label"))
            return Item(name, node, label=label, items=self.items(node.children, depth + 1))
        if name not in ITEMS:
            raise UnknownElement(name)
        if name in _FILES:
            # The value of a part, which text of its own is not.
            parts = (node.part("alt"), node.part("caption"))
            alt, caption = (self._value(part) if part else "" for part in parts)
            alt = html.unescape(_ELEMENT.sub("", alt))
            pictures = self._pictures.of(self._names(node), alt, caption)
            return Item("media", node, pictures=pictures)
        if name in ("header", "navigation"):
            return Item(name, node, self.rendered(node.text))
        label = self._text(node.part("label")) if name == "data" else ""
        return Item(name, node, self._value(node), label)

    def _value(self, node: Node) -> str:
        """Return the value of the parameter in its format, or else the default."""
        value = self.parameter(node.attribute("source"))
        if value != "":
            form = node.part("format")
            return self.rendered(value if form is None else form.text)
        return self._text(node.part("default"))

    def _text(self, node: Node | None) -> str:
        if node is None:
            return ""
        has_value = node.children or node.attribute("source")
        return self._value(node) if has_value else self.rendered(node.text)

    def parameter(self, name: str) -> str:
        """Return a parameter of the template; empty if it is missing."""
        return trim(self._frame.argument(name) or "") if name else ""

    def rendered(self, text: str) -> str:
        """Return wikitext as finished HTML on one line, without a paragraph around it."""
        state, text = self._state, trim(text)
        if not text:
            return ""
        if text[0] in "*#:;":
            text = "\n" + text
        parsed = state.strip.unstrip_general(parse_fragment(text, self._frame, state))
        if not state.makes_html:
            return parsed
        blocks = wrap_blocks(state.media.replace(parsed), line_start=False)
        done = state.strip.unstrip_both(state.links.replace(blocks))
        return trim(_LEFT_OVER.sub("", _LINES.sub("", done)).replace("\n", " "))

    # Files

    def _names(self, node: Node) -> list[str]:
        default = node.part("default")
        value = self.parameter(node.attribute("source"))
        text = value or (
            trim(self._state.expander.expand_text(default.text, self._frame)) if default else ""
        )
        return file_names(text, self._state)


def _all(nodes: Iterable[Node]) -> Iterable[Node]:
    waiting = list(nodes)
    while waiting:
        node = waiting.pop(0)
        yield node
        waiting += node.children


# The page property ``infoboxes``, which describes boxes to programs


def property_data(items: Iterable[Item]) -> list[dict[str, Any]]:
    """Return items as data for the page property."""
    return [{"type": item.kind, "data": _data(item)} for item in items]


def _data(item: Item) -> object:
    name = {"item-name": item.name}
    if item.kind == "media":
        return [picture.data() | {"source": item.source} | name | picture.sizes()
                for picture in item.pictures]  # fmt: skip
    if item.kind == "data":
        return {
            "label": item.label,
            "value": item.value,
            "span": _number(item.node.attribute("span")) or 1,
            "layout": item.node.attributes.get("layout"),
            "source": item.source,
        } | name
    if item.kind == "group":
        return {
            "value": property_data(item.visible_items),
            "layout": group_layout(item),
            "collapse": collapse(item),
            "row-items": row_items(item) or None,
        } | name
    if item.kind == "panel":
        return {"value": property_data(item.visible_items), "collapse": collapse(item)} | name
    if item.kind == "section":
        return {"label": item.label, "value": property_data(item.visible_items)} | name
    return {"value": item.value} | ({"source": item.source} if item.kind == "title" else {}) | name


def group_layout(item: Item) -> str:
    """Return the layout of a group: ``default`` or ``horizontal``."""
    return "horizontal" if item.node.attribute("layout") == "horizontal" else "default"


def collapse(item: Item) -> str | None:
    """Return ``open`` or ``closed`` for a group or panel that folds, ``None`` for others."""
    state = item.node.attribute("collapse")
    return state if state in ("open", "closed") else None


def row_items(item: Item) -> int:
    """Return the number of items in a row of a group, or 0 if it has no rows."""
    return _number(item.node.attribute("row-items"))


def span(item: Item) -> int:
    """Return the number of columns that an item spans in its row."""
    return max(1, _number(item.node.attribute("span")))


def _number(text: str) -> int:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 3 else 0


def metadata(items: Iterable[Item]) -> list[dict[str, Any]]:
    """Return the parameters of all items, including those without values."""
    return [_metadata(item) for item in items]


def _metadata(item: Item) -> dict[str, Any]:
    if item.kind == "group":
        return {"type": item.kind, "metadata": metadata(item.items)}
    sources = list(dict.fromkeys(_sources(item.node)))
    label = html.unescape(_ELEMENT.sub("", item.label))
    primary = item.node.attribute("source")
    by_source = {
        source: {"label": f"{label} ({source})" if label and len(sources) > 1 else label}
        | ({"primary": True} if source == primary else {})
        for source in sources
    }
    return {"type": item.kind, "sources": by_source or []}


def _sources(node: Node) -> Iterable[str]:
    if source := node.attribute("source"):
        yield source
    if node.name in ("format", "default"):
        yield from (trim(name) for name in _PARAMETER.findall(node.text) if trim(name))
    for child in node.children:
        if child.name in PARTS and child.name != "label":
            yield from _sources(child)
