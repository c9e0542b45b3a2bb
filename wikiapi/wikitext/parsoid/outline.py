"""The nodes of a document in the order of its HTML: where they are, and what they are changed to.

The HTML is that of an HTML parser, so that tags are paired and attributes quoted. It is split into
tokens once; changes replace tokens, and the changed document is the tokens joined.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping
from html import unescape
from types import MappingProxyType
from typing import NamedTuple

from wikiapi.budget import Budget
from wikiapi.wikitext.html.allowed import words

_CLIMBED_AT_ONCE = 64
"""Number of ancestors visited for one step of the request's budget."""
TEXT, COMMENT = "#text", "#comment"
"""The tags of nodes that are not elements."""
REMOVED = ""
"""The tag of a node that was removed."""
NO_ELEMENTS = frozenset({TEXT, COMMENT, REMOVED})
_RAW = ("iframe", "noembed", "noframes", "plaintext", "script", "style", "xmp")
"""Elements whose text is not escaped."""
_RAW_NAME = "|".join(_RAW)
_TOKEN = re.compile(
    r"[^<]++"
    rf"|<(?:{_RAW_NAME})(?=[ >])[^>]*+>?[^<]*+(?:<(?!/(?:{_RAW_NAME})>)[^<]*+)*+"
    r"|<!--[^-]*+(?:-(?!->)[^-]*+)*+(?:-->)?"
    r"|<[^>]*+>?"
)
"""Matches text, a comment or a tag; the text of elements that have no markup is part of the tag."""
_VOID = words(
    """
    area base basefont bgsound br col embed frame hr img input keygen link meta param source track
    wbr
    """
)
_ENDS_PARAGRAPH = words(
    """
    address article aside blockquote center dd details div dl dt fieldset figcaption figure footer
    form h1 h2 h3 h4 h5 h6 header hgroup li main menu nav ol p pre section summary table ul
    """
)
_BLANKS = " \t\n\f\r"
_HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
_PARENTS = MappingProxyType(
    {
        "li": frozenset({"ul", "ol"}),
        **dict.fromkeys(("dt", "dd"), frozenset({"dl"})),
        **dict.fromkeys(("rb", "rp", "rt", "rtc"), frozenset({"ruby"})),
    }
)
"""Parents of elements that may end others: in these, they end none."""
_ENDING = _HEADINGS | _PARENTS.keys()
_NO_PARENTS = _VOID | {TEXT, COMMENT}
"""The tags of nodes that have no children."""
_NOTABLE = _ENDS_PARAGRAPH | _ENDING | frozenset(_RAW)
"""Elements that may end others, or have unescaped text."""


class Range(NamedTuple):
    """A range of sibling nodes: the places of the first and the last."""

    first: int
    last: int


class _Attribute(NamedTuple):
    """Where an attribute and its value begin in a start tag, and where the attribute ends."""

    start: int
    value: int
    end: int


