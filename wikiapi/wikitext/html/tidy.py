"""Makes HTML well-formed: an HTML5 parser fixes the tags, then inline content is put into ``<p>``.

The parser is lexbor (written in C, used through selectolax).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from selectolax.lexbor import LexborHTMLParser

from wikiapi.wikitext.html.allowed import FORMATTING, INLINE, VOID, words
from wikiapi.wikitext.html.wrap import (
    FOSTER_MARK,
    USUAL_FORM,
    Quotations,
    WrapForm,
    mend_figures,
    wrapped_children,
)

_DOCUMENT = "<!DOCTYPE html><html><head></head><body>"
_REFERENCE = "\x7f"
"""Replaces the ``&`` of character references while lexbor has the HTML, to keep them as written.

It delimits strip markers, and is dropped from texts that contain it, as those from Lua may.
"""
_KEPT_REFERENCE = re.compile("&(?!#(?:39|58|9[135]|12[345]);)")
"""Matches ``&``, except in references that the parser itself writes to hide markup."""
_EMPTY = re.compile(r"<(p|li|tr)>((?:[\t\n\f\r ]|<!--mw[^<>]*+>)*+)</\1>")


def tidy(
    html: str,
    mend: Callable[[LexborHTMLParser], None] | None = None,
    form: WrapForm = USUAL_FORM,
) -> str:
    """Return well-formed HTML for the body of a page.

    Args:
        html: the HTML.
        mend: changes the document before paragraphs are made. If it is passed, ``FOSTER_MARK`` is
            already before the tables.
        form: how paragraphs are made.
    """
    if not html:
        return ""
    nesting = nesting_of(html)
    if nesting.is_capped:
        html = capped(html)
    html = html.replace(_REFERENCE, "")
    if form.keeps_references:
        html = _KEPT_REFERENCE.sub(_REFERENCE, html)
    if mend is None:
        html = html.replace("<table", f"{FOSTER_MARK}<table")
    parser = LexborHTMLParser(_DOCUMENT + html)
    body = parser.body
    if body is None:
        return ""
    if mend is not None:
        mend(parser)
    mend_figures(body, formats_empty=form.formats_empty)
    quotations = Quotations(body, form, is_sound=nesting.is_sound)
    html = quotations.put_back(wrapped_children(body, form, is_sound=nesting.is_sound))
    html = html.replace(FOSTER_MARK, "")
    html = close_voids(html).replace(_REFERENCE, "&")
    # Style sheets hide elements with this class.
    return _EMPTY.sub(r'<\1 class="mw-empty-elt">\2</\1>', html)


def well_formed(html: str) -> str:
    """Return the HTML of a part of a page as an HTML parser reads it, without paragraphs."""
    if nesting_of(html).is_capped:
        html = capped(html)
    body = LexborHTMLParser(_DOCUMENT + html).body
    return close_voids((body and body.inner_html) or "")


_CHARACTER_BYTES = 6
_TAG_BYTES = 240
_ATTRIBUTE_BYTES = 250


def tree_bytes(html: str) -> int:
    """Return an estimate of the bytes in memory that parsing and changing HTML takes.

    Elements without attributes take some 500 bytes in lexbor, however short their tags are.
    """
    return (
        _CHARACTER_BYTES * len(html)
        + _TAG_BYTES * html.count("<")
        + _ATTRIBUTE_BYTES * html.count('="')
    )


# At each tag, an HTML tree builder searches its open elements, and in each paragraph it reopens all
# open formatting elements with their attributes. Without limits, a short text could take hours to
# parse or produce gigabytes.
#
# The counts below are upper bounds of what the tree builder has open. A closing tag closes an
# element here only if the HTML standard's tree construction is certain to close it; elements that
# it leaves open, or reopens after a block, stay open here as well.

MAX_DEPTH = 1000
"""The depth to which elements may be nested."""
MAX_FORMATTING = 24
"""The depth to which formatting elements may be nested."""
MAX_REOPENED = 8_388_608
"""Characters of tags that may be reopened: as many as an API answer may have bytes."""

_TAG = re.compile(r"<(/?)([A-Za-z][A-Za-z0-9:]*+)[^<>]*+>")
_NAME = re.compile(r"<(/?[A-Za-z][A-Za-z0-9:]*+|!--)[^>]*+>?")
_EXACT_NAME = re.compile(r"<(/?[A-Za-z][A-Za-z0-9:]*+)[^<>]*+>")
_COMMENT = "!--"
_VOID = VOID | {"img", "input"}
_NOT_OPENED = _VOID | {_COMMENT}
_CELLS = frozenset({"td", "th", "caption"})
_BOUNDARIES = _CELLS | {"table", "applet", "marquee", "object", "template"}
"""Elements that closing tags within them cannot close elements outside of."""
_BLOCKS = _CELLS | words(
    """
    address article aside blockquote center dd details div dl dt figcaption figure footer h1 h2 h3
    h4 h5 h6 header hgroup li main menu nav ol p pre section summary table tbody tfoot thead tr ul
    """
)
"""Elements whose closing tags also close other elements within them."""
_LISTS = frozenset({"ul", "ol"})
_MAX_COPIES = 8
"""How often a tree builder copies a formatting element at most for one misnested tag.

