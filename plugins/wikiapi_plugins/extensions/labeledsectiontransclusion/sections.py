"""``{{#section:Page|from|to}}`` and ``{{#section-x:Page|name|instead}}``: sections by label."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from wikiapi.wikitext import FunctionCall, ParserFunction, ParseState, decode_attributes
from wikiapi.wikitext.preprocess.nodes import Content, Extension, Node
from wikiapi_plugins.extensions.labeledsectiontransclusion.pages import (
    NO_SECTION,
    Source,
    source_of,
)
from wikiapi_plugins.extensions.labeledsectiontransclusion.words import Words

_NODES_IN_STEP = 8


class _Section:
    """The content between two labels; an empty label is the beginning or end of the page."""

    def __init__(self, begin: str, end: str, words: Words) -> None:
        self._begin = begin
        self._end = end
        self._words = words
        self.is_found = not begin

    def split(self, content: Content) -> Iterator[tuple[bool, Node | None]]:
        """Yield the nodes of a page's tree without the labels, and whether each is in the section.

        ``None`` marks where the section begins, which may be several times: all parts of the page
        with the same label are one section.
        """
        inside = not self._begin
        if inside:
            yield True, None
        for node in content:
            if inside and self._end and self._is_label(node, self._words.end, self._end):
                inside = False
            elif not inside and self._is_label(node, self._words.begin, self._begin):
                inside = self.is_found = True
                yield True, None
            else:
                yield inside, node

    def _is_label(self, node: Node, attributes: tuple[str, ...], label: str) -> bool:
        if not label or not isinstance(node, Extension):
            return False
        if node.name.lower() not in self._words.tags:
            return False
        found = decode_attributes(node.attributes)
        return any(found.get(name) == label for name in attributes)


def _tree(source: Source, state: ParseState) -> Content:
    """Return the tree of a page, all nodes of which will be compared with labels."""
    tree = state.expander.tree(source.text, inclusion=True)
    state.budget.step(len(tree) // _NODES_IN_STEP)
    return tree


def section(call: FunctionCall, words: Words) -> str:
    """Return the sections of a page from one label to another, or the page if no label is given."""
    source = source_of(call)
    if isinstance(source, str):
        return source
    begin = call.expand(1)
    wanted = _Section(begin, call.expand(2) if len(call) > 2 else begin, words)
    tree = _tree(source, call.state)
    nodes = tuple(node for inside, node in wanted.split(tree) if inside and node is not None)
    if not wanted.is_found:
        call.state.notices.add_tracking_category(NO_SECTION)
    return source.expanded(call, nodes)


def section_x(call: FunctionCall, words: Words) -> str:
    """Return a page in which the sections from one label to another are replaced by a text."""
    source = source_of(call)
    if isinstance(source, str):
        return source
    begin, instead = call.expand(1), call.expand(2)
    left_out = _Section(begin, call.expand(3) or begin, words)
    tree = _tree(source, call.state)
    nodes = tuple(_outside(left_out, tree, instead)) if len(call) > 1 else tree
    return source.expanded(call, nodes)


def _outside(section: _Section, tree: Content, instead: str) -> Iterator[Node]:
    for inside, node in section.split(tree):
        if node is None:
            yield instead
        elif not inside:
            yield node


def declarations(words: Words) -> tuple[ParserFunction, ...]:
    """Return the functions of a wiki in which these words mark sections."""
    local = words.tags[1:]
    return (
        ParserFunction(
            "#section",
            partial(section, words=words),
            ("#lst", *(f"#{name}" for name in local)),
            raw=True,
        ),
        ParserFunction(
            "#section-x",
            partial(section_x, words=words),
            ("#lstx", *(f"#{name}-x" for name in local)),
            raw=True,
        ),
    )
