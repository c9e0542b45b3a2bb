"""Sources of the parts of a page: calls and tags in its wikitext, as ``data-mw`` describes them."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import dropwhile
from types import MappingProxyType
from typing import NamedTuple, Protocol
from urllib.parse import quote

from wikiapi.texts import TRIMMED, trim
from wikiapi.title.title import Title
from wikiapi.wikitext.expand.strip import StripState
from wikiapi.wikitext.parsoid.attributes import Attribute, Description
from wikiapi.wikitext.parsoid.extents import CALL, COMMENT, IGNORED, Extents
from wikiapi.wikitext.parsoid.marks import BEGIN, ELEMENT, END, comment, strip_kind, without_marks
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
from wikiapi.wikitext.syntax import HTML_SPACE

NONE: Mapping[str, str] = MappingProxyType({})
_REPLACED = MappingProxyType({Comment: COMMENT, Ignored: IGNORED})
UNQUOTED = "/:;@$!*(),'{}"
_QUOTED = re.compile(r"[%? \[\]#|<>]")
"""Matches the characters that are encoded in the URL of a page; others remain as they are."""


def local_href(title: Title) -> str:
    """Return the URL of a page relative to the rendered page: ``./Title``."""
    return "./" + _QUOTED.sub(lambda match: quote(match[0]), title.prefixed_dbkey)


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
        elif isinstance(node, Template):
            pending += _unfolded_backwards(node, 2)
        elif isinstance(node, Argument):
            pending += _unfolded_backwards(node, 3)
        elif isinstance(node, Extension):
            out.append(node.source)
        elif isinstance(node, Heading):
            pending += reversed(node.content)
        else:
            out.append(node.text)
    return "".join(out)


def unfolded(node: Template | Argument) -> Iterable[Node]:
    """Return the nodes of a call in the order of the source, with its braces, bars and ``=``."""
    return reversed(_unfolded_backwards(node, 2 if isinstance(node, Template) else 3))


def _unfolded_backwards(node: Template | Argument, braces: int) -> list[Node]:
    nodes: list[Node] = ["{" * braces, *node.title]
    for part in node.parts:
        nodes.append("|")
        if part.name is not None:
            nodes += part.name
            nodes.append("=")
        nodes += part.value
    nodes.append("}" * braces)
    nodes.reverse()
    return nodes


PARAMETER = "mw:Param"
"""The value of ``typeof`` for the parameter of a template that is itself shown as a page."""


class Source(Protocol):
    """What a part of the page comes from."""

    @property
    def types(self) -> str:
        """The value of ``typeof``."""

    def data(self) -> Mapping[str, object]:
        """Return the value of ``data-mw`` for a part that comes only from this source."""


@dataclass(slots=True, eq=False)
class CallSource:
    """A call in braces.

    ``href`` and ``title`` are the transcluded page, or ``function`` the parser function.
    ``begins_line`` is whether its result follows a line break that is not in the source, so that
    it can be a list.
    """

    node: Template | Argument
    href: str = ""
    function: str = ""
    begins_line: bool = False
    title: Title | None = None

    @property
    def types(self) -> str:
        """The value of ``typeof``."""
        return "mw:Transclusion" if isinstance(self.node, Template) else PARAMETER

    def part(self, index: int) -> Mapping[str, object]:
        """Return the entry for ``parts`` in ``data-mw``; ``index`` counts the calls there."""
        # The name, without blanks and comments before it.
        named = dropwhile(
            lambda node: isinstance(node, Comment) or (isinstance(node, str) and node.isspace()),
            self.node.title,
        )
        target = {"wt": source_of(tuple(named)).lstrip(HTML_SPACE)}
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

    def parameters(self) -> list[Mapping[str, object]]:
        """Return what ``data-parsoid`` says of the arguments: names, and the blanks around them."""
        parts = self.node.parts
        if self.function or isinstance(self.node, Argument):
            return []
        params: dict[str, Mapping[str, object]] = {}
        position = 0
        for part in parts:
            if part.name is None:
                position += 1
                params[str(position)] = {"k": str(position)}
                continue
            texts = source_of(part.name), source_of(part.value)
            name = trim(source_of(tuple(n for n in part.name if not isinstance(n, Comment))))
            blanks = [blank for text in texts for blank in _blanks_around(text)]
            params[name] = {"k": name, "named": True, **({"spc": blanks} if any(blanks) else {})}
        return list(params.values())


def _unnamed(parts: tuple[Part, ...]) -> Mapping[str, object]:
    """Return arguments by position, for calls that decide themselves whether ``=`` names one."""
    texts = (
        source_of(part.value if part.name is None else (*part.name, "=", *part.value))
        for part in parts
    )
    return {str(position): {"wt": text} for position, text in enumerate(texts, start=1)}


def _blanks_around(text: str) -> tuple[str, str]:
    """Return the blanks before and after a text."""
    start = len(text) - len(text.lstrip(TRIMMED))
    return text[:start], text[len(text.rstrip(TRIMMED)) :] if start < len(text) else ""


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
        plain = written
        if any(isinstance(node, Comment) for node in part.name):
            plain = trim(source_of(tuple(n for n in part.name if not isinstance(n, Comment))))
        param: dict[str, object] = {"wt": trim(value)}
        if written != plain:
            param["key"] = {"wt": written}
        params[plain] = param
    return params


class TagPlace(NamedTuple):
    """Where a tag is in the page, and how long its opening and closing tags are, in bytes."""

    start: int
    end: int
    opening: int
    closing: int


@dataclass(slots=True, eq=False)
class TagSource:
    """An extension tag, with its attributes decoded."""

    name: str
    attributes: Mapping[str, str]
    inner: str | None
    is_generated: bool = False
    """Whether it was added without a tag in the source, such as a list of references."""
    node: Extension | None = None
    """The tag as it is in the text; ``None`` if it was added."""
    level: Level | None = None
    """The text that contains it, if the tags there are marked."""
    serial: int = 0
    """The number for ``about``; 0 until one was taken."""
    is_in_call: bool = False
    """Whether it comes from a call that is marked."""
    html: str | None = None
    """The HTML of the content, if it is not shown where the tag is."""

    @property
    def types(self) -> str:
        """The value of ``typeof``."""
        return f"mw:Extension/{self.name}"

    @property
    def place(self) -> TagPlace | None:
        """Where it is in the page; ``None`` if it is not part of the page's own text."""
        node = self.node
        span = None if node is None or self.level is None else self.level.page_range(node)
        if node is None or span is None:
            return None
        return TagPlace(*span, len(node.opening.encode()), len(node.close.encode()))

    def data(self) -> Mapping[str, object]:
        """Return the value of ``data-mw`` for a part that comes only from this tag."""
        data: dict[str, object] = {"name": self.name, "attrs": dict(self.attributes)}
        if self.inner is not None:
            data["body"] = {"extsrc": self.inner}
        if self.is_generated:
            data["autoGenerated"] = True
        if self.html is not None:
            data["html"] = self.html
        return data


