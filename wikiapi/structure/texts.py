"""The text of rendered HTML as readers see it, without markup."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import cast

from selectolax.lexbor import LexborHTMLParser, LexborNode

_DOCUMENT = "<!DOCTYPE html><html><head></head><body>"
_LEFT_OUT = frozenset({"style", "script", "template", "noscript", "-comment", "link", "meta"})
_LEFT_OUT_CLASSES = frozenset({"mw-editsection", "mw-cite-backlink", "reference", "sortkey", "toc"})
"""Classes of what is only of use on a page, such as links to edit and numbers of references."""
_LINES = frozenset(
    ("address", "article", "aside", "blockquote", "caption", "center", "dd", "details", "div", "dl",
     "dt", "figcaption", "figure", "h1", "h2", "h3", "h4", "h5", "h6", "hr", "li", "ol", "p", "pre",
     "section", "summary", "table", "tr", "ul")
)  # fmt: skip
"""Elements that begin on a new line."""
_CELLS = frozenset({"td", "th"})
_MAX_NESTING = 5
_HIDDEN = re.compile(r"display\s*:\s*none", re.IGNORECASE)
_BLANKS = re.compile(r"[ \t\r\f\xa0]+")
_LINE_BREAKS = re.compile(r" ?\n[ \n]*+")


def plain_text(html: str) -> str:
    """Return HTML as text: a line for each block, without numbers of references."""
    return text_of(body_of(html))


def body_of(html: str) -> LexborNode:
    """Return the element that contains the rendered HTML of a page or of a part of it."""
    return cast("LexborNode", LexborHTMLParser(_DOCUMENT + html).body)


def text_of(root: LexborNode) -> str:
    """Return the text within an element, as `plain_text` does."""
    pieces: list[str] = []
    pending: list[LexborNode | str] = [root]
    while pending:
        node = pending.pop()
        if isinstance(node, str):
            pieces.append(node)
        elif node.tag == "-text":
            pieces.append((node.text_content or "").replace("\n", " "))
        elif node.tag == "br":
            pieces.append("\n")
        elif node is root or not _is_left_out(node):
            if node.tag in _LINES:
                pieces.append("\n")
                pending.append("\n")
            elif node.tag in _CELLS:
                pending.append(" ")
            pending += reversed(list(node.iter(include_text=True)))
    text = _BLANKS.sub(" ", "".join(pieces))
    return _LINE_BREAKS.sub("\n", text).strip()


def elements_in_tables(root: LexborNode) -> Iterator[LexborNode]:
    """Yield the elements below ``root``, but not those in more than five tables within others."""
    pending = [(child, 0) for child in reversed(list(root.iter()))]
    while pending:
        node, tables = pending.pop()
        yield node
        tables += node.tag == "table"
        if tables <= _MAX_NESTING:
            pending += [(child, tables) for child in reversed(list(node.iter()))]


def classes_of(element: LexborNode) -> list[str]:
    """Return the classes of an element."""
    return (element.attributes.get("class") or "").split()


def _is_left_out(node: LexborNode) -> bool:
    return (
        node.tag in _LEFT_OUT
        or not _LEFT_OUT_CLASSES.isdisjoint(classes_of(node))
        or bool(_HIDDEN.search(node.attributes.get("style") or ""))
    )
