"""Converts marks to attributes that say which call or tag of the source elements come from."""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from wikiapi.budget import Budget
from wikiapi.wikitext.parsoid.attributes import as_json
from wikiapi.wikitext.parsoid.entities import NOWIKI
from wikiapi.wikitext.parsoid.fostering import MOVED
from wikiapi.wikitext.parsoid.links import LOCALIZED
from wikiapi.wikitext.parsoid.marks import (
    AROUND,
    ATTRIBUTE,
    BEGIN,
    CELL,
    ELEMENT,
    END,
)
from wikiapi.wikitext.parsoid.marks import COMMENT as MARK_COMMENT
from wikiapi.wikitext.parsoid.outline import NO_TEXT, REMOVED, TEXT, Outline, Range
from wikiapi.wikitext.parsoid.sources import (
    CallSource,
    Entry,
    Level,
    SourceRange,
    Sources,
)

TRANSCLUSION = "mw:Transclusion"
_EXTENSION = "mw:Extension/"
_EXPANDED = "mw:ExpandedAttrs"
_FILE = "mw:File"
_MESSAGE = "mw:I18n"


_ELEMENT_MARK = re.compile(rf"<!--mw{ELEMENT}([0-9]{{1,9}})-->")


def place_elements(html: str, sources: Sources) -> str:
    """Return the HTML with marks that stand for elements replaced by these."""
    return _ELEMENT_MARK.sub(lambda match: sources.element_html(int(match[1])), html)


class _Mark(NamedTuple):
    """A mark in a document, with its place in the outline."""

    place: int
    kind: str
    number: int


@dataclass(slots=True)
class _Piece:
    """The nodes that come from one source, or from several sources that share elements."""

    entries: dict[int, Entry]
    range: Range
    begin: int
    """The place of the mark before them."""
    end: int
    """The place of the mark after them."""
    is_empty: bool = False
    nothing: Sequence[int] = ()
    """The places of marks after calls that have produced no nodes, and share elements."""
    is_moved: bool = False
    """Whether the last node is a table, and those before it were moved out of it."""
    nearest: tuple[int, int | None] = 0, None
    """Where the wikitext of the calls before and after these ends and begins."""
    places: Sequence[SourceRange] = ()
    """Where the calls are in their text, in its order."""

    @property
    def serial(self) -> int:
        return min(entry.serial for entry in self.entries.values())


def _shares_elements(outline: Outline, piece: _Piece) -> tuple[bool, bool]:
    """Return whether the first and the last element of a piece are also of the text around it."""
    first, last = piece.range
    if piece.is_empty:
        return False, False
    return first < piece.begin, last < piece.end <= outline.ends[last]


def _bounds(outline: Outline, piece: _Piece, level: Level) -> tuple[int | None, int | None]:
    """Return where the wikitext begins and ends that has made the elements of some calls.

    ``None`` stands for the ends of the calls themselves.
    """
    places = piece.places
    if not places:
        return None, None
    start = end = None
    first, last = piece.range
    before, after = piece.nearest
    begins_before, ends_after = _shares_elements(outline, piece)
    tag = outline.tags[last if piece.is_moved else first]
    if begins_before and tag:
        lines = outline.line_ends(first, piece.begin)
        start = level.extents.start(tag, places[0].start, lines, outline.lists(first))
    if ends_after and (tag := outline.tags[last]):
        lines = outline.line_ends(piece.end, outline.ends[last] + 1, is_last=True)
        end = level.extents.end(tag, places[-1].end, lines, outline.lists(last))
    return (
        None if start is None else max(start, before),
        end if end is None or after is None else min(end, after),
    )


