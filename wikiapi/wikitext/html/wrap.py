"""Inline content that stands where only blocks should is wrapped in paragraphs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from selectolax.lexbor import LexborHTMLParser

if TYPE_CHECKING:
    from selectolax.lexbor import LexborNode

INLINE = frozenset(
    [
        "a",
        "abbr",
        "acronym",
        "applet",
        "b",
        "basefont",
        "bdi",
        "bdo",
        "big",
        "br",
        "button",
        "cite",
        "code",
        "data",
        "del",
        "dfn",
        "em",
        "font",
        "i",
        "iframe",
        "img",
        "input",
        "ins",
        "kbd",
        "label",
        "legend",
        "map",
        "mark",
        "object",
        "param",
        "q",
        "rb",
        "rbc",
        "rp",
        "rt",
        "rtc",
        "ruby",
        "s",
        "samp",
        "select",
        "small",
        "span",
        "strike",
        "strong",
        "sub",
        "sup",
        "textarea",
        "time",
        "tt",
        "u",
        "var",
        "wbr",
        "video",
        "audio",
    ]
)
"""Elements that belong in a paragraph."""
_TRANSPARENT = frozenset({"-comment", "style", "link", "meta"})
"""Nodes that neither need a paragraph nor end one."""


def wrap_children(parent: LexborNode) -> None:
    """Put runs of inline children into ``<p>``; inline elements that hold blocks stay bare."""
    run: list[LexborNode] = []
    child = parent.child
    while child is not None:
        following = child.next
        if _is_inline(child) or (run and child.tag in _TRANSPARENT):
            run.append(child)
        else:
            _wrap(run)
            run = []
        child = following
    _wrap(run)


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


def _wrap(run: list[LexborNode]) -> None:
    """Blank text at the start stays outside; a run of nothing else needs no paragraph."""
    while run and (_is_blank(run[0]) or run[0].tag in _TRANSPARENT):
        run = run[1:]
    if not run:
        return
    paragraph = _new_paragraph()
    run[0].insert_before(paragraph)
    inserted = run[0].prev
    if inserted is None:
        return
    for node in run:
        inserted.insert_child(node)
        node.decompose()


def _is_blank(node: LexborNode) -> bool:
    return node.tag == "-text" and not (node.text_content or "").strip(" \t\n\r\f")


def _new_paragraph() -> LexborNode:
    body = LexborHTMLParser("<p></p>").body
    if body is None or body.child is None:
        raise RuntimeError("the tree builder made no paragraph")
    return body.child