class SourceRange(NamedTuple):
    """Where a part of some wikitext begins and ends."""

    start: int
    end: int


@dataclass(slots=True, eq=False)
class Level:
    """Text whose calls and tags are marked: that of the page, or the content of a tag."""

    content: Content
    is_page: bool = False
    """Whether it is the text of the page. Of other texts, only calls with reserved serial numbers
    are marked: what comes from a tag within a call is part of that."""
    start: int | None = None
    """The position of the text in the page, in bytes; ``None`` if it is not part of the page."""
    _ranges: dict[Node, SourceRange] = field(default_factory=dict)
    _bytes: dict[int, int] = field(default_factory=dict)
    """Lengths in bytes of the text before its calls and tags, by their positions."""
    _pieces: list[tuple[Node, str]] = field(default_factory=list)
    """The nodes with their wikitext."""
    _text: str | None = None
    _extents: Extents | None = None

    @property
    def text(self) -> str:
        """The wikitext."""
        if self._text is None:
            self._text = "".join([source for _, source in self._sources()])
        return self._text

    def _sources(self) -> list[tuple[Node, str]]:
        """Return the nodes with their wikitext, which is written only once."""
        if not self._pieces:
            self._pieces = [
                (each, each if isinstance(each, str) else source_of((each,)))
                for each in _flat(self.content)
            ]
        return self._pieces

    @property
    def extents(self) -> Extents:
        """Where elements begin and end in the text."""
        if self._extents is None:
            pieces = (
                source if isinstance(each, str) else _REPLACED.get(type(each), CALL) * len(source)
                for each, source in self._sources()
            )
            self._extents = Extents("".join(pieces))
        return self._extents

    def range_of(self, node: Node) -> SourceRange | None:
        """Return where a call or tag is in the text."""
        if not self._ranges:
            position = 0
            for each, source in self._sources():
                end = position + len(source)
                if not isinstance(each, str):
                    self._ranges[each] = SourceRange(position, end)
                position = end
        return self._ranges.get(node)

    def page_range(self, node: Node) -> SourceRange | None:
        """Return where a call or tag is in the page, in bytes."""
        span = self.range_of(node)
        if span is None or self.start is None:
            return None
        if not self._bytes:
            position = length = 0
            for start in sorted(each.start for each in self._ranges.values()):
                length += len(self.text[position:start].encode())
                self._bytes[start] = length
                position = start
        start = self.start + self._bytes[span.start]
        return SourceRange(start, start + len(self.text[span.start : span.end].encode()))

    def first_of(self, sources: Sources, numbers: Iterable[int]) -> int | None:
        """Return where the first of the numbered calls begins."""
        spans = (
            self.range_of(source.node)
            for number in numbers
            if isinstance(source := sources.get(number), CallSource)
        )
        return min((span.start for span in spans if span), default=None)

    def parts(
        self, sources: Sources, numbers: Iterable[int], start: int | None, end: int | None
    ) -> list[object]:
        """Return ``parts`` of ``data-mw``: the numbered calls and the wikitext between them.

        ``start`` and ``end`` are where the part of the text begins and ends that belongs to them.
        """
        calls = []
        for number in numbers:
            source = sources.get(number)
            if isinstance(source, CallSource) and (span := self.range_of(source.node)):
                calls.append((span, source))
        calls.sort(key=lambda call: call[0])
        if not calls:
            return []
        parts: list[object] = []
        first = calls[0][0].start - len(sources.text_before(calls[0][1]))
        done = first if start is None else min(start, first)
        for index, (span, source) in enumerate(calls):
            parts += (self.text[done : span.start], source.part(index))
            done = span.end
        parts.append(self.text[done:end] if end is not None else "")
        return [part for part in parts if part != ""]


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