def _note_places(pieces: Sequence[_Piece], level: Level) -> None:
    """Note for all pieces of a text where their calls are, and those before and after them.

    This is needed if any of the pieces shares elements with the text around it.
    """
    for piece in pieces:
        spans = [
            level.range_of(entry.source.node)
            for entry in piece.entries.values()
            if isinstance(entry.source, CallSource)
        ]
        piece.places = sorted(span for span in spans if span is not None)
    placed = [piece for piece in pieces if piece.places]
    for index, piece in enumerate(placed):
        before = placed[index - 1].places[-1].end if index else 0
        after = placed[index + 1].places[0].start if index + 1 < len(placed) else None
        piece.nearest = before, after


def _attributes_of(outline: Outline, marks: Sequence[_Mark]) -> Mapping[int, Sequence[int]]:
    """Return the numbers of the marks for the attributes of elements, by the elements' places."""
    attributes: dict[int, list[int]] = {}
    element = read = len(outline.tags)
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
    attributes.pop(len(outline.tags), None)
    return {place: numbers[::-1] for place, numbers in attributes.items()}


def _remove_edit_links(outline: Outline, span: Range) -> None:
    """Remove the links that edit sections, which are not those of a single template."""
    place = span.first
    while place <= outline.ends[span.last]:
        if outline.tags[place] == "span" and outline.has_class(place, "mw-editsection"):
            outline.remove_element(place)
            place = outline.ends[place]
        place += 1


def _is_property(outline: Outline, *places: int) -> bool:
    """Return whether nodes are elements for categories and language links."""
    return all(
        outline.tags[place] == "link"
        and (outline.attribute(place, "rel") or "").startswith("mw:PageProp/")
        for place in places
    )


class PageCall(NamedTuple):
    """Calls that have made some of the blocks of a page.

    Attributes:
        numbers: the numbers of their marks.
        level: the text that they are in.
        first: the first block.
        last: the last one.
    """

    numbers: Sequence[int]
    level: Level
    first: int
    last: int