This is the limit of the outer loop of the HTML standard's adoption agency algorithm.
"""
_SEARCH_DEPTH = 64
"""Open elements that are searched for the one to close, so that stray tags cost little."""


@dataclass(slots=True)
class Nesting:
    """How the elements of a text are nested."""

    depth: int = 0
    formatting: int = 0
    """The depth to which formatting elements are nested."""
    is_sound: bool = True
    """Whether each closing tag closes the last open element, and no link contains another."""
    reopened: int = 0
    """How often a formatting element may be reopened at most."""
    size: int = 0
    """The length of the text in characters, and so an upper bound for that of a tag."""

    @property
    def is_capped(self) -> bool:
        """Whether the text is nested too deeply, or may become too long when it is parsed."""
        return (
            self.depth > MAX_DEPTH
            or self.formatting > MAX_FORMATTING
            or self.reopened * self.size > MAX_REOPENED
        )


def nesting_of(html: str) -> Nesting:
    """Return how the elements of a text are nested."""
    nesting = Nesting(size=len(html))
    open_names: list[str] = []
    formatting = links = 0
    for name in tag_names(html):
        if name[0] != "/":
            if name in _NOT_OPENED:
                continue
            open_names.append(name)
            if name == "a":
                # The start of a link closes an open link.
                nesting.is_sound = nesting.is_sound and not links
                nesting.reopened += _MAX_COPIES * formatting if links else 0
                links += 1
            if len(open_names) > nesting.depth:
                nesting.depth = len(open_names)
            if name in FORMATTING:
                formatting += 1
                nesting.formatting = max(nesting.formatting, formatting)
            elif formatting and name not in INLINE:
                nesting.reopened += formatting
            continue
        name = name[1:]
        if open_names and open_names[-1] == name:
            open_names.pop()
            if name in FORMATTING:
                formatting -= 1
                links -= name == "a"
            elif formatting and name not in INLINE:
                nesting.reopened += formatting
            continue
        nesting.is_sound = False
        if formatting:
            nesting.reopened += _MAX_COPIES * formatting
        index = closed_by(open_names, name)
        if index >= 0:
            _remove(open_names, index)
            formatting -= name in FORMATTING
            links -= name == "a"
        if nesting.is_capped:
            break
    return nesting


def closed_by(names: Sequence[str], name: str) -> int:
    """Return the index of the open element that a closing tag is certain to close; -1 for none."""
    blocks = 0
    for index in range(len(names) - 1, max(-1, len(names) - 1 - _SEARCH_DEPTH), -1):
        inner = names[index]
        if inner == name:
            return index
        if inner in _BOUNDARIES:
            if name != "table":
                return -1
        elif name in FORMATTING:
            blocks += inner not in INLINE
            if blocks == _MAX_COPIES:
                return -1
        elif inner in _LISTS if name == "li" else name not in _BLOCKS and inner not in INLINE:
            return -1
    return -1


def _remove(names: list[str], index: int) -> None:
    """Remove a closed element. Elements within it stay open, except for cells of a table."""
    inner = names[index + 1 :]
    if names[index] == "table":
        inner = [name for name in inner if name not in _CELLS]
    names[index:] = inner


def tag_names(html: str) -> list[str]:
    """Return the name of each tag in lower case, with the slash of a closing tag.

    The pattern that is tried first takes a third of the time, but also matches tags that contain a
    ``<``. If it has a match for each ``<``, there are no such tags, and the result is the same
    except for comments. The search stops at the last ``>``: after it there are no tags, and each
    attempt to match one would read to the end of the text.
    """
    end = html.rfind(">") + 1
    names: list[str] = _NAME.findall(html, 0, end)
    if len(names) != html.count("<", 0, end):
        names = _EXACT_NAME.findall(html)
    return [name.lower() for name in names]


def balanced(html: str) -> str:
    """Return the HTML of a part with its open elements closed, and without stray closing tags."""
    open_names: list[str] = []
    stray: list[re.Match[str]] = []
    for match in _TAG.finditer(html):
        name = match[2].lower()
        if name in _VOID:
            continue
        if not match[1]:
            open_names.append(name)
        elif name in open_names[-_SEARCH_DEPTH:]:
            index = len(open_names) - 1 - open_names[::-1].index(name)
            inner = open_names[index + 1 :]
            open_names[index:] = [each for each in inner if each in FORMATTING]
        else:
            stray.append(match)
    return _without(stray, html) + "".join(f"</{name}>" for name in reversed(open_names))


def _without(tags: Sequence[re.Match[str]], html: str) -> str:
    """Return the HTML without some of its tags, which are in their order."""
    out: list[str] = []
    position = 0
    for match in tags:
        out.append(html[position : match.start()])
        position = match.end()
    return "".join([*out, html[position:]])


def capped(html: str) -> str:
    """Return the HTML without start tags that are nested too deeply or reopened too often."""
    cap = _Cap()
    for match in _TAG.finditer(html):
        if match[1]:
            cap.end(match[2].lower())
        else:
            cap.start(match[2].lower(), match)
    return _without(sorted(cap.dropped, key=re.Match.start), html)


@dataclass(slots=True)
class _Element:
    """An open formatting element. ``cost`` is the number of characters for reopening it so far."""

    name: str
    tag: re.Match[str]
    cost: int = 0

    @property
    def size(self) -> int:
        """The length of its two tags in characters."""
        return len(self.tag[0]) + len(f"</{self.name}>")


class _Cap:
    """Selects the start tags to drop. Called with all tags in their order."""

    def __init__(self) -> None:
        self.dropped: list[re.Match[str]] = []
        self._names: list[str] = []
        """Names of the open elements."""
        self._formatting: list[_Element] = []
        self._left = MAX_REOPENED

    def start(self, name: str, tag: re.Match[str]) -> None:
        """Open an element, or drop its tag if it is nested too deeply."""
        if name in _VOID:
            return
        if name == "a" and any(element.name == "a" for element in self._formatting):
            self._reopen(_MAX_COPIES)
        elif name not in INLINE:
            self._reopen(1)
        is_formatting = name in FORMATTING
        if len(self._names) >= MAX_DEPTH or (
            is_formatting and len(self._formatting) >= MAX_FORMATTING
        ):
            self.dropped.append(tag)
            return
        self._names.append(name)
        if is_formatting:
            self._formatting.append(_Element(name, tag))

    def end(self, name: str) -> None:
        """Close an element, if there is an open one that the tag closes."""
        if self._names[-1:] != [name]:
            self._reopen(_MAX_COPIES)
        elif name not in INLINE:
            self._reopen(1)
        index = closed_by(self._names, name)
        if index < 0:
            return
        _remove(self._names, index)
        if name in FORMATTING:
            del self._formatting[
                max(i for i, one in enumerate(self._formatting) if one.name == name)
            ]

    def _reopen(self, times: int) -> None:
        """Count reopened formatting elements; if they are too many, drop their start tags."""
        for element in self._formatting:
            cost = times * element.size
            element.cost += cost
            self._left -= cost
        if self._left < 0:
            self._left += sum(element.cost for element in self._formatting)
            self.dropped += (element.tag for element in self._formatting)
            self._formatting.clear()
            self._names = [name for name in self._names if name not in FORMATTING]


_NEVER_CLOSED = re.compile(
    r"<(?:br|hr|img|wbr|input|meta|link|area|col|source|track)\b(?:[^<>\"]++|\"[^\"]*+\")*+(?=>)"
)


def close_voids(html: str) -> str:
    """Return the HTML with void elements closed by ``/>``.

    Also write no-break spaces and a leading U+0338 as MediaWiki does.
    """
    html = _NEVER_CLOSED.sub(r"\g<0> /", html)
    return html.replace("&nbsp;", "\xa0").replace(">\u0338", ">&#x338;")
