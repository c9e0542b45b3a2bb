"""The preprocessor's tree. Immutable and shared between threads; plain text is plain ``str``.

Nodes compare by identity: a deep tree must not be walked by ``==`` or ``hash``.
"""

from __future__ import annotations

from dataclasses import dataclass


class StrayEquals(str):
    """A ``=`` that would part a name from a value, in a call without end: text that shows."""

    __slots__ = ()


@dataclass(frozen=True, slots=True, eq=False)
class Comment:
    """``<!-- -->``, with the line it stands on alone."""

    text: str


@dataclass(frozen=True, slots=True, eq=False)
class Ignored:
    """An include tag, or text that this way of inclusion leaves out."""

    text: str


@dataclass(frozen=True, slots=True, eq=False)
class Extension:
    """An extension tag.

    ``inner`` is ``None`` for ``<tag />``; ``close`` is the end tag as written.
    """

    name: str
    attributes: str
    inner: str | None
    close: str

    @property
    def source(self) -> str:
        """The tag as it stands in the text."""
        end = "/>" if self.inner is None else ">"
        return f"<{self.name}{self.attributes}{end}{self.inner or ''}{self.close}"


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """What follows a ``|``: ``name=value``, or a value alone (``name`` is ``None``)."""

    name: Content | None
    value: Content


@dataclass(frozen=True, slots=True, eq=False)
class Template:
    """``{{title|part|...}}``: a template, variable or parser function.

    ``at_line_start`` says whether it begins a line.
    """

    title: Content
    parts: tuple[Part, ...]
    at_line_start: bool


@dataclass(frozen=True, slots=True, eq=False)
class Argument:
    """``{{{title|default}}}``."""

    title: Content
    parts: tuple[Part, ...]
    at_line_start: bool


@dataclass(frozen=True, slots=True, eq=False)
class Heading:
    """A line ``== text ==``; ``content`` holds all of it.

    ``index`` counts the headings of a text from 1; ``offset`` is where it starts, in code points.
    Only a heading outside any call is ``certain`` to be one: it alone can be edited as a section.
    """

    level: int
    index: int
    offset: int
    content: Content
    certain: bool


Node = str | Comment | Ignored | Extension | Template | Argument | Heading
Content = tuple[Node, ...]
