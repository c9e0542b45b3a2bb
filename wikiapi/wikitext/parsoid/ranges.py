"""Converts marks to attributes that say which call or tag of the source elements come from."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

from selectolax.lexbor import LexborHTMLParser

from wikiapi.budget import Budget
from wikiapi.wikitext.html.entities import escape_text, finished_attributes
from wikiapi.wikitext.parsoid.marks import (
    AROUND,
    ATTRIBUTE,
    BEGIN,
    COMMENT,
    ELEMENT,
    ELEMENT_LINE,
    END,
    start_of_trailing,
)
from wikiapi.wikitext.parsoid.outline import NO_TEXT, Outline, Range
from wikiapi.wikitext.parsoid.sources import CallSource, Entry, NowikiSource, Sources, as_json
from wikiapi.wikitext.syntax import HTML_SPACE

if TYPE_CHECKING:
    from selectolax.lexbor import LexborNode

_HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
_TRANSCLUSION = "mw:Transclusion"
_EXTENSION = "mw:Extension/"
_EXPANDED = "mw:ExpandedAttrs"


def place_elements(html: str, sources: Sources) -> str:
    """Return the HTML with marks that stand for elements replaced by these.

    Elements that are on separate lines at the end of a paragraph are moved after it.
    """
    pieces = html.split("</p>")
    for index, piece in enumerate(pieces[:-1]):
        start = _start_of_lines(piece)
        pieces[index] = f"{piece[:start].rstrip()}</p>{piece[start:]}"

    def placed(match: str, kind: str, number: int) -> str:
        if kind not in (ELEMENT, ELEMENT_LINE):
            return match
        before = "\n" if kind == ELEMENT_LINE else ""
        return before + sources.element_html(number)

    return COMMENT.sub(lambda match: placed(match[0], match[1], int(match[2])), "".join(pieces))


def _start_of_lines(text: str) -> int:
    """Return where the elements on separate lines begin that are at the end of a text."""
    start = start_of_trailing(text, HTML_SPACE)
    return next(
        (match.start() for match in COMMENT.finditer(text, start) if match[1] == ELEMENT_LINE),
        len(text),
    )


class _Mark(NamedTuple):
    """A mark in a document, with its place in the outline."""

    place: int
    kind: str
    number: int


def heading_of(node: LexborNode | None) -> LexborNode | None:
    """Return the heading element if a node is the wrapper of a heading, or ``None``."""
    if (
        node is None
        or node.tag != "div"
        or "mw-heading" not in (node.attributes.get("class") or "").split()
    ):
        return None
    child = node.child
    return child if child is not None and child.tag in _HEADINGS else None


@dataclass(slots=True)
class _Found:
    """The nodes that come from one source, or from several sources that share elements."""

    entries: dict[int, Entry]
    range: Range
    is_empty: bool = False

    @property
    def serial(self) -> int:
        return min(entry.serial for entry in self.entries.values())


class Ranges:
    """The parts of one document that come from calls and tags."""

    def __init__(self, parser: LexborHTMLParser, sources: Sources, budget: Budget) -> None:
        """Prepare to convert the marks of the document that ``parser`` has read."""
        self._parser = parser
        self._sources = sources
        self._budget = budget
        self.within: set[int] = set()
        """The ``mem_id`` of elements within elements that come from a call."""

    def describe(self, body: LexborNode) -> None:
        """Add ``about``, ``typeof`` and ``data-mw`` to the elements, and remove the marks."""
        outline = Outline(body, self._budget)
        marks = [
            _Mark(place, match[1], int(match[2]))
            for place, node in enumerate(outline.nodes)
            if node.is_comment_node and (match := COMMENT.fullmatch(node.html or ""))
        ]
        for found in self._found(outline, marks):
            self._describe(outline, found)
        self._describe_attributes(outline, marks)
        for place, _, _ in marks:
            node = outline.nodes[place]
            if node.parent is not None:
                node.remove()

    def _found(self, outline: Outline, marks: Sequence[_Mark]) -> list[_Found]:
        """Return the nodes that come from tags, and from calls, merged if they share elements."""
        begun: dict[int, int] = {}
        calls: dict[object, list[_Found]] = {}
        tags: list[_Found] = []
        seen: set[int] = set()
        for place, kind, number in marks:
            if kind == BEGIN:
                begun[number] = place
            entry = self._sources.entry(number)
            if kind != END or number not in begun or entry is None:
                continue
            if number in seen:
                # The cached text of a template repeats the marks of its tags. Each repetition
                # becomes a separate element.
                entry = replace(entry, serial=self._sources.next_serial())
            seen.add(number)
            found = outline.between(begun.pop(number), place)
            item = _Found({number: entry}, found or Range(place, place), is_empty=found is None)
            if isinstance(entry.source, CallSource):
                _merge(outline, calls.setdefault(entry.level, []), item)
            else:
                tags.append(item)
        merged = [found for level in calls.values() for found in level]
        # The last one described is named first in the attributes of a shared element.
        return [*tags, *merged]

    def _describe(self, outline: Outline, found: _Found) -> None:
        types, data = self._type_and_data(found)
        if found.is_empty:
            self._put(outline.nodes[found.range.last], found, types, data)
            return
        places = list(outline.siblings(found.range))
        is_call = types.startswith(_TRANSCLUSION)
        parent = outline.nodes[outline.parents[found.range.first]]
        first = True
        for place in places:
            node = outline.nodes[place]
            if node.is_text_node and parent.tag in NO_TEXT:
                continue
            element = self._wrapped(outline, place) if node.is_text_node else node
            if element is None or not element.is_element_node:
                continue
            element = heading_of(element) or element
            self._add(element, found, types if first else "", data if first else {})
            first = False
            if is_call:
                self.within.update(
                    outline.nodes[inner].mem_id
                    for inner in range(place + 1, outline.ends[place] + 1)
                )

    def _wrapped(self, outline: Outline, place: int) -> LexborNode | None:
        """Replace a text node by a ``span`` that contains it, and return that."""
        text = outline.nodes[place]
        span = self._parser.create_node("span")
        span.inner_html = text.html or ""
        text.insert_before(span)
        element = text.prev
        text.remove()
        if element is not None:
            outline.nodes[place] = element
        return element

    def _put(self, mark: LexborNode, found: _Found, types: str, data: Mapping[str, object]) -> None:
        """Insert an element before a mark, to describe a source that has produced no nodes."""
        parent = mark.parent
        has_text = parent is None or parent.tag not in NO_TEXT
        element = self._parser.create_node(
            "span" if has_text and not types.startswith(_EXTENSION) else "meta"
        )
        mark.insert_before(element)
        if mark.prev is not None:
            self._add(mark.prev, found, types, data)

    def _type_and_data(self, found: _Found) -> tuple[str, Mapping[str, object]]:
        """Return the values of ``typeof`` and ``data-mw``."""
        if len(found.entries) == 1:
            source = next(iter(found.entries.values())).source
            return source.types, source.data()
        entry = next(iter(found.entries.values()))
        level = entry.level
        parts = level.parts(self._sources, frozenset(found.entries)) if level else []
        return _TRANSCLUSION, {"parts": parts}

    def _add(self, node: LexborNode, found: _Found, types: str, data: Mapping[str, object]) -> None:
        if types == NowikiSource.types:
            node.attrs["typeof"] = types
            return
        node.attrs["about"] = f"#mwt{found.serial}"
        if not types:
            return
        known = (node.attributes.get("typeof") or "").split()
        node.attrs["typeof"] = " ".join([types, *(kind for kind in known if kind != types)])
        written = node.attributes.get("data-mw")
        self._set_data(node, {**data, **(json.loads(written) if written else {})})

    def _set_data(self, node: LexborNode, data: Mapping[str, object]) -> None:
        text = as_json(data)
        self._budget.keep(text)
        node.attrs["data-mw"] = text

    def _describe_attributes(self, outline: Outline, marks: Sequence[_Mark]) -> None:
        """Add ``data-mw`` for calls in the tags of elements."""
        attributes: dict[int, list[int]] = {}
        element = read = len(outline.nodes)
        for mark in reversed(marks):
            if mark.kind == AROUND:
                attributes.setdefault(outline.parents[mark.place], []).append(mark.number)
            elif mark.kind == ATTRIBUTE:
                element = next(
                    (place for place in range(mark.place, read) if outline.is_written(place)),
                    element,
                )
                read = mark.place
                attributes.setdefault(element, []).append(mark.number)
        for place, numbers in attributes.items():
            if place < len(outline.nodes):
                self._expanded(outline.nodes[place], numbers[::-1])

    def _expanded(self, node: LexborNode, numbers: Sequence[int]) -> None:
        attribs = []
        for number in numbers:
            entry = self._sources.entry(number)
            if entry is None:
                continue
            name, text = self._sources.attribute(number)
            about = f"#mwt{entry.serial}"
            attributes = {
                "about": about,
                "typeof": entry.source.types,
                "data-mw": as_json(entry.source.data()),
            }
            html = f"<span{finished_attributes(attributes)}>{escape_text(text)}</span>"
            attribs.append([{"txt": name}, {"html": html}])
            if "about" not in node.attributes:
                node.attrs["about"] = about
        if attribs:
            written = json.loads(node.attributes.get("data-mw") or "{}")
            known = (node.attributes.get("typeof") or "").split()
            node.attrs["typeof"] = " ".join([*known, _EXPANDED])
            self._set_data(node, {**written, "attribs": [*written.get("attribs", ()), *attribs]})


def _merge(outline: Outline, done: list[_Found], item: _Found) -> None:
    """Append an item to ``done``, merged with earlier ones that it shares elements with."""
    while done and outline.overlap(done[-1].range, item.range):
        last = done.pop()
        item = _Found(
            {**last.entries, **item.entries},
            outline.joined(last.range, item.range),
            is_empty=last.is_empty and item.is_empty,
        )
    done.append(item)
