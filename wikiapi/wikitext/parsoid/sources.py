"""Sources of the parts of a page: calls and tags in its wikitext, as ``data-mw`` describes them."""

from __future__ import annotations

import json
import re
from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import dropwhile
from typing import Protocol
from urllib.parse import quote

from wikiapi.title.title import Title
from wikiapi.wikitext.expand.strip import StripState
from wikiapi.wikitext.parsoid.marks import BEGIN, ELEMENT, ELEMENT_LINE, END, comment, strip_kind
from wikiapi.wikitext.preprocess.nodes import (
    Argument,
    Comment,
    Content,
    Extension,
    Heading,
    Ignored,
    Node,
    Part,
    Template,
)
from wikiapi.wikitext.protocols import USUAL_PROTOCOLS, Protocols
from wikiapi.wikitext.syntax import HTML_SPACE, trim

UNQUOTED = "/:;@$!*(),'"
_QUOTED = re.compile(r"[%? \[\]#|<>]")
"""Matches the characters that are encoded in the URL of a page; others remain as they are."""


def local_href(title: Title) -> str:
    """Return the URL of a page relative to the rendered page: ``./Title``."""
    return "./" + _QUOTED.sub(lambda match: quote(match[0]), title.prefixed_dbkey)


def as_json(data: Mapping[str, object]) -> str:
    """Return data as JSON, the format of ``data-mw``."""
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"))


def source_of(content: Content) -> str:
    """Return the wikitext of a tree."""
    if len(content) == 1 and isinstance(content[0], str):
        return content[0]
    out: list[str] = []
    pending: list[Node] = list(reversed(content))
    while pending:
        node = pending.pop()
        if isinstance(node, str):
            out.append(node)
        elif isinstance(node, Comment | Ignored):
            out.append(node.text)
        elif isinstance(node, Extension):
            out.append(node.source)
        elif isinstance(node, Heading):
            pending += reversed(node.content)
        else:
            pending += reversed(tuple(unfolded(node)))
    return "".join(out)


def unfolded(node: Template | Argument) -> Iterator[Node]:
    """Yield the nodes of a call in the order of the source, with its braces, bars and ``=``."""
    braces = 2 if isinstance(node, Template) else 3
    yield "{" * braces
    yield from node.title
    for part in node.parts:
        yield "|"
        if part.name is not None:
            yield from part.name
            yield "="
        yield from part.value
    yield "}" * braces


class Source(Protocol):
    """What a part of the page comes from."""

    @property
    def types(self) -> str:
        """The value of ``typeof``."""

    def data(self) -> Mapping[str, object]:
        """Return the value of ``data-mw`` for a part that comes only from this source."""


@dataclass(frozen=True, slots=True, eq=False)
class CallSource:
    """A call in braces. ``href`` is the transcluded page, or ``function`` the parser function."""

    node: Template | Argument
    href: str = ""
    function: str = ""

    @property
    def types(self) -> str:
        """The value of ``typeof``."""
        return "mw:Transclusion" if isinstance(self.node, Template) else "mw:Param"

    def part(self, index: int) -> Mapping[str, object]:
        """Return the entry for ``parts`` in ``data-mw``; ``index`` counts the calls there."""
        target = {"wt": _target(self.node.title)}
        if self.href:
            target["href"] = self.href
        elif self.function:
            target["function"] = self.function
        kind = "template" if isinstance(self.node, Template) else "templatearg"
        parts = self.node.parts
        params = _unnamed(parts) if self.function or kind == "templatearg" else _params(parts)
        return {kind: {"target": target, "params": params, "i": index}}

    def data(self) -> Mapping[str, object]:
        """Return the value of ``data-mw`` for a part that comes only from this call."""
        return {"parts": [self.part(0)]}


def _target(title: Content) -> str:
    """Return the wikitext of the name of a call, without blanks and comments before it."""
    named = dropwhile(
        lambda node: isinstance(node, Comment) or (isinstance(node, str) and node.isspace()), title
    )
    return source_of(tuple(named)).lstrip(HTML_SPACE)


def _unnamed(parts: tuple[Part, ...]) -> Mapping[str, object]:
    """Return arguments by position, for calls that decide themselves whether ``=`` names one."""
    texts = (
        source_of(part.value if part.name is None else (*part.name, "=", *part.value))
        for part in parts
    )
    return {str(position): {"wt": text} for position, text in enumerate(texts, start=1)}


def _params(parts: tuple[Part, ...]) -> Mapping[str, object]:
    """Return arguments by name. Named ones are trimmed; of duplicates, the last wins."""
    params: dict[str, object] = {}
    position = 0
    for part in parts:
        value = source_of(part.value)
        if part.name is None:
            position += 1
            params[str(position)] = {"wt": value}
            continue
        written = trim(source_of(part.name))
        plain = trim(source_of(tuple(n for n in part.name if not isinstance(n, Comment))))
        param: dict[str, object] = {"wt": trim(value)}
        if written != plain:
            param["key"] = {"wt": written}
        params[plain] = param
    return params