_MAX_DIGITS = 9
CAPTION = "data-mw-caption"
"""The attribute for the number of a picture's caption, until ``data-mw`` has the caption."""


class Sources:
    """The sources of the parts of one page, by the numbers of their marks."""

    def __init__(self, strip: StripState, protocols: Protocols = USUAL_PROTOCOLS) -> None:
        """Create the marks in ``strip``; ``protocols`` are those of the wiki's external links."""
        self._strip = strip
        self.protocols = protocols
        self._entries: list[Entry] = []
        self._elements: list[str] = []
        self._attributes: dict[int, Sequence[Attribute]] = {}
        self._before: dict[Source, str] = {}
        self._last_calls: dict[int, int] = {}
        """The serial numbers of the last calls in these attributes."""
        self._expanded: list[int] = []
        """The serial numbers of calls after which elements with attributes from calls follow."""
        self.captions: list[str] = []
        """The captions of pictures that do not show them, half-parsed, later finished HTML."""
        self.tag: TagSource | None = None
        """The tag whose function is being called."""
        self._serial = 0
        self._reserved: dict[str, deque[int]] = {}

    @property
    def has_reserved(self) -> bool:
        """Whether serial numbers have been reserved."""
        return bool(self._reserved)

    def take_reserved(self, source: str) -> int | None:
        """Return a serial number that was reserved for a call; ``None`` if there is none left."""
        waiting = self._reserved.get(source)
        return waiting.popleft() if waiting else None

    def next_serial(self) -> int:
        """Return the next serial number."""
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

    def is_pipe(self, number: int) -> bool:
        """Return whether a source is a call of ``{{!}}``."""
        source = self.get(number)
        return isinstance(source, CallSource) and source.function == "!"

    def note_attributes(self, numbers: Sequence[int], attributes: Sequence[Attribute]) -> None:
        """Record attributes of an element that calls have made, by the first of these calls."""
        self._attributes[numbers[0]] = attributes
        self._last_calls[numbers[0]] = max(self._entries[number].serial for number in numbers)

    def note_text_before(self, number: int, text: str) -> None:
        """Record wikitext immediately before a call that is one piece of markup with its result."""
        source = self.get(number)
        if source is not None:
            self._before[source] = text

    def text_before(self, source: Source) -> str:
        """Return the wikitext that :meth:`note_text_before` has recorded."""
        return self._before.get(source, "")

    def attributes(self, number: int) -> Sequence[Attribute]:
        """Return the attributes that :meth:`note_attributes` has recorded."""
        return self._attributes.get(number, ())

    def about(self, serial: int) -> str:
        """Return the value of ``about`` for a call or tag with a serial number."""
        return f"#mwt{serial + bisect_left(self._expanded, serial)}"

    def number_attributes(self, elements: Iterable[Sequence[int]]) -> None:
        """Give elements numbers of their own, after the calls in their attributes.

        ``elements`` are the first calls in the attributes of each element.
        """
        for numbers in elements:
            count = sum(len(self.attributes(number)) for number in numbers)
            self._expanded += [self._last_call(numbers)] * count
        self._expanded.sort()

    def about_attributes(self, numbers: Sequence[int]) -> str:
        """Return the value of ``about`` for an element, by the first calls in its attributes."""
        last = self._last_call(numbers)
        return f"#mwt{last + bisect_right(self._expanded, last)}"

    def _last_call(self, numbers: Sequence[int]) -> int:
        return max(self._last_calls.get(number, 0) for number in numbers)

    def description(self, number: int) -> Description | None:
        """Return what is said of a call within an attribute, or ``None``."""
        entry = self.entry(number)
        if entry is None or not isinstance(entry.source, CallSource):
            return None
        source, parsoid = entry.source, {"pi": [entry.source.parameters()]}
        span = entry.level.page_range(source.node) if entry.level else None
        placed = {} if span is None else {**parsoid, "dsr": [*span, None, None]}
        return Description(self.about(entry.serial), source.types, placed, source.data())

    def mark(self, kind: str, number: int) -> str:
        """Return a mark for wikitext."""
        return self._strip.add_general(comment(kind, number), strip_kind(kind, number))

    def around(self, text: str, number: int) -> str:
        """Return wikitext between the marks of its source."""
        return f"{self.mark(BEGIN, number)}{text}{self.mark(END, number)}"

    def serial_of(self, tag: TagSource) -> int:
        """Return the serial number of a tag, the next one unless it has one."""
        tag.serial = tag.serial or self.next_serial()
        return tag.serial

    def note_html(self, html: str) -> None:
        """Record the HTML of the tag whose function is being called, which is shown elsewhere.

        The element of a single paragraph is left out.
        """
        if self.tag:
            text = without_marks(html).strip()
            if text.startswith("<p>") and text.find("</p>") == len(text) - len("</p>"):
                text = text.removeprefix("<p>").removesuffix("</p>").rstrip("\n")
            self.tag.html = text

    def about_tag(self) -> str:
        """Return the value of ``about`` for the tag whose function is being called."""
        return f"#mwt{self.serial_of(self.tag)}" if self.tag else ""

    def generated(self, html: str, name: str, attributes: Mapping[str, str] = NONE) -> str:
        """Return HTML between the marks of a tag that is not in the source."""
        source = TagSource(name, attributes, None, is_generated=True)
        return around_html(html, self.add(source, None, self.next_serial()))

    def hold_caption(self, text: str) -> str:
        """Hold a half-parsed caption, and return its number."""
        self.captions.append(text)
        return str(len(self.captions) - 1)

    def caption(self, number: str) -> str | None:
        """Return the caption with a number, which may be any text in raw HTML."""
        is_number = number.isascii() and number.isdecimal() and len(number) <= _MAX_DIGITS
        captions = self.captions
        return captions[int(number)] if is_number and int(number) < len(captions) else None

    def element(self, html: str) -> str:
        """Return a mark for wikitext that stands for an invisible element."""
        self._elements.append(html)
        return self.mark(ELEMENT, len(self._elements) - 1)

    def element_html(self, number: int) -> str:
        """Return the element that a mark stands for."""
        return self._elements[number] if number < len(self._elements) else ""


def around_html(html: str, number: int) -> str:
    """Return HTML between the marks of its source."""
    return f"{comment(BEGIN, number)}{html}{comment(END, number)}"
