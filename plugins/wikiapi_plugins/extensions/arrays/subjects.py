"""The subject of ``{{#arrayprint:}}``: wikitext in which a word stands for each element.

The word is replaced in the syntax tree, so that braces and pipes of an element stay plain text.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from wikiapi.wikitext import FunctionCall, nodes, trim
from wikiapi_plugins.extensions.arrays.memory import fits

_EXPANDED_AWAY = 10
"""How many times larger than its expansion a text may be."""


class Subject:
    """An argument of a call, in which a word stands for the elements."""

    def __init__(self, call: FunctionCall, part: nodes.Part, word: str) -> None:
        """Count the occurrences of the word, down to the maximum depth of expansion."""
        self._call = call
        self._part = part
        self._word = word
        self._deepest = call.state.usage.ceilings.expansion_depth
        texts = []
        waiting = [(content, 0) for content in _of_part(part)]
        while waiting:
            content, depth = waiting.pop()
            for node in content:
                if isinstance(node, str):
                    texts.append(node)
                elif isinstance(node, nodes.Extension):
                    texts.append(node.attributes)
                    texts.append(node.inner or "")
                elif depth < self._deepest:
                    waiting += ((inner, depth + 1) for inner in _inside(node))
        self._nodes = len(texts)
        self._size = sum(map(len, texts))
        self._uses = sum(text.count(word) for text in texts) if word else 0

    def texts(self, elements: Sequence[str]) -> list[str]:
        """Return the argument expanded with each element in place of the word.

        The list is empty if all of them together are too large for a page.
        """
        state, count = self._call.state, len(elements)
        size = count * self._size + self._uses * sum(map(len, elements))
        if not fits(state, size // _EXPANDED_AWAY):
            return []
        state.budget.step(count * (self._nodes + 1))
        return list(map(self._text, elements))

    def _text(self, element: str) -> str:
        state = self._call.state
        part = self._part
        if self._uses:
            name = None if part.name is None else self._replaced(part.name, element, 0)
            part = nodes.Part(name, self._replaced(part.value, element, 0))
        return trim(state.expander.expand_part(part, self._call.frame))

    def _replaced(self, content: nodes.Content, element: str, depth: int) -> nodes.Content:
        if depth > self._deepest:
            return content
        return tuple(self._with(node, element, depth) for node in content)

    def _with(self, node: nodes.Node, element: str, depth: int) -> nodes.Node:
        """Return a node in which the word is replaced by an element."""
        word = self._word
        if isinstance(node, str):
            return node.replace(word, element) if word in node else node
        if isinstance(node, nodes.Extension):
            inner = None if node.inner is None else node.inner.replace(word, element)
            return nodes.Extension(
                node.name, node.attributes.replace(word, element), inner, node.close
            )
        if isinstance(node, nodes.Heading):
            content = self._replaced(node.content, element, depth + 1)
            return nodes.Heading(node.level, node.index, node.offset, content, node.certain)
        if isinstance(node, (nodes.Template, nodes.Argument)):
            title = self._replaced(node.title, element, depth + 1)
            parts = tuple(
                nodes.Part(
                    None if part.name is None else self._replaced(part.name, element, depth + 1),
                    self._replaced(part.value, element, depth + 1),
                )
                for part in node.parts
            )
            return type(node)(title, parts, node.at_line_start)
        return node


def _inside(node: nodes.Node) -> Iterator[nodes.Content]:
    """Yield the contents of a node's children."""
    if isinstance(node, nodes.Heading):
        yield node.content
    elif isinstance(node, (nodes.Template, nodes.Argument)):
        yield node.title
        for part in node.parts:
            yield from _of_part(part)


def _of_part(part: nodes.Part) -> Iterator[nodes.Content]:
    if part.name is not None:
        yield part.name
    yield part.value