class Ranges:
    """The parts of one document that come from calls and tags."""

    def __init__(self, sources: Sources, budget: Budget) -> None:
        """Prepare to convert the marks of a document."""
        self._sources = sources
        self._budget = budget
        self.within: dict[int, int] = {}
        """The ends of elements that come from a call, by their places."""
        self.calls: list[PageCall] = []
        """The calls that have made blocks of the page."""

    def describe(self, outline: Outline) -> None:
        """Add ``about``, ``typeof`` and ``data-mw`` to the elements, and remove the marks."""
        marks = [
            _Mark(place, match[1], int(match[2]))
            for place in outline.comments
            if (match := MARK_COMMENT.fullmatch(outline.text(place)))
        ]
        attributes = _attributes_of(outline, marks)
        self._sources.number_attributes(attributes.values())
        for piece in self._pieces(outline, marks, self._moved(outline)):
            self._describe(outline, piece)
        for place, numbers in attributes.items():
            self._describe_attributes(outline, place, numbers)
        outline.remove_comments(mark.place for mark in marks)

    def _moved(self, outline: Outline) -> list[Range]:
        """Return the tables of which content from calls was moved out, each with that content."""
        spans: list[Range] = []
        for place in outline.places_with(MOVED):
            outline.unset(place, MOVED)
            parent = outline.parents[place]
            tables = (
                each
                for each in outline.siblings(Range(place, outline.ends[parent]))
                if outline.tags[each] == "table"
            )
            table = next(tables, None)
            if table is not None and not (spans and place <= outline.ends[spans[-1].last]):
                spans.append(Range(place, table))
        return spans

    def _pieces(
        self, outline: Outline, marks: Sequence[_Mark], moved: Sequence[Range]
    ) -> list[_Piece]:
        """Return the nodes that come from tags, and from calls, merged if they share elements."""
        begun: dict[int, tuple[int, int]] = {}
        calls: dict[object, list[_Piece]] = {}
        tags: list[_Piece] = []
        numbers: set[int] = set()
        for place, kind, number in marks:
            if kind == BEGIN:
                begun[number] = place, place
            elif kind == CELL:
                begun[number] = place, outline.parents[place] - 1
            entry = self._sources.entry(number)
            if kind != END or number not in begun or entry is None:
                continue
            if number in numbers:
                # The cached text of a template repeats the marks of its tags. Each repetition
                # becomes a separate element.
                entry = replace(entry, serial=self._sources.next_serial())
            numbers.add(number)
            begin, after = begun.pop(number)
            begins_line = isinstance(entry.source, CallSource) and entry.source.begins_line
            span = outline.between(after, place, begins_line=begins_line)
            if span is None:
                piece = _Piece({number: entry}, Range(place, place), begin, place, is_empty=True)
                piece.nothing = (place,)
            else:
                piece = _Piece({number: entry}, span, begin, place)
            if not isinstance(entry.source, CallSource):
                tags.append(piece)
                continue
            at = bisect_right(moved, piece.range.last, key=lambda span: span.first) - 1
            while at >= 0 and outline.overlap(moved[at], piece.range):
                piece.range = outline.joined(moved[at], piece.range)
                piece.is_empty, piece.is_moved = False, piece.range == moved[at]
                at -= 1
            # Calls that share elements are one piece.
            done = calls.setdefault(entry.level, [])
            while done and outline.overlap(done[-1].range, piece.range):
                if done[-1].is_empty and piece.is_empty:
                    break
                last = done.pop()
                piece = _Piece(
                    {**last.entries, **piece.entries},
                    outline.joined(last.range, piece.range),
                    min(last.begin, piece.begin),
                    max(last.end, piece.end),
                    last.is_empty and piece.is_empty,
                    (*last.nothing, *piece.nothing),
                    last.is_moved and piece.is_moved,
                )
            done.append(piece)
        for level, pieces in calls.items():
            if isinstance(level, Level) and any(
                any(_shares_elements(outline, piece)) for piece in pieces
            ):
                _note_places(pieces, level)
        merged = [call for level in calls.values() for call in level]
        # The last one described is named first in the attributes of a shared element.
        return [*tags, *merged]

    def _describe(self, outline: Outline, piece: _Piece) -> None:
        entry = next(iter(piece.entries.values()))
        types: str = entry.source.types
        data: Mapping[str, object] | None = None
        if isinstance(entry.source, CallSource) and entry.level:
            start, end = _bounds(outline, piece, entry.level)
            if self._sources.text_before(entry.source) or not (
                len(piece.entries) == 1 and start is None and end is None
            ):
                parts = entry.level.parts(self._sources, piece.entries, start, end)
                data = {"parts": parts}
                if len(parts) > 1:
                    _remove_edit_links(outline, piece.range)
        if data is None:
            data = entry.source.data()
        if piece.is_empty:
            self._insert(outline, piece, types, data)
            return
        for place in piece.nothing:
            if outline.tags[parent := outline.parents[place]] not in NO_TEXT:
                outline.add(place, "span", place)
                if parent == outline.parents[piece.range.first]:
                    outline.append(place, "about", self._sources.about(piece.serial))
        places = list(outline.siblings(piece.range))
        is_call = isinstance(entry.source, CallSource)
        if is_call:
            places = self._without_breaks(outline, piece, places)
        has_text = outline.tags[outline.parents[piece.range.first]] not in NO_TEXT
        first = True
        blocks: list[int] = []
        for place in places:
            if is_call and not has_text and not outline.is_element(place):
                # Elements cannot be put around it there.
                if not MARK_COMMENT.fullmatch(outline.text(place)):
                    outline.remove(place)
                continue
            if outline.tags[place] == TEXT:
                outline.wrap(place)
            if not outline.is_element(place):
                continue
            blocks.append(place)
            element = outline.heading(place) or place
            self._add(outline, element, piece, types if first else "", data if first else {})
            first = False
            if is_call:
                self.within[place] = outline.ends[place]
        if is_call and entry.level and blocks and outline.parents[blocks[0]] == 0:
            call = PageCall(tuple(piece.entries), entry.level, blocks[0], blocks[-1])
            self.calls.append(call)

    def _without_breaks(self, outline: Outline, piece: _Piece, places: list[int]) -> list[int]:
        """Remove line breaks that a call has made around a ``<div>``, or one between categories."""
        first = places[0]
        if outline.is_division(first):
            for place in range(piece.begin + 1, first):
                if outline.is_breaks(place) and outline.parents[place] == outline.parents[first]:
                    outline.remove(place)
        if len(places) > 1 and outline.is_division(places[-2]):
            last = places[-1]
            if outline.is_breaks(last):
                outline.remove(last)
                places.pop()
        between = [
            place
            for before, place, after in zip(places, places[1:], places[2:], strict=False)
            if outline.text(place) == "\n" and _is_property(outline, before, after)
        ]
        for place in between:
            outline.remove(place)
        return [place for place in places if outline.tags[place] != REMOVED]

    def _insert(
        self, outline: Outline, piece: _Piece, types: str, data: Mapping[str, object]
    ) -> None:
        """Add an element at a mark, to describe a source that has produced no nodes."""
        place = before = piece.range.last
        has_text = outline.tags[outline.parents[place]] not in NO_TEXT
        is_tag = types.startswith(_EXTENSION)
        # An HTML parser moves the element of a tag out of the table, to before it.
        while is_tag and outline.tags[outline.parents[before]] in NO_TEXT:
            before = outline.parents[before]
        outline.add(place, "span" if has_text and not is_tag else "meta", before)
        self._add(outline, place, piece, types, data)

    def _add(
        self,
        outline: Outline,
        place: int,
        piece: _Piece,
        types: str,
        data: Mapping[str, object],
    ) -> None:
        about = self._sources.about(piece.serial)
        if not types:
            outline.set(place, {"about": about})
            return
        kinds = (outline.attribute(place, "typeof") or "").split()
        kinds = [kind for kind in kinds if kind != types]
        # What an extension has made keeps its type first, but for notes; so do pictures that it
        # has made.
        kept = (_EXTENSION, NOWIKI) if types == TRANSCLUSION else (_FILE,)
        is_first = not kinds or not kinds[0].startswith(kept) or kinds[0] == f"{_EXTENSION}ref"
        kinds = [types, *kinds] if is_first else [*kinds, types]
        if written := outline.attribute(place, "data-mw"):
            data = {**data, **json.loads(written)}
        self._set(outline, place, about, kinds, data)

    def _set(
        self,
        outline: Outline,
        place: int,
        about: str | None,
        kinds: Iterable[str],
        data: Mapping[str, object],
    ) -> None:
        """Set the attributes that describe an element, ``about`` only if it has a value."""
        text = as_json(data)
        self._budget.keep(text)
        # The type for texts that are interface messages is the first, that for such attributes
        # the last.
        types = sorted(kinds, key=lambda kind: (kind != _MESSAGE, kind == LOCALIZED))
        attributes = {"typeof": " ".join(types), "data-mw": text}
        outline.set(place, attributes if about is None else {"about": about, **attributes})

    def _describe_attributes(self, outline: Outline, place: int, numbers: Sequence[int]) -> None:
        """Add ``data-mw`` for calls in the tag of an element."""
        sources = self._sources
        attributes = [each for number in numbers for each in sources.attributes(number)]
        if not attributes:
            return
        has_about = outline.has(place, "about")
        about = None if has_about else sources.about_attributes(numbers)
        attribs = [attribute.data(sources.description) for attribute in attributes]
        written = json.loads(outline.attribute(place, "data-mw") or "{}")
        kinds = (outline.attribute(place, "typeof") or "").split()
        data = {**written, "attribs": [*written.get("attribs", ()), *attribs]}
        self._set(outline, place, about, [*kinds, _EXPANDED], data)
