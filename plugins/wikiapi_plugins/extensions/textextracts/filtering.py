"""A rendered page cut down to what is text."""

from __future__ import annotations

import re
from dataclasses import dataclass
from html import unescape
from typing import TYPE_CHECKING

from selectolax.lexbor import LexborHTMLParser

from wikiapi_plugins.extensions.textextracts import headings

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from selectolax.lexbor import LexborNode

REMOVED = (
    "table", "div", "figure", "script", "input", "style", "ul.gallery", ".mw-editsection",
    "sup.reference", "ol.references", ".error", ".nomobile", ".noprint", ".noexcerpt", ".sortkey",
)  # fmt: skip
"""What is left out where the configuration says nothing."""
MEDIA = ("img", "audio", "video")

_ATTRIBUTES = r'(?:[^<>"]++|"[^"]*+")*+'
_HEADING = re.compile(
    rf'<div class="mw-heading mw-heading[1-6]"><(h[1-6]) id="([^"]*)"({_ATTRIBUTES})>'
    r'(?:<span id="([^"]*)"></span>)?((?:[^<]++|<(?!/?h[1-6]\b))*+)</\1></div>'
)
_SELECTOR = re.compile(r"(?P<tag>[\w-]*)(?:\.(?P<css>[^.#\s]+)|\#(?P<id>[^.#\s]+))?\Z")
# A comment that is not closed is none, and what looks like it can be within an attribute only.
_COMMENT = re.compile(r"<!--.*?-->|(<!--.*+)", re.DOTALL)
_LINK = re.compile(rf"</?a\b{_ATTRIBUTES}>", re.IGNORECASE)
_TAG = re.compile(rf"</?[a-z][a-z0-9]*\b{_ATTRIBUTES}>", re.IGNORECASE)
_MANY_NEWLINES = re.compile(r"\n{3,}")
_BLANKS = " \t\n\r\0\x0b"


@dataclass(frozen=True)
class Filter:
    """Which elements are left out: by tag, by class of any or of one tag, by id."""

    tags: frozenset[str]
    classes: frozenset[tuple[str, str]]
    ids: frozenset[tuple[str, str]]

    @classmethod
    def of(cls, selectors: Iterable[str]) -> Filter:
        """Read ``tag``, ``tag.class``, ``.class`` and ``#id``; what is none of them is ignored."""
        found = [match.groupdict() for one in selectors if (match := _SELECTOR.match(one.strip()))]
        return cls(
            frozenset(s["tag"] for s in found if s["tag"] and not s["css"] and not s["id"]),
            frozenset((s["tag"], s["css"]) for s in found if s["css"]),
            frozenset((s["tag"], s["id"]) for s in found if s["id"]),
        )

    def removes(self, node: LexborNode) -> bool:
        """Whether an element is left out, with all it holds."""
        tag = node.tag or ""
        if tag in self.tags:
            return True
        attributes = node.attributes
        if not attributes:
            return False
        css = (attributes.get("class") or "").split()
        name = attributes.get("id")
        return any((tag, one) in self.classes or ("", one) in self.classes for one in css) or (
            name is not None and ((tag, name) in self.ids or ("", name) in self.ids)
        )


def limited_html(html: str, removed: Filter) -> str:
    """The page's HTML without what is left out, media, links and comments."""
    return _LINK.sub("", _filtered(html, removed)).strip(_BLANKS)


def plain_text(html: str, removed: Filter) -> str:
    """The page's text; section titles are marked (see ``headings``)."""
    text = unescape(_TAG.sub("", headings.mark(_filtered(html, removed))))
    text = text.replace("\xa0", " ").replace("\r", "\n")
    return _MANY_NEWLINES.sub("\n\n", text).strip(_BLANKS)


def _filtered(html: str, removed: Filter) -> str:
    body = LexborHTMLParser(_HEADING.sub(_unwrapped, html)).body
    if body is None:
        return ""
    for node in list(_outermost(body, removed)):
        node.decompose()
    for span in body.css("span"):
        _strip_looks(span)
    kept = _COMMENT.sub(r"\1", body.inner_html or "")
    return kept.replace("&nbsp;", "\xa0")


def _unwrapped(match: re.Match[str]) -> str:
    """A heading without its box; it is found by its anchor, which is no id here."""
    tag, anchor, attributes, fallback, text = match.groups()
    old = f' data-mw-fallback-anchor="{fallback}"' if fallback else ""
    return f'<{tag}{attributes} data-mw-anchor="{anchor}"{old}>{text}</{tag}>'


def _outermost(root: LexborNode, removed: Filter) -> Iterator[LexborNode]:
    """Elements that are left out and lie in no other such: a node must not be freed twice."""
    pending = [root.child]
    while pending:
        node = pending.pop()
        while node is not None:
            if removed.removes(node):
                yield node
            elif node.child is not None:
                pending.append(node.next)
                node = node.child
                continue
            node = node.next


def _strip_looks(span: LexborNode) -> None:
    for name in ("class", "style"):
        if name in span.attributes:
            del span.attrs[name]
