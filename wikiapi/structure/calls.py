"""Calls of templates in a page's source, with their arguments and positions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from wikiapi.structure.texts import plain_text
from wikiapi.texts import trim
from wikiapi.title.title import Title
from wikiapi.wikitext.parser import Parser
from wikiapi.wikitext.parsoid.sources import source_of, unfolded
from wikiapi.wikitext.preprocess.nodes import (
    Argument,
    Comment,
    Content,
    Extension,
    Heading,
    Node,
    Template,
)

_WIKITEXT_TAGS = frozenset({"gallery", "indicator", "poem", "ref", "references", "section"})
"""Extension tags whose content is wikitext."""


@dataclass(frozen=True, slots=True)
class TemplateArgument:
    """The value of an argument: ``source`` is its wikitext, without blanks if it has a name."""

    name: str
    source: str
    _render: Callable[[str], str] = field(repr=False, compare=False)

    @property
    def html(self) -> str:
        """The value rendered as a part of the page."""
        return self._render(self.source)

    @property
    def text(self) -> str:
        """The rendered value without markup."""
        return plain_text(self.html)


@dataclass(frozen=True, slots=True)
class TemplateCall:
    """A call such as ``{{Name|first|key=value}}``.

    Attributes:
        name: the name as written, without blanks and comments.
        title: the page that is transcluded; empty if the name itself has calls, or is invalid.
        start: the position of the first brace in the page's source, in code points.
        end: the position after the last brace.
        depth: the number of calls around this one.
    """

    name: str
    title: str
    start: int
    end: int
    depth: int
    _page: str = field(repr=False, compare=False)
    _node: Template = field(repr=False, compare=False)
    _render: Callable[[str], str] = field(repr=False, compare=False)

    @property
    def source(self) -> str:
        """The call as written."""
        return self._page[self.start : self.end]

    @property
    def html(self) -> str:
        """The call rendered as a part of the page."""
        return self._render(self.source)

    @property
    def text(self) -> str:
        """The rendered call without markup."""
        return plain_text(self.html)

    @property
    def arguments(self) -> Mapping[str, TemplateArgument]:
        """The arguments by name; those without one are numbered from 1. The last one wins."""
        arguments: dict[str, TemplateArgument] = {}
        position = 0
        for part in self._node.parts:
            source = source_of(part.value)
            if part.name is None:
                position += 1
                name = str(position)
            else:
                name, source = _without_comments(part.name), trim(source)
            arguments[name] = TemplateArgument(name, source, self._render)
        return arguments

    def get(self, name: str, default: str = "") -> str:
        """Return the wikitext of an argument, or ``default`` if it is missing or empty."""
        argument = self.arguments.get(name)
        return (argument and argument.source) or default


def template_calls(
    text: str, page: Title, parser: Parser, render: Callable[[str], str]
) -> list[TemplateCall]:
    """Return the calls of templates in a page's source, in the order in which they begin.

    Calls in arguments and in the content of tags such as ``<ref>`` are included, parser functions
    and variables are not.

    Args:
        text: the page's source.
        page: its title, to which the names of subpages are relative.
        parser: reads the source.
        render: returns a text of the page as HTML.
    """
    state = parser.new_state(page)
    calls: list[TemplateCall] = []
    position = 0
    # ``None`` stands for the end of the call that has begun last.
    begun: list[tuple[int, Template]] = []
    pending: list[Node | None] = [*reversed(parser.preprocessor.tree(text))]
    while pending:
        node = pending.pop()
        if node is None:
            start, template = begun.pop()
            name = _without_comments(template.title)
            if parser.registries.is_magic_word(name):
                continue
            title = (
                state.templates.title(name)
                if name and all(isinstance(node, str | Comment) for node in template.title)
                else None
            )
            written = title.prefixed_text if title else ""
            depth = len(begun)
            calls.append(
                TemplateCall(name, written, start, position, depth, text, template, render)
            )
        elif isinstance(node, Template):
            begun.append((position, node))
            pending.append(None)
            pending += reversed(list(unfolded(node)))
        elif isinstance(node, Argument):
            pending += reversed(list(unfolded(node)))
        elif isinstance(node, Heading):
            pending += reversed(node.content)
        elif isinstance(node, Extension) and node.name in _WIKITEXT_TAGS and node.inner:
            pending.append(node.close)
            pending += reversed(parser.preprocessor.tree(node.inner))
            pending.append(f"<{node.name}{node.attributes}>")
        else:
            position += len(source_of((node,)))
    return sorted(calls, key=lambda call: (call.start, call.depth))


def _without_comments(content: Content) -> str:
    return trim(source_of(tuple(node for node in content if not isinstance(node, Comment))))
