"""Builds nodes from the rules of the grammar.

Lark calls the builder while it parses, so that no recursion is needed however deep the tree is.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from lark import Token, Transformer

from wikiapi.wikitext.preprocess.nodes import (
    Argument,
    Comment,
    Content,
    Extension,
    Heading,
    Ignored,
    Node,
    Part,
    StrayEquals,
    Template,
)
from wikiapi.wikitext.preprocess.pairing import PairedToken

_EXTENSION = re.compile(r"<([^\s/>]++)([^>]*+)>(?:(.*)(</[^<>]*>))?\Z", re.DOTALL)


class TreeBuilder(Transformer[Token, Content]):
    """A method for each rule of the grammar. Stateless, so that threads can share it."""

    def start(self, children: list[Content]) -> Content:
        """Return the content of the whole text, with its top-level headings marked as certain."""
        return tuple(
            replace(node, certain=True) if isinstance(node, Heading) else node
            for node in children[0]
        )

    def content(self, children: list[Token | Node]) -> Content:
        """Return a sequence of texts and nodes."""
        return tuple(_leaf(child) if isinstance(child, Token) else child for child in children)

    def flat(self, children: list[PairedToken]) -> Template | Argument:
        """Return a call in which there is nothing but text."""
        (token,) = children
        text: str = token.value
        size = 3 if token.type.endswith("ARGUMENT") else 2
        ends = [*token.separators.pipes, len(text) - size]
        separators, parts = iter(token.separators.equals), []
        separator = next(separators, 0)
        for begin, end in pairwise(ends):
            if begin < separator < end:
                value = _text(text[separator + 1 : end])
                parts.append(Part(_text(text[begin + 1 : separator]), value))
                separator = next(separators, 0)
            else:
                parts.append(Part(None, _text(text[begin + 1 : end])))
        call = Argument if size == 3 else Template
        return call(_text(text[size : ends[0]]), tuple(parts), token.type.startswith("FLAT_LINE"))

    def template(self, children: Sequence[object]) -> Template:
        """Return a template within a line."""
        return _template(children, at_line_start=False)

    def line_template(self, children: Sequence[object]) -> Template:
        """Return a template at the start of a line."""
        return _template(children, at_line_start=True)

    def argument(self, children: list[Content | Part]) -> Argument:
        """Return a template argument within a line."""
        _, title, *parts, _ = children
        return Argument(title, tuple(parts), at_line_start=False)  # type: ignore[arg-type]

    def line_argument(self, children: list[Content | Part]) -> Argument:
        """Return a template argument at the start of a line."""
        _, title, *parts, _ = children
        return Argument(title, tuple(parts), at_line_start=True)  # type: ignore[arg-type]

    def positional(self, children: list[Content]) -> Part:
        """Return a part without a name."""
        return Part(None, children[1])

    def named(self, children: list[Content]) -> Part:
        """Return a part with a name."""
        return Part(children[1], children[3])

    def heading(self, children: Sequence[object]) -> Heading:
        """Return a heading whose content includes the opening ``=``."""
        opening, content, closing = children
        return Heading(
            len(opening),  # type: ignore[arg-type]
            closing.ordinal,  # type: ignore[attr-defined]
            opening.start_pos,  # type: ignore[attr-defined]
            _prepended(str(opening), content),  # type: ignore[arg-type]
            certain=False,
        )


def _text(text: str) -> Content:
    return (text,) if text else ()


def _template(children: Sequence[object], *, at_line_start: bool) -> Template:
    _, title, *parts, _ = children
    return Template(title, tuple(parts), at_line_start)  # type: ignore[arg-type]


def _prepended(text: str, content: Content) -> Content:
    if content and isinstance(content[0], str):
        return (text + content[0], *content[1:])
    return (text, *content)


def _leaf(token: Token) -> Node:
    text: str = token.value
    match token.type:
        case "COMMENT":
            return Comment(text)
        case "IGNORED":
            return Ignored(text)
        case "STRAY_EQUALS":
            return StrayEquals(text)
        case "EXTENSION":
            match = _EXTENSION.match(text)
            if match is None:
                raise ValueError("an extension token without a tag")
            name, attributes, inner, close = match.groups()
            if inner is None:
                return Extension(name, attributes.removesuffix("/"), None, "")
            return Extension(name, attributes, inner, close)
        case _:
            return text
