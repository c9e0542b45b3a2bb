"""The nodes of the preprocessor's tree. Text is plain ``str``.

Trees are immutable and shared between threads. Nodes compare by identity, since ``==`` and ``hash``
would overflow the stack on a deep tree.
"""

from __future__ import annotations

from dataclasses import dataclass


class StrayEquals(str):
    """A ``=`` that would separate a name from a value, if its call were closed. It is shown."""

    __slots__ = ()


@dataclass(frozen=True, slots=True, eq=False)
class Comment:
    """``<!-- -->``, including the rest of the line if it is alone on it."""

    text: str


@dataclass(frozen=True, slots=True, eq=False)
class Ignored:
    """An include tag, or text that is left out because the page is, or is not, transcluded."""

    text: str


@dataclass(frozen=True, slots=True, eq=False)
class Extension:
    """An extension tag.

    ``inner`` is ``None`` for ``<tag />``; ``close`` is the closing tag as written.
    """

    name: str
    attributes: str
    inner: str | None
    close: str

    @property
    def opening(self) -> str:
        """The opening tag as it is written in the text."""
        return f"<{self.name}{self.attributes}{'/>' if self.inner is None else '>'}"

    @property
    def source(self) -> str:
        """The tag as it is written in the text."""
        return f"{self.opening}{self.inner or ''}{self.close}"


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """An argument of a call: ``name=value``, or only a value (``name`` is ``None``)."""

    name: Content | None
    value: Content


@dataclass(frozen=True, slots=True, eq=False)
class Template:
    """``{{title|part|...}}``: a template, variable or parser function.

    ``at_line_start`` says whether it is at the start of a line.
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
    """A line ``== text ==``; ``content`` includes the ``=``.

    ``index`` counts the headings of a text from 1; ``offset`` is its position, in code points.
    Only a heading outside any call is ``certain`` to be shown, and can be edited as a section.
    """

    level: int
    index: int
    offset: int
    content: Content
    certain: bool


Node = str | Comment | Ignored | Extension | Template | Argument | Heading
Content = tuple[Node, ...]