class Outline:
    """The nodes of a document. A node's place is its index; the body has place 0.

    Attributes:
        tags: the tag of each node: the name of an element, or :data:`TEXT`, :data:`COMMENT` or
            :data:`REMOVED`.
        parents: the place of each node's parent.
        ends: the place of the last node within each node.
        comments: the places of the comments, before the document is changed.
        divisions: the places of the ``<div>`` elements, before the document is changed.
        is_sound: whether each tag closes the last open element, and an HTML parser would leave all
            elements where they are.
    """

    def __init__(self, html: str, budget: Budget) -> None:
        """Read the HTML of a body. Later searches for ranges are charged to ``budget``."""
        self._budget = budget
        self._html = html
        self._tokens: list[str] = _TOKEN.findall(html.replace("&nbsp;", "\xa0"))
        self._starts: list[int] = [0]
        """The index of each node's first token."""
        self._raw: dict[int, str] = {}
        """The texts of elements whose text is not escaped, by the index of the start tag."""
        self._closed: list[int] = []
        """The indexes of the tags that end in `` />``, without which they are changed."""
        self._closings: dict[int, int] = {}
        """The index of each element's end tag, by its place."""
        self._added: dict[int, str] = {}
        """Start tags of added elements, by the place of the text or comment that they replace."""
        self._moved: dict[int, int] = {}
        """The elements that added elements are before, if these are not where they replace one."""
        self._after: dict[int, int] = {}
        """The nodes after comments that are no comments."""
        self._before: dict[int, int] = {}
        """The nodes before comments that are no comments."""
        self._somethings: dict[int, int] = {}
        """The nodes after comments that are neither comments nor blank text."""
        self._preceding: dict[int, int] = {}
        """The results of :meth:`_something_before`."""
        self.comments: list[int] = []
        self.divisions: list[int] = []
        self.is_sound = True
        self.tags: list[str] = ["body"]
        self.parents: list[int] = [0]
        self.ends: list[int] = [0]
        self._read()
        # Comments may follow one another in any number, so what is beside them is noted once.
        for place in self.comments:
            self._before[place] = self._node_before(place)
        for place in reversed(self.comments):
            self._after[place] = self._node_after(place)
            self._somethings[place] = self._something_after(place)

    def _read(self) -> None:
        """Find the nodes in the tokens."""
        tags, parents, starts, tokens = self.tags, self.parents, self._starts, self._tokens
        ends = self.ends
        parent = place = paragraphs = 0
        parent_tag = tags[0]
        for index, token in enumerate(tokens):
            if token[0] != "<":
                if ">" in token:
                    tokens[index] = token.replace(">", "&gt;")
                place += 1
                tags.append(TEXT)
                ends.append(place)
                parents.append(parent)
                starts.append(index)
                continue
            kind = token[1:2]
            if kind == "/":
                if parent and token[2:-1] == parent_tag:
                    self._closings[parent] = index
                    ends[parent] = place
                    paragraphs -= parent_tag == "p"
                    parent = parents[parent]
                    parent_tag = tags[parent]
                else:
                    self.is_sound = False
                continue
            tag = COMMENT if kind == "!" else token[1:-1].partition(" ")[0]
            if ">" in tag:
                # The text of an element follows its start tag.
                tag = tag.partition(">")[0]
            place += 1
            tags.append(tag)
            ends.append(place)
            parents.append(parent)
            starts.append(index)
            if tag not in _NO_PARENTS:
                if tag in _NOTABLE:
                    if tag == "div":
                        self.divisions.append(place)
                    if (paragraphs and tag in _ENDS_PARAGRAPH) or (
                        tag in _ENDING and _ends_element(tag, parent_tag)
                    ):
                        self.is_sound = False
                    paragraphs += tag == "p"
                    if tag in _RAW:
                        start, bracket, text = token.partition(">")
                        tokens[index], self._raw[index] = start + bracket, text
                parent, parent_tag = place, tag
            elif tag == COMMENT:
                self.comments.append(place)
            else:
                if token[-3:] == " />":
                    tokens[index] = f"{token[:-3]}>"
                    self._closed.append(index)
                if (parent_tag in NO_TEXT and tag != "col") or (paragraphs and tag == "hr"):
                    self.is_sound = False
        ends[0] = place
        self.is_sound = self.is_sound and not parent

    # Nodes

    def is_element(self, place: int) -> bool:
        """Return whether a node is an element."""
        return self.tags[place] not in NO_ELEMENTS

    def text(self, place: int) -> str:
        """Return the HTML of a text or comment."""
        return self._tokens[self._starts[place]]

    def content(self, place: int) -> str:
        """Return the text in a node, as HTML."""
        indexes = range(self._starts[place], self.closing(place) + 1)
        texts = (self._raw.get(index, self._tokens[index]) for index in indexes)
        return "".join(text for text in texts if not text.startswith("<"))

    def has(self, place: int, name: str) -> bool:
        """Return whether an element has an attribute."""
        return _attribute(self._start_tag(place), name) is not None

    def attribute(self, place: int, name: str) -> str | None:
        """Return an attribute of an element; ``None`` if it does not have it."""
        tag = self._start_tag(place)
        span = _attribute(tag, name)
        return None if span is None else unescape(tag[span.value : span.end - 1])

    def has_class(self, place: int, name: str) -> bool:
        """Return whether an element has a class."""
        is_likely = name in self._start_tag(place)
        return is_likely and name in (self.attribute(place, "class") or "").split()

    def heading(self, place: int) -> int | None:
        """Return the place of the heading if a node is the element around it, or ``None``."""
        if self.tags[place] != "div" or not self.has_class(place, "mw-heading"):
            return None
        child = self.child(place)
        return child if child is not None and self.tags[child] in _HEADINGS else None

    def headings(self) -> Mapping[int, int]:
        """Return the headings by the elements around them, in their order."""
        return {
            place: heading
            for place in self.divisions
            if (heading := self.heading(place)) is not None
        }

    def block(self, place: int) -> int:
        """Return the place of the child of the body that a node is in, or is."""
        while parent := self.parents[place]:
            place = parent
        return place

    def child(self, place: int) -> int | None:
        """Return the place of the first child of a node, or ``None``."""
        for child in range(place + 1, self.ends[place] + 1):
            if self.tags[child] != REMOVED:
                return child
        return None

    def places_with(self, name: str) -> Iterator[int]:
        """Yield the places of elements with an attribute, before the document is changed."""
        written = f' {name}="'
        if written not in self._html:
            return
        for index in [index for index, token in enumerate(self._tokens) if written in token]:
            place = bisect_right(self._starts, index, 1) - 1
            if self._starts[place] == index and self.is_element(place) and self.has(place, name):
                yield place

    def is_empty(self, place: int) -> bool:
        """Return whether an element contains nothing."""
        return self.child(place) is None and not self.content(place)

    def blocks(self) -> Iterator[int]:
        """Yield the places of the children of the body."""
        place = 1
        while place <= self.ends[0]:
            if self.tags[place] != REMOVED:
                yield place
            place = self.ends[place] + 1

    def _start_tag(self, place: int) -> str:
        return self._added.get(place) or self._tokens[self._starts[place]]

    # Changes

    def set(self, place: int, attributes: Mapping[str, str]) -> None:
        """Set attributes of an element."""
        tag = self._start_tag(place)
        added = ""
        for name, value in attributes.items():
            if span := _attribute(tag, name):
                tag = f'{tag[: span.value]}{_escaped(value)}"{tag[span.end :]}'
            else:
                added += f' {name}="{_escaped(value)}"'
        self._write(place, f"{tag[:-1]}{added}>")

    def identify(self, places: Iterable[int], ids: Iterator[str]) -> None:
        """Add the next of the ids to each of the elements that has none."""
        tokens, starts, added = self._tokens, self._starts, self._added
        for place in places:
            tag = added.get(place) or tokens[starts[place]]
            if ' id="' in tag and _attribute(tag, "id") is not None:
                continue
            tag = f'{tag[:-1]} id="{next(ids)}">'
            if place in added:
                added[place] = tag
            else:
                tokens[starts[place]] = tag

    def append(self, place: int, name: str, value: str) -> None:
        """Add an attribute that an element does not have."""
        self._write(place, f'{self._start_tag(place)[:-1]} {name}="{_escaped(value)}">')

    def _write(self, place: int, tag: str) -> None:
        if place in self._added:
            self._added[place] = tag
        else:
            self._tokens[self._starts[place]] = tag

    def unset(self, place: int, name: str) -> None:
        """Remove an attribute of an element."""
        tag = self._start_tag(place)
        if span := _attribute(tag, name):
            self._write(place, tag[: span.start] + tag[span.end :])

    def remove(self, place: int) -> None:
        """Remove a text or comment."""
        self.tags[place] = REMOVED
        self._tokens[self._starts[place]] = ""

    def remove_element(self, place: int) -> None:
        """Remove an element with all that is in it."""
        for index in range(self._starts[place], self.closing(place) + 1):
            self._tokens[index] = ""
        for inner in range(place, self.ends[place] + 1):
            self.tags[inner] = REMOVED

    def unwrap(self, place: int) -> None:
        """Remove an element, but not what is in it."""
        self.tags[place] = REMOVED
        self._tokens[self._starts[place]] = self._tokens[self.closing(place)] = ""

    def wrap(self, place: int) -> None:
        """Replace a text by a ``<span>`` that contains it."""
        self.tags[place] = "span"
        self._added[place] = "<span>"

    def add(self, place: int, tag: str, before: int) -> None:
        """Add an element for a comment: in its place, or before an element that it is in.

        ``tag`` is ``meta`` or ``span``.
        """
        self._added[place] = f"<{tag}>"
        if before != place:
            self._moved[place] = before

    def remove_comments(self, places: Iterable[int]) -> None:
        """Remove comments. Elements that were added in their places are nodes from now on."""
        for place in places:
            tag = self._added.get(place)
            self.tags[place] = REMOVED if tag is None else tag[1:5]
            self._tokens[self._starts[place]] = ""

    # The changed document

    def start(self, place: int) -> int:
        """Return the index of the first token of a node."""
        return self._starts[place]

    def closing(self, place: int) -> int:
        """Return the index of the last token of a node."""
        return self._closings.get(place, self._starts[place])

    def html(self, inserted: Mapping[int, str]) -> str:
        """Return the HTML, with tags that are inserted before tokens, by the tokens' indexes."""
        tokens = self._tokens
        for index, text in self._raw.items():
            tokens[index] += text
        for index in self._closed:
            if tokens[index]:
                tokens[index] = f"{tokens[index][:-1]} />"
        moved: dict[int, str] = {}
        for place, tag in self._added.items():
            index = self._starts[place]
            if self.tags[place] in _VOID:
                element = f"{tag[:-1]} />{tokens[index]}"
            else:
                element = f"{tag}{tokens[index]}</{self.tags[place]}>"
            tokens[index] = ""
            index = self._starts[self._moved.get(place, place)]
            moved[index] = moved.get(index, "") + element
        for elements in (moved, inserted):
            for index, html in elements.items():
                tokens[index] = html + tokens[index]
        return "".join(tokens)

    # Ranges

    def between(self, begin: int, end: int, *, begins_line: bool = False) -> Range | None:
        """Return the range of the nodes between two marks; ``None`` if there are none.

        ``begins_line`` is whether a line break after the first mark is not in the source, which is
        then removed. To be called before the document is changed otherwise.
        """
        if begins_line:
            text = self._node_after(begin)
            if text < end and self.tags[text] == TEXT:
                index = self._starts[text]
                self._tokens[index] = self._tokens[index].removeprefix("\n")
        first = self._first_between(begin, end, begins_line=begins_line)
        last = self._last_between(begin, end)
        if first < end:
            return self.side_by_side(self._ended(begin, first, end) or first, max(first, last))
        if self.parents[begin] == self.parents[end]:
            # Blanks between the marks, if their parent may contain text.
            text = self._node_after(begin)
            return Range(text, last) if text < end and self._is_text_beside(text, begin) else None
        # An element that ends between the marks.
        span = self.side_by_side(begin, end)
        is_mark = span.first == begin
        is_body = self.tags[span.first] == "tbody"
        return None if is_mark or is_body else Range(span.first, span.first)

    def _first_between(self, begin: int, end: int, *, begins_line: bool) -> int:
        """Return the first node after a mark that is something, or text beside the mark.

        Text beside the mark may be blank. It does not count with ``begins_line``, and neither do
        line breaks before a ``<div>``. Without such a node, ``end`` is returned.
        """
        place = self._node_after(begin)
        if place < end and not begins_line and self._is_text_beside(place, begin):
            is_before_division = place + 1 < end and self.is_division(place + 1)
            if not (is_before_division and self.is_breaks(place)):
                return place
        return min(self._something_after(begin), end)

    def _last_between(self, begin: int, end: int) -> int:
        """Return the last node between two marks that is something, or text beside the second.

        Elements that the second mark is in do not count. Without such a node, ``begin`` is
        returned.
        """
        self._budget.step()
        place = self._node_before(end)
        if not self._is_text_beside(place, end):
            place = self._something_before(end)
        return max(place, begin)

    def _node_after(self, place: int) -> int:
        """Return the place of the first node after one that is no comment."""
        return self._after.get(place + 1, place + 1)

    def _node_before(self, place: int) -> int:
        """Return the place of the last node before one that is no comment."""
        return self._before.get(place - 1, place - 1)

    def _something_after(self, place: int) -> int:
        """Return the place of the first node after one that is neither a comment nor blank text."""
        node = place + 1
        if node < len(self.tags) and self._is_blank(node):
            node += 1
        return self._somethings.get(node, node)

    def _something_before(self, place: int) -> int:
        """Return the last node before one that is neither blank text nor around it; 0 for none.

        Elements may be nested to any depth, and blanks between comments may follow one another in
        any number, so what is before each that is passed is noted.
        """
        passed: list[int] = []
        while (node := self._preceding.get(place)) is None:
            passed.append(place)
            before = self._node_before(place)
            if before <= 0 or not (self._is_blank(before) or self.ends[before] >= place):
                node = max(before, 0)
                break
            place = before
        self._budget.step(len(passed) // _CLIMBED_AT_ONCE)
        self._preceding.update(dict.fromkeys(passed, node))
        return node

    def _is_blank(self, place: int) -> bool:
        """Return whether a node is blank text."""
        return self.tags[place] == TEXT and not self.text(place).strip(_BLANKS)

    def _is_text_beside(self, place: int, other: int) -> bool:
        """Return whether a node is text beside another one, where there may be text."""
        parent = self.parents[place]
        return (
            self.tags[place] == TEXT
            and parent == self.parents[other]
            and self.tags[parent] not in NO_TEXT
        )

    def _ended(self, begin: int, first: int, end: int) -> int:
        """Return the outermost element with markup that ends between two marks; 0 for none.

        The node at ``first`` after the mark is in it, too.
        """
        element = 0
        place = self.parents[begin]
        climbed = 0
        while place and self.ends[place] < end:
            if self.ends[place] < first:
                return 0
            climbed += 1
            if self.tags[place] != "tbody":
                element = place
            place = self.parents[place]
        self._budget.step(1 + climbed // _CLIMBED_AT_ONCE)
        return element

    def is_written(self, place: int) -> bool:
        """Return whether a node is an element that must come from markup in the source."""
        return self.is_element(place) and not self.is_implied(place)

    def is_implied(self, place: int) -> bool:
        """Return whether an element may have been added without markup in the source."""
        return self.tags[place] in _IMPLIED

    def is_nothing(self, place: int) -> bool:
        """Return whether a node is a comment, such as a mark, or blank text."""
        tag = self.tags[place]
        return tag in (COMMENT, REMOVED) or (tag == TEXT and not self.text(place).strip(_BLANKS))

    def is_division(self, place: int) -> bool:
        """Return whether a node is a ``<div>``, but not that around a heading."""
        return self.tags[place] == "div" and not self.has_class(place, "mw-heading")

    def is_breaks(self, place: int) -> bool:
        """Return whether a node is text that consists of line breaks."""
        return self.tags[place] == TEXT and not self.text(place).strip("\n")

    def side_by_side(self, first: int, last: int) -> Range:
        """Return the smallest range of siblings that contains both nodes."""
        climbed = 0
        while self.ends[self.parents[first]] < last:
            first = self.parents[first]
            climbed += 1
        while self.parents[last] != self.parents[first]:
            last = self.parents[last]
            climbed += 1
        self._budget.step(1 + climbed // _CLIMBED_AT_ONCE)
        return Range(first, last)

    def line_ends(self, first: int, end: int, *, is_last: bool = False) -> int:
        """Return the number of line ends in the text from a place up to another.

        If the text is the last, those after it do not count.
        """
        texts = (self.text(place) for place in range(first, end) if self.tags[place] == TEXT)
        text = "".join(texts)
        return (text.rstrip() if is_last else text).count("\n")

    def lists(self, place: int) -> int:
        """Return the number of lists that a node is in, with itself."""
        count = 0
        while place:
            count += self.tags[place] in _LISTS
            place = self.parents[place]
        return count

    def overlap(self, one: Range, other: Range) -> bool:
        """Return whether two ranges share nodes."""
        return one.first <= self.ends[other.last] and other.first <= self.ends[one.last]

    def joined(self, one: Range, other: Range) -> Range:
        """Return the smallest range that contains both ranges."""
        last = one.last if self.ends[one.last] > self.ends[other.last] else other.last
        return self.side_by_side(min(one.first, other.first), last)

    def siblings(self, span: Range) -> Iterator[int]:
        """Yield the places of the nodes of a range, but not of their descendants."""
        place = span.first
        while place <= span.last:
            yield place
            place = self.ends[place] + 1


_IMPLIED = frozenset({"p", "tbody"})
"""Elements that are added without markup."""
_LISTS = frozenset({"ul", "ol", "dl"})
NO_TEXT = frozenset({"table", "tbody", "thead", "tfoot", "tr", "colgroup"})
"""Tables and their parts that contain only other parts. Text is moved out of them."""


def _attribute(tag: str, name: str) -> _Attribute | None:
    """Return where an attribute is in a start tag. In values, ``"`` is always escaped."""
    written = f' {name}="'
    position = quotes = 0
    while (start := tag.find(written, position)) >= 0:
        quotes += tag.count('"', position, start)
        # After an odd number of quotes, this is the end of a value such as "x id=".
        if quotes % 2 == 0:
            value = start + len(written)
            return _Attribute(start, value, tag.index('"', value) + 1)
        position = start + 1
    return None


def _ends_element(tag: str, parent: str) -> bool:
    """Return whether a start tag may end an open element, although it may not be a paragraph.

    What was moved out of a table did not, as the table was between the tags.
    """
    return parent in _HEADINGS if tag in _HEADINGS else parent not in _PARENTS[tag]


def _escaped(value: str) -> str:
    text = value.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return text.replace('"', "&quot;")
