"""Parses the markup in ``<infobox>``: nested elements, with wikitext in the innermost ones."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from wikiapi.wikitext import decode_attributes, trim

CONTAINERS = frozenset({"group", "panel", "section"})
ITEMS = frozenset({"title", "image", "media", "audio", "video", "data", "header", "navigation"})
PARTS = frozenset({"label", "default", "format", "caption", "alt"})
_HOLDERS = frozenset({"title", "image", "media", "audio", "video", "data"})
"""Elements that contain parts; the others contain wikitext."""
_MAY_HOLD, _LEAVES = frozenset({"caption", "alt"}), frozenset({"default", "format"})
_TAG = re.compile(
    r"<!--(?:[^-]++|-(?!->))*+(?:-->)?|<(/?)([A-Za-z][\w\-]*+)((?:[^<>\"']++|\"[^\"]*+\"|'[^']*+')*+)>"
)
MOST = 2000
"""Maximum number of tags in one box."""


class Unreadable(Exception):
    """The markup is broken: a tag has no counterpart, or there are too many tags."""


@dataclass(slots=True)
class Node:
    """An element: its attributes, its child elements, and its text if it contains wikitext."""

    name: str
    attributes: Mapping[str, str] = field(default_factory=dict)
    children: list[Node] = field(default_factory=list)
    text: str = ""

    def part(self, name: str) -> Node | None:
        """Return the first child element of a name, or ``None``."""
        return next((child for child in self.children if child.name == name), None)

    def attribute(self, name: str) -> str:
        """Return an attribute; empty if it is missing."""
        return trim(self.attributes.get(name, ""))


def read(text: str) -> tuple[list[Node], int]:
    """Return the elements of a box, and the number of their tags.

    Raises:
        Unreadable: the markup is broken.
    """
    root = Node("infobox")
    open_nodes = [root]
    tokens = _tokens(text)
    count = 0
    for token in tokens:
        count += 1
        if count > MOST:
            raise Unreadable
        if token.closes:
            if len(open_nodes) == 1 or open_nodes.pop().name != token.name:
                raise Unreadable
            continue
        node = Node(token.name, token.attributes)
        open_nodes[-1].children.append(node)
        if token.is_empty:
            continue
        if token.name in CONTAINERS or (token.name in _HOLDERS and open_nodes[-1].name != "data"):
            open_nodes.append(node)
        else:
            node.text = _until(token, tokens, text)
            if token.name in _MAY_HOLD:
                inner = _tokens(node.text)
                node.children = [
                    Node(leaf.name, text=_until(leaf, inner, node.text))
                    for leaf in inner
                    if leaf.name in _LEAVES and not (leaf.closes or leaf.is_empty)
                ]
    if len(open_nodes) > 1:
        raise Unreadable
    return root.children, count


@dataclass(frozen=True, slots=True)
class _Token:
    name: str
    attributes: Mapping[str, str]
    closes: bool
    is_empty: bool
    start: int
    end: int


def _tokens(text: str) -> Iterator[_Token]:
    for match in _TAG.finditer(text):
        if match[2] is None:
            continue
        inside = match[3].rstrip()
        yield _Token(
            match[2].lower(),
            decode_attributes(inside.removesuffix("/")),
            bool(match[1]),
            inside.endswith("/"),
            match.start(),
            match.end(),
        )


def _until(opening: _Token, tokens: Iterator[_Token], text: str) -> str:
    """Return the text up to the end tag of an element, whatever it contains."""
    depth = 1
    for token in tokens:
        if token.name == opening.name and not token.is_empty:
            depth += -1 if token.closes else 1
        if depth == 0:
            return text[opening.end : token.start]
    raise Unreadable
