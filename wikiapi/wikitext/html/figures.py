"""Figures hold a picture and a caption, nothing else.

Formatting that a figure has interrupted is opened again within it by the tree builder, around both;
it belongs within the caption.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from wikiapi.wikitext.html.allowed import FORMATTING
from wikiapi.wikitext.html.entities import escape_attribute

if TYPE_CHECKING:
    from collections.abc import Iterator

    from selectolax.lexbor import LexborNode

_MOVED = FORMATTING - {"a"}
_BLANKS = " \t\n\r\f"


def mend_figures(body: LexborNode) -> None:
    """Move formatting around a picture and its caption into the caption."""
    for figure in reversed(body.css("figure")):
        innermost, tags = _interrupted(figure)
        if tags:
            figure.inner_html = "".join(_mended(innermost, tags))


def _interrupted(figure: LexborNode) -> tuple[LexborNode, list[LexborNode]]:
    """The element that holds picture and caption, and the formatting down to it."""
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
    if not html.strip(_BLANKS):
        return html
    for tag in reversed(tags):
        attributes = "".join(
            f' {name}="{escape_attribute(value or "")}"' for name, value in tag.attributes.items()
        )
        html = f"<{tag.tag}{attributes}>{html}</{tag.tag}>"
    return html
