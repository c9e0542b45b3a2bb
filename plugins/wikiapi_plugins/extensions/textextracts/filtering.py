"""Reduces rendered pages to limited HTML or plain text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from html import unescape

from selectolax.lexbor import LexborHTMLParser, LexborNode

REMOVED = (
    "table", "div", "figure", "script", "input", "style", "ul.gallery", ".mw-editsection",
    "sup.reference", "ol.references", ".error", ".nomobile", ".noprint", ".noexcerpt", ".sortkey",
)  # fmt: skip
"""The selectors of the elements that are removed by default."""
MEDIA = ("img", "audio", "video")

_ATTRIBUTES = r'(?:[^<>"]++|"[^"]*+")*+'
_HEADING = re.compile(
    rf'<div class="mw-heading mw-heading[1-6]"><(h[1-6]) id="([^"]*)"({_ATTRIBUTES})>'
    r'(?:<span id="([^"]*)"></span>)?((?:[^<]++|<(?!/?h[1-6]\b))*+)</\1></div>'
)
_SELECTOR = re.compile(r"(?P<tag>[\w-]*)(?:\.(?P<css>[^.#\s]+)|\#(?P<id>[^.#\s]+))?\Z")
# An unclosed comment is not a comment: it can only be in an attribute, and is kept.
_COMMENT = re.compile(r"<!--.*?-->|(<!--.*+)", re.DOTALL)
_LINK = re.compile(rf"</?a\b{_ATTRIBUTES}>", re.IGNORECASE)
_TAG = re.compile(rf"</?[a-z][a-z0-9]*\b{_ATTRIBUTES}>", re.IGNORECASE)
_EMPTY = re.compile(rf"<((?:br|hr|wbr|link|meta)\b{_ATTRIBUTES})>")
_MANY_NEWLINES = re.compile(r"\n{3,}")
_BLANKS = " \t\n\r\0\x0b"


@dataclass(frozen=True)
class Filter:
    """The elements to leave out: by tag, or by class or id, of any tag or of one."""

    tags: frozenset[str]
    classes: frozenset[tuple[str, str]]
    ids: frozenset[tuple[str, str]]

    @classmethod
    def of(cls, selectors: Iterable[str]) -> Filter:
        """Read ``tag``, ``tag.class``, ``.class`` and ``#id``; others are ignored."""
        parts = [match.groupdict() for one in selectors if (match := _SELECTOR.match(one.strip()))]
        return cls(
            frozenset(s["tag"] for s in parts if s["tag"] and not s["css"] and not s["id"]),
            frozenset((s["tag"], s["css"]) for s in parts if s["css"]),
            frozenset((s["tag"], s["id"]) for s in parts if s["id"]),
        )

    def removes(self, node: LexborNode) -> bool:
        """Return whether an element is excluded with its content."""
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
    """Return the page's HTML without excluded elements, media, links and comments."""
    return _LINK.sub("", _filtered(html, removed)).strip(_BLANKS)


def plain_text(html: str, removed: Filter) -> str:
    """Return the page's text, in which section titles are marked (see ``mark``)."""
    text = unescape(_TAG.sub("", mark(_filtered(html, removed))))
    text = text.replace("\xa0", " ").replace("\r", "\n")
    return _MANY_NEWLINES.sub("\n\n", text).strip(_BLANKS)


def _filtered(html: str, removed: Filter) -> str:
    body = LexborHTMLParser(_HEADING.sub(_unwrapped, html)).body
    if body is None:
        return ""
    for node in list(_outermost(body, removed)):
        node.decompose()
    for span in body.css("span"):
        for name in ("class", "style"):
            if name in span.attributes:
                del span.attrs[name]
    html = _COMMENT.sub(r"\1", body.inner_html or "")
    # MediaWiki writes these as XML.
    html = _EMPTY.sub(r"<\1/>", html)
    return html.replace("&nbsp;", "\xa0")


def _unwrapped(match: re.Match[str]) -> str:
    """Return a heading without the box around it, and with its id as a data attribute."""
    tag, anchor, attributes, fallback, text = match.groups()
    old = f' data-mw-fallback-anchor="{fallback}"' if fallback else ""
    return f'<{tag}{attributes} data-mw-anchor="{anchor}"{old}>{text}</{tag}>'


def _outermost(root: LexborNode, removed: Filter) -> Iterator[LexborNode]:
    """Yield the outermost excluded elements, because a node must not be freed twice."""
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


# In plain text, section titles are marked by their level between control characters, and formatted
# only after caching, so that a cached extract serves all values of ``exsectionformat``.

START = "\1\2"
END = "\2\1"
_MARKED = re.compile(f"{START}([1-6]){END}(.*)$", re.MULTILINE)
_ELEMENT = re.compile(r"(?<!\s)\s*+(<h([1-6])\b)", re.IGNORECASE)
_HTML = re.compile(r"<h[1-6]\b")


def mark(html: str) -> str:
    """Return HTML with an empty line and a mark before each heading."""
    return _ELEMENT.sub(rf"\n\n{START}\2{END}\1", html)


def introduction(text: str, *, plain: bool) -> str:
    """Return the text before the first heading."""
    if plain:
        return text.partition(START)[0].rstrip(_BLANKS)
    match = _HTML.search(text)
    return text[: match.start()] if match else text


def formatted(text: str, form: str) -> str:
    """Return plain text with its section titles in a form of ``exsectionformat``."""
    if form == "raw":
        return text
    return _MARKED.sub(_wiki if form == "wiki" else _without_marks, text)


def _wiki(match: re.Match[str]) -> str:
    bars = "=" * int(match[1])
    return f"\n{bars} {match[2].strip(_BLANKS)} {bars}"


def _without_marks(match: re.Match[str]) -> str:
    return "\n" + match[2].strip(_BLANKS)
