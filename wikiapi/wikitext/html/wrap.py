"""Inline content that stands where only blocks should is wrapped in paragraphs.

A paragraph opens at text or an inline element and ends before a block. A formatting element that
holds both is split into as many, each in a paragraph or around blocks. What the tree builder has
taken out of tables and put before them stays as it is; a comment marks where that begins.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from wikiapi.wikitext.html.allowed import FORMATTING, INLINE
from wikiapi.wikitext.html.entities import escape_attribute
from wikiapi.wikitext.parsoid.marks import has_marks
from wikiapi.wikitext.syntax import HTML_SPACE

if TYPE_CHECKING:
    from selectolax.lexbor import LexborNode


FOSTER_MARK = "<!--t-->"
"""Stands before every table while the tree builder has the HTML."""
_METADATA = frozenset({"style", "link", "meta", "-comment"})
"""Elements that neither need a paragraph nor end one."""


def wrapped_children(base: LexborNode, *, is_sound: bool) -> str:
    """Return the HTML of a node's children, inline ones within paragraphs.

    Args:
        base: the body or a quotation.
        is_sound: whether the tags were nested soundly, so that no element was opened again.
    """
    flow = _Flow()
    for child, is_fostered in _children(base):
        if is_fostered or not _is_flowing(child):
            flow.block(child.html or "")
        elif child.tag == "-text":
            flow.text(child)
        elif child.tag in _METADATA:
            flow.anywhere(child.html or "")
        elif child.tag in FORMATTING and _is_split(child, is_sound=is_sound):
            flow.pieces(_split(child, is_sound=is_sound))
        elif _holds_block(child):
            flow.block(child.html or "")
        else:
            flow.inline(child.html or "")
    return flow.html()


def _children(node: LexborNode) -> Iterator[tuple[LexborNode, bool]]:
    """Yield each child, and whether it was moved out of the table after it, without marks."""
    child = node.child
    is_fostered = False
    while child is not None:
        if child.tag == "-comment" and not _is_mark(child):
            is_fostered = True
        else:
            if child.tag == "table":
                is_fostered = False
            yield child, is_fostered
            last = child.last_child if child.tag == "p" else None
            is_fostered = is_fostered or (
                last is not None and last.tag == "-comment" and not _is_mark(last)
            )
        child = child.next


def _is_mark(comment: LexborNode) -> bool:
    """Whether a comment is a mark of where the text comes from, which shows nothing."""
    return has_marks(comment.html or "")


def _is_flowing(node: LexborNode) -> bool:
    """Return whether a node may stand in a paragraph; the table of contents will be a block."""
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
    """What is written into a body or quotation."""

    def __init__(self) -> None:
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
            self._out += ("<p>", *self._paragraph, "</p>")
            self._paragraph = None


def _is_split(node: LexborNode, *, is_sound: bool) -> bool:
    return _holds_block(node) or (not is_sound and _lost_block(node))


def _lost_block(node: LexborNode) -> bool:
    """Return whether a block that began in the element was moved after it by the HTML parser.

    The block then begins with the same element, opened again.
    """
    block = node.next
    first = block.child if block is not None and block.tag not in INLINE else None
    return first is not None and first.tag == node.tag and first.attributes == node.attributes


class _Splitter:
    """Splits one formatting element. A blank part that a change of mode ends is dropped."""

    def __init__(self, node: LexborNode, *, is_sound: bool) -> None:
        self._node = node
        self._is_sound = is_sound
        self._done: list[_Piece] = []
        self._piece = _Piece()

    def run(self) -> list[_Piece]:
        for child, is_fostered in _children(self._node):
            self._place(child, is_fostered=is_fostered)
        if not self._is_sound and _lost_block(self._node):
            self._enter(in_paragraph=False)
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
        if is_fostered or not _is_flowing(child):
            self._enter(in_paragraph=False)
        elif child.tag not in _METADATA:
            self._enter(in_paragraph=True)
            if child.tag in FORMATTING and _is_split(child, is_sound=self._is_sound):
                self._take(_split(child, is_sound=self._is_sound))
                return
            if child.tag in INLINE and _holds_block(child):
                self._piece.in_paragraph = False
        self._piece.add(html, is_blank=child.tag == "-text" and not html.strip(HTML_SPACE))

    def _take(self, pieces: list[_Piece]) -> None:
        for piece in pieces:
            self._enter(in_paragraph=piece.in_paragraph)
            self._piece.add("".join(piece.html))

    def _enter(self, *, in_paragraph: bool) -> None:
        if self._piece.in_paragraph == in_paragraph:
            return
        if not self._piece.is_blank:
            self._done.append(self._piece)
        self._piece = _Piece(in_paragraph)


def _split(node: LexborNode, *, is_sound: bool) -> list[_Piece]:
    return _Splitter(node, is_sound=is_sound).run()


# Formatting that a figure has interrupted is opened again within it by the tree builder, around
# both; it belongs within the caption.

_MOVED = FORMATTING - {"a"}


def mend_figures(body: LexborNode) -> None:
    """Move formatting around a picture and its caption into the caption."""
    for figure in reversed(body.css("figure")):
        innermost, tags = _interrupted(figure)
        if tags:
            figure.inner_html = "".join(_mended(innermost, tags))


def _interrupted(figure: LexborNode) -> tuple[LexborNode, list[LexborNode]]:
    """Return the element that contains picture and caption, and the formatting around it."""
    tags: list[LexborNode] = []
    node = figure
    while (child := node.child) is not None and child.tag in _MOVED:
        tags.append(child)
        node = child
    return node, tags


def _mended(innermost: LexborNode, tags: list[LexborNode]) -> Iterator[str]:
    child = innermost.child
    while child is not None:
        if child.tag == "figcaption":
            yield f"<figcaption>{_formatted(child.inner_html or '', tags)}</figcaption>"
        else:
            yield child.html or ""
        child = child.next


def _formatted(html: str, tags: list[LexborNode]) -> str:
    if not html.strip(HTML_SPACE):
        return html
    for tag in reversed(tags):
        attributes = "".join(
            f' {name}="{escape_attribute(value or "")}"' for name, value in tag.attributes.items()
        )
        html = f"<{tag.tag}{attributes}>{html}</{tag.tag}>"
    return html


_HELD = re.compile("\x7fq([0-9]+)\x7f")


class Quotations:
    """The contents of a page's quotations, taken out while what is around them is written.

    However deep they are nested, each is written once.
    """

    def __init__(self, body: LexborNode, *, is_sound: bool) -> None:
        """Write the contents of each quotation and leave a mark in its place, the inner ones first.

        Args:
            body: the page.
            is_sound: whether its tags were nested soundly.
        """
        self._contents: list[str] = []
        for quote in reversed(body.css("blockquote")):
            self._contents.append(wrapped_children(quote, is_sound=is_sound))
            quote.inner_html = f"\x7fq{len(self._contents) - 1}\x7f"

    def put_back(self, html: str) -> str:
        """Return the HTML with the contents in place of their marks."""
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