@dataclass(frozen=True, slots=True, eq=False)
class TagSource:
    """An extension tag, with its attributes decoded."""

    name: str
    attributes: Mapping[str, str]
    inner: str | None
    is_generated: bool = False
    """Whether it was added without a tag in the source, such as a list of references."""

    @property
    def types(self) -> str:
        """The value of ``typeof``."""
        return f"mw:Extension/{self.name}"

    def data(self) -> Mapping[str, object]:
        """Return the value of ``data-mw`` for a part that comes only from this tag."""
        data: dict[str, object] = {"name": self.name, "attrs": dict(self.attributes)}
        if self.inner is not None:
            data["body"] = {"extsrc": self.inner}
        if self.is_generated:
            data["autoGenerated"] = True
        return data


class NowikiSource:
    """Text in ``<nowiki>``."""

    types = "mw:Nowiki"

    def data(self) -> Mapping[str, object]:
        """Return an empty mapping, since such text has no ``data-mw``."""
        return {}


@dataclass(slots=True, eq=False)
class Level:
    """Text whose calls and tags are marked: that of the page, or the content of a tag."""

    content: Content
    numbers: dict[Node, int] = field(default_factory=dict)
    """The numbers of the marks by node."""

    def parts(self, sources: Sources, numbers: frozenset[int]) -> list[object]:
        """Return ``parts`` of ``data-mw``: the numbered calls and the wikitext between them."""
        parts: list[object] = []
        literal: list[str] = []
        calls = 0
        for node in _flat(self.content):
            source = sources.get(self.numbers.get(node, -1)) if not isinstance(node, str) else None
            if isinstance(source, CallSource) and self.numbers[node] in numbers:
                if literal:
                    parts.append("".join(literal))
                literal = []
                parts.append(source.part(calls))
                calls += 1
                if calls == len(numbers):
                    break
            elif calls:
                literal.append(source_of((node,)))
        return parts


def _flat(content: Content) -> Iterator[Node]:
    """Yield the nodes of a text, with headings replaced by the nodes within."""
    for node in content:
        if isinstance(node, Heading):
            yield from node.content
        else:
            yield node


@dataclass(slots=True, eq=False)
class Entry:
    """A marked source. ``level`` is the text that contains it, if the calls there are marked.

    ``serial`` is its position in the order of the page's source.
    """

    source: Source
    level: Level | None
    serial: int


class Sources:
    """The sources of the parts of one page, by the numbers of their marks."""

    def __init__(self, strip: StripState, protocols: Protocols = USUAL_PROTOCOLS) -> None:
        """Create the marks in ``strip``; ``protocols`` are those of the wiki's external links."""
        self._strip = strip
        self.protocols = protocols
        self._entries: list[Entry] = []
        self._elements: list[str] = []
        self._attributes: dict[int, tuple[str, str]] = {}
        self._serial = 0
        self._reserved: dict[str, deque[int]] = {}

    @property
    def has_reserved(self) -> bool:
        """Whether serial numbers have been reserved."""
        return bool(self._reserved)

    def next_serial(self, source: str = "") -> int:
        """Return the next serial number, or one that was reserved for this wikitext."""
        if waiting := self._reserved.get(source):
            return waiting.popleft()
        self._serial += 1
        return self._serial

    def reserve(self, content: Content) -> None:
        """Reserve serial numbers for calls in a tag's content, which may be expanded later."""
        for node in _flat(content):
            if isinstance(node, Template):
                self._serial += 1
                self._reserved.setdefault(source_of((node,)), deque()).append(self._serial)

    def add(self, source: Source, level: Level | None, serial: int) -> int:
        """Add a source; return the number of its marks."""
        self._entries.append(Entry(source, level, serial))
        return len(self._entries) - 1

    def entry(self, number: int) -> Entry | None:
        """Return the entry with a number, or ``None``."""
        return self._entries[number] if 0 <= number < len(self._entries) else None

    def get(self, number: int) -> Source | None:
        """Return the source with a number, or ``None``."""
        entry = self.entry(number)
        return entry.source if entry else None

    def note_attribute(self, number: int, name: str, text: str) -> None:
        """Record the attribute of an element that a source has produced, and its text."""
        self._attributes[number] = name, text

    def attribute(self, number: int) -> tuple[str, str]:
        """Return the name and text that :meth:`note_attribute` has recorded."""
        return self._attributes.get(number, ("", ""))

    def mark(self, kind: str, number: int) -> str:
        """Return a mark for wikitext."""
        return self._strip.add_general(comment(kind, number), strip_kind(kind, number))

    def around(self, text: str, number: int) -> str:
        """Return wikitext between the marks of a source, with a leading line break outside them."""
        start = "\n" if text.startswith("\n") else ""
        begin, end = self.mark(BEGIN, number), self.mark(END, number)
        return f"{start}{begin}{text.removeprefix(start)}{end}"

    def generated(self, html: str, name: str) -> str:
        """Return HTML between the marks of a tag that is not in the source."""
        source = TagSource(name, {}, None, is_generated=True)
        return around_html(html, self.add(source, None, self.next_serial()))

    def element(self, html: str, *, own_line: bool = False) -> str:
        """Return a mark for wikitext that stands for an invisible element."""
        self._elements.append(html)
        return self.mark(ELEMENT_LINE if own_line else ELEMENT, len(self._elements) - 1)

    def element_html(self, number: int) -> str:
        """Return the element that a mark stands for."""
        return self._elements[number] if number < len(self._elements) else ""


def around_html(html: str, number: int) -> str:
    """Return HTML between the marks of its source."""
    return f"{comment(BEGIN, number)}{html}{comment(END, number)}"
