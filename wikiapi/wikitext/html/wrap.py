"""Inline content that stands where only blocks should is wrapped in paragraphs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from selectolax.lexbor import LexborHTMLParser

from wikiapi.wikitext.html.allowed import words
from wikiapi.wikitext.html.entities import escape_attribute

if TYPE_CHECKING:
    from collections.abc import Iterator

    from selectolax.lexbor import LexborNode

INLINE = words(
    """
    a abbr acronym applet b basefont bdi bdo big br button cite code data del dfn em font i iframe
    img input ins kbd label legend map mark object param q rb rbc rp rt rtc ruby s samp select small
    span strike strong sub sup textarea time tt u var wbr video audio
    """
)
"""Elements that belong in a paragraph."""
_TRANSPARENT = frozenset({"-comment", "style", "link", "meta"})
"""Nodes that neither need a paragraph nor end one."""
_REPLACED = frozenset({"img", "br", "input", "video", "audio", "iframe", "object", "wbr"})
"""Elements that show although they hold no text."""


def wrap_children(parent: LexborNode, *, fostered: bool = False) -> None:
    """Put runs of inline children into ``<p>``; inline elements that hold blocks are split.

    ``fostered``: tables held content out of place, which the tree builder has put before them and
    which stays as it is.
    """
    for child in list(_children(parent)):
        if child.tag in INLINE and _holds_block(child):
            _split(child)
    run: list[LexborNode] = []
    for child in list(_children(parent)):
        if _is_inline(child) or (run and child.tag in _TRANSPARENT):
            run.append(child)
        else:
            if not (fostered and child.tag == "table"):
                _wrap(run)
            run = []
    _wrap(run)


def _children(node: LexborNode) -> Iterator[LexborNode]:
    child = node.child
    while child is not None:
        yield child
        child = child.next


def _is_inline(node: LexborNode) -> bool:
    if node.tag == "-text":
        return True
    return node.tag in INLINE and not _holds_block(node)


def _holds_block(node: LexborNode) -> bool:
    return any(
        child.tag not in INLINE and child.tag not in _TRANSPARENT
        for child in node.traverse(include_text=False)
        if child.mem_id != node.mem_id
    )


def _split(node: LexborNode) -> None:
    """A formatting element around blocks: one around the text before, one around each block."""
    groups: list[tuple[bool, list[LexborNode]]] = []
    for child in _children(node):
        inline = _is_inline(child) or child.tag in _TRANSPARENT
        if groups and groups[-1][0] == inline:
            groups[-1][1].append(child)
        else:
            groups.append((inline, [child]))
    for _, children in reversed(groups[1:]):
        _move_behind(node, children)


def _move_behind(node: LexborNode, children: list[LexborNode]) -> None:
    """Move the last children into an element like their parent, right behind it."""
    node.insert_after(_element(_empty_copy(node)))
    copy = node.next
    if copy is None:
        return
    for child in children:
        copy.insert_child(child)
        child.decompose()


def _empty_copy(node: LexborNode) -> str:
    attributes = "".join(
        f' {name}="{escape_attribute(value or "")}"' for name, value in node.attributes.items()
    )
    return f"<{node.tag}{attributes}></{node.tag}>"


def _wrap(run: list[LexborNode]) -> None:
    """Blank text at the start stays outside; a run of nothing else needs no paragraph."""
    while run and (_is_blank(run[0]) or run[0].tag in _TRANSPARENT):
        run = run[1:]
    if not run:
        return
    run[0].insert_before(_element("<p></p>"))
    paragraph = run[0].prev
    if paragraph is None:
        return
    for node in run:
        paragraph.insert_child(node)
        node.decompose()


def _is_blank(node: LexborNode) -> bool:
    if node.tag == "-text":
        return not (node.text_content or "").strip(" \t\n\r\f")
    if node.tag in _REPLACED or any(
        child.tag in _REPLACED for child in node.traverse(include_text=False)
    ):
        return False
    return not (node.text(deep=True) or "").strip(" \t\n\r\f")


def _element(html: str) -> LexborNode:
    body = LexborHTMLParser(html).body
    if body is None or body.child is None:
        raise RuntimeError("the tree builder made no element")
    return body.child
