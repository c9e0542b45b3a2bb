"""Wraps inline content that is a direct child of the body or of a quotation in paragraphs.

A paragraph begins at text or an inline element and ends before a block. A formatting element that
contains both is split into several, each within a paragraph or around blocks. Content that the
HTML parser has moved out of tables ("foster parenting") is left as it is; a comment marks where it
begins.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from wikiapi.wikitext.html.allowed import FORMATTING, INLINE
from wikiapi.wikitext.html.entities import escape_attribute
from wikiapi.wikitext.syntax import HTML_SPACE

if TYPE_CHECKING:
    from selectolax.lexbor import LexborNode


FOSTER_MARK = "<!--t-->"
"""Comment that is put before each table before the HTML is parsed."""
_METADATA = frozenset({"style", "link", "meta", "script", "-comment"})
"""Nodes that neither begin nor end a paragraph."""


Ending = Callable[[Sequence[str]], int]
"""A function that returns how many of the nodes of a paragraph, as HTML, remain in it."""


class WrapForm(NamedTuple):
    """How paragraphs are made.

    Attributes:
        ending: called with the nodes of each paragraph, to end it before its last ones.
        drops_empty: whether empty parts of split elements are left out; their blanks are not.
        formats_empty: whether empty captions get the formatting elements around pictures.
        keeps_references: whether character references remain as they are written.
    """

    ending: Ending = len
    drops_empty: bool = False
    formats_empty: bool = False
    keeps_references: bool = True


USUAL_FORM = WrapForm()


def wrapped_children(base: LexborNode, form: WrapForm = USUAL_FORM, *, is_sound: bool) -> str:
    """Return the HTML of a node's children, with inline ones wrapped in paragraphs.

    Args:
        base: the body or a quotation.
        form: how paragraphs are made.
        is_sound: whether tags were nested correctly, so that the parser reopened no element.
    """
    flow = _Flow(form.ending)
    for child, is_fostered in _children(base):
        if is_fostered or not _is_flowing(child):
            flow.block(child.html or "")
        elif child.tag == "-text":
            flow.text(child)
        elif child.tag in _METADATA:
            flow.anywhere(child.html or "")
        elif child.tag in FORMATTING and _is_split(child, is_sound=is_sound):
            if form.drops_empty and _is_blank(child):
                flow.anywhere(child.text())
            else:
                flow.pieces(_split(child, form, is_sound=is_sound))
        elif _holds_block(child):
            flow.block(child.html or "")
        else:
            flow.inline(child.html or "")
    return flow.html()


def _children(node: LexborNode) -> Iterator[tuple[LexborNode, bool]]:
    """Yield each child, and whether it was moved out of the next table; skip ``FOSTER_MARK``."""
    child = node.child
    is_fostered = False
    while child is not None:
        if is_foster_mark(child):
            is_fostered = True
        else:
            if child.tag == "table":
                is_fostered = False
            yield child, is_fostered
            last = child.last_child if child.tag == "p" else None
            is_fostered = is_fostered or (last is not None and is_foster_mark(last))
        child = child.next


def is_foster_mark(node: LexborNode) -> bool:
    """Return whether a node marks where a table was, before what was moved out of it."""
    return node.tag == "-comment" and node.html == FOSTER_MARK


def _is_flowing(node: LexborNode) -> bool:
    """Return whether a node may be in a paragraph. The mark for the table of contents may not."""
    if node.tag == "meta":
        return node.attributes.get("property") != "mw:PageProp/toc"
    return node.tag == "-text" or node.tag in INLINE or node.tag in _METADATA


def _holds_block(node: LexborNode) -> bool:
    return any(
        child.tag not in INLINE and child.tag not in _METADATA and child.tag != "-comment"
        for child in node.traverse(include_text=False)
        if child.mem_id != node.mem_id
    )


@dataclass(slots=True)
class _Piece:
    """A part of a split element."""

    in_paragraph: bool = True
    html: list[str] = field(default_factory=list)
    is_blank: bool = True

    def add(self, html: str, *, is_blank: bool = False) -> None:
        self.html.append(html)
        self.is_blank = self.is_blank and is_blank


class _Flow:
    """Collects the HTML of a body or quotation."""

    def __init__(self, ending: Ending) -> None:
        self._ending = ending
        self._out: list[str] = []
        self._paragraph: list[str] | None = None

    def text(self, node: LexborNode) -> None:
        html = node.html or ""
        if html.strip(HTML_SPACE):
            self.inline(html)
        else:
            self.anywhere(html)

    def anywhere(self, html: str) -> None:
        (self._out if self._paragraph is None else self._paragraph).append(html)

    def inline(self, html: str) -> None:
        if self._paragraph is None:
            self._paragraph = []
        self._paragraph.append(html)

    def block(self, html: str) -> None:
        self._end_paragraph()
        self._out.append(html)

    def pieces(self, pieces: list[_Piece]) -> None:
        for piece in pieces:
            write = self.inline if piece.in_paragraph else self.block
            write("".join(piece.html))

    def html(self) -> str:
        self._end_paragraph()
        return "".join(self._out)

    def _end_paragraph(self) -> None:
        if self._paragraph is not None:
            end = self._ending(self._paragraph)
            self._out += ("<p>", *self._paragraph[:end], "</p>", *self._paragraph[end:])
            self._paragraph = None


def _is_split(node: LexborNode, *, is_sound: bool) -> bool:
    return _holds_block(node) or (not is_sound and _lost_block(node))


def _lost_block(node: LexborNode) -> bool:
    """Return whether the HTML parser moved a block out of the element.

    The block then follows the element, and its content begins with a copy of the element.
    """
    block = node.next
    first = block.child if block is not None and block.tag not in INLINE else None
    return first is not None and first.tag == node.tag and first.attributes == node.attributes


def _is_blank(node: LexborNode) -> bool:
    """Return whether an element has nothing but blanks in it, or formatting elements with them."""
    return not (node.text() or "").strip(HTML_SPACE) and all(
        child.tag in FORMATTING for child in node.traverse(include_text=False)
    )


class _Splitter:
    """Splits one formatting element into parts in paragraphs and parts around blocks.

    Blank parts are dropped, except the last one; that is kept if empty only in the usual form. In
    the other form blanks are no parts, but belong to the part around them.
    """

    def __init__(self, node: LexborNode, form: WrapForm, *, is_sound: bool) -> None:
        self._node = node
        self._form = form
        self._is_sound = is_sound
        self._done: list[_Piece] = []
        self._piece = _Piece()

    def run(self) -> list[_Piece]:
        for child, is_fostered in _children(self._node):
            self._place(child, is_fostered=is_fostered)
        if not self._is_sound and _lost_block(self._node):
            self._enter(in_paragraph=False)
        if self._piece.html or not (self._done and self._form.drops_empty):
            self._done.append(self._piece)
        attributes = "".join(
            f' {name}="{escape_attribute(value or "")}"'
            for name, value in self._node.attributes.items()
        )
        for piece in self._done:
            piece.html.insert(0, f"<{self._node.tag}{attributes}>")
            piece.html.append(f"</{self._node.tag}>")
        return self._done

    def _place(self, child: LexborNode, *, is_fostered: bool) -> None:
        html = child.html or ""
        is_blank = child.tag == "-text" and not html.strip(HTML_SPACE)
        if is_fostered or not _is_flowing(child):
            self._enter(in_paragraph=False)
        elif child.tag not in _METADATA and not (is_blank and self._form.drops_empty):
            self._enter(in_paragraph=True)
            if child.tag in FORMATTING and _is_split(child, is_sound=self._is_sound):
                for piece in _split(child, self._form, is_sound=self._is_sound):
                    self._enter(in_paragraph=piece.in_paragraph)
                    self._piece.add("".join(piece.html))
                return
            if child.tag in INLINE and _holds_block(child):
                self._piece.in_paragraph = False
        self._piece.add(html, is_blank=is_blank)

    def _enter(self, *, in_paragraph: bool) -> None:
        if self._piece.in_paragraph == in_paragraph:
            return
        last, self._piece = self._piece, _Piece(in_paragraph)
        if not last.is_blank:
            self._done.append(last)
        elif self._form.drops_empty:
            self._piece.html += last.html


def _split(node: LexborNode, form: WrapForm, *, is_sound: bool) -> list[_Piece]:
    return _Splitter(node, form, is_sound=is_sound).run()


# If a figure is within a formatting element, the HTML parser reopens that element around picture
# and caption. It should be only within the caption.

_MOVED = FORMATTING - {"a"}


def mend_figures(body: LexborNode, *, formats_empty: bool = False) -> None:
    """Move formatting elements around a picture and its caption into the caption.

    They are dropped if the caption is empty, unless ``formats_empty``.
    """
    for figure in reversed(body.css("figure")):
        tags: list[LexborNode] = []
        innermost = figure
        while (child := innermost.child) is not None and child.tag in _MOVED:
            tags.append(child)
            innermost = child
        if tags:
            figure.inner_html = "".join(_mended(innermost, tags, formats_empty=formats_empty))


def _mended(innermost: LexborNode, tags: list[LexborNode], *, formats_empty: bool) -> Iterator[str]:
    child = innermost.child
    while child is not None:
        if child.tag == "figcaption":
            html = child.inner_html or ""
            for tag in reversed(tags) if formats_empty or html.strip(HTML_SPACE) else ():
                attributes = "".join(
                    f' {name}="{escape_attribute(value or "")}"'
                    for name, value in tag.attributes.items()
                )
                html = f"<{tag.tag}{attributes}>{html}</{tag.tag}>"
            yield f"<figcaption>{html}</figcaption>"
        else:
            yield child.html or ""
        child = child.next


_HELD = re.compile("\x7fq([0-9]+)\x7f")


class Quotations:
    """The contents of a page's quotations, which are replaced by marks until the page is written.

    Thus each is serialised only once, however deeply they are nested.
    """

    def __init__(self, body: LexborNode, form: WrapForm = USUAL_FORM, *, is_sound: bool) -> None:
        """Serialise the contents of each quotation and replace them by a mark, inner ones first.

        Args:
            body: the page.
            form: how paragraphs are made.
            is_sound: whether its tags were nested correctly.
        """
        self._contents: list[str] = []
        for quote in reversed(body.css("blockquote")):
            self._contents.append(wrapped_children(quote, form, is_sound=is_sound))
            quote.inner_html = f"\x7fq{len(self._contents) - 1}\x7f"

    def put_back(self, html: str) -> str:
        """Return the HTML with the marks replaced by the contents."""
        if not self._contents:
            return html
        out: list[str] = []
        pending = [iter(_HELD.split(html))]
        while pending:
            text = next(pending[-1], None)
            if text is None:
                pending.pop()
                continue
            out.append(text)
            index = next(pending[-1], None)
            if index is not None:
                pending.append(iter(_HELD.split(self._contents[int(index)])))
        return "".join(out)
