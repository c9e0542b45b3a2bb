"""Whether HTML may be shown to anybody: judged by an HTML5 parser that the project does not use.

Nothing may run, nothing may load from elsewhere, and nothing may pose as the page's own controls.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from html.parser import HTMLParser
from typing import TYPE_CHECKING
from urllib.parse import urlsplit
from warnings import catch_warnings, simplefilter

import tinycss2

from wikiapi.wikitext.html.allowed import ELEMENTS, VOID, words

with catch_warnings():
    # The parser is old, and its own dependencies warn where they are newer.
    simplefilter("ignore")
    import html5lib

from collections.abc import Iterable, Iterator

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

    from tinycss2.ast import Node

_HTML = "{http://www.w3.org/1999/xhtml}"
_MATH = "{http://www.w3.org/1998/Math/MathML}"
_WRITTEN = words(
    """
    a img figure figcaption section thead tbody tfoot colgroup col style audio video source track
    header mw:edittemplatedata
    """
)
"""Elements that the parser and its extensions write, besides those that wikitext may have."""
_CONTROLS = frozenset({"input", "form", "label", "button"})
"""What ``<inputbox>`` writes; nobody else may."""
_TOGGLE = "toctogglecheckbox"
"""A table of contents is opened and closed by a control of its own."""
_MATH_ELEMENTS = words(
    """
    math semantics annotation mrow mi mo mn mtext mspace mfrac msqrt mroot mstyle merror mpadded
    mphantom mfenced menclose msub msup msubsup munder mover munderover mmultiscripts mtable mtr
    mtd mprescripts none
    """
)
_ADDRESSES = words(
    """
    href src action poster background longdesc srcset formaction data classid codebase
    profile usemap manifest icon archive lowsrc dynsrc ping srcdoc xlink:href
    """
)
_RESERVED = re.compile(r"data-(mw|parsoid|ooui)")
_OWN_DATA = words(
    """
    data-mw-comment-start data-mw-comment-end data-mw-deduplicate data-mw-section-id
    data-mw-fallback-anchor
    """
)
_SCHEMES = words(
    """
    bitcoin ftp ftps geo git gopher http https irc ircs magnet mailto matrix mms news nntp redis
    sftp sip sips sms ssh svn tel telnet urn wikipedia worldwind xmpp
    """
)
_LEADING = "".join(map(chr, range(0x21)))
"""What a browser skips at the beginning of an address."""
_SKIPPED = str.maketrans("", "", "\t\n\r")
_LOADING = frozenset({"url", "src", "image", "image-set", "-webkit-image-set", "expression"})
_OLD_LOADING = frozenset({"-o-link", "-o-link-source"})
"""Old properties that load what a string names; others took a ``url()``, which counts itself."""


def harms(html: str, *, controls: bool = False, own_data: bool = False) -> list[str]:
    """Return the problems of the HTML of a page's body; empty if it is harmless.

    Args:
        html: part of a document.
        controls: whether forms are part of it, as with ``<inputbox>``.
        own_data: whether attributes are part of it that the server alone may write, as Parsoid's.
    """
    allowed = _Allowed(controls, own_data)
    document = html if html.startswith("<!DOCTYPE") else f"<!DOCTYPE html><body>{html}"
    root = html5lib.parse(document, treebuilder="etree", namespaceHTMLElements=True)
    body = root.find(f"{_HTML}body")
    return [wrong for element in body.iter() for wrong in _of_element(element, allowed)]


@dataclass(frozen=True, slots=True)
class _Allowed:
    controls: bool
    own_data: bool


def _of_element(element: Element, allowed: _Allowed) -> Iterator[str]:
    if not isinstance(element.tag, str):
        return
    name = element.tag.removeprefix(_HTML)
    if name != "body" and not _is_allowed(name, allowed.controls) and not _is_toggle(element):
        yield f"<{name}>"
    for key, value in element.items():
        yield from (
            f"<{name} {key}={value!r}>: {wrong}"
            for wrong in _of_attribute(key, value, allowed.own_data)
        )
    if name == "style":
        yield from (f"<style>: {wrong}" for wrong in _of_sheet(element.text or ""))


def _is_allowed(name: str, controls: bool) -> bool:
    if name.startswith(_MATH):
        return name.removeprefix(_MATH) in _MATH_ELEMENTS
    return name in ELEMENTS or name in _WRITTEN or (controls and name in _CONTROLS)


def _is_toggle(element: Element) -> bool:
    is_input = element.get("class") == _TOGGLE and element.get("type") == "checkbox"
    return is_input or (element.get("class") == "toctogglelabel" and element.get("for") == _TOGGLE)


def _of_attribute(key: str, value: str, own_data: bool) -> Iterator[str]:
    name = key.lower()
    if name.startswith("on"):
        yield "a handler"
    if not own_data and _RESERVED.match(name) and name not in _OWN_DATA:
        yield "poses as the server's own"
    if name in _ADDRESSES and not _is_safe_address(value):
        yield "an address of another kind"
    if name == "style":
        yield from _of_css(value)


def _is_safe_address(value: str) -> bool:
    text = value.lstrip(_LEADING).translate(_SKIPPED)
    try:
        scheme = urlsplit(text).scheme
    except ValueError:
        return text.lower().startswith(("http:", "https:", "//"))
    before = re.match(r"[^/?#:]*:", text)
    return not before or scheme in _SCHEMES or before[0][:-1].lower() in _SCHEMES


_SHEET_RULES = ("import", "charset", "namespace")


def _of_sheet(css: str) -> Iterator[str]:
    """Yield problems; at-rules count only in a style sheet."""
    yield from _sheet_rules(tinycss2.parse_component_value_list(css))
    yield from _of_css(css)


def _sheet_rules(nodes: Iterable[Node]) -> Iterator[str]:
    """Yield the names of rules for other sheets, at any depth."""
    for node in nodes:
        if node.type == "at-keyword" and node.lower_value in _SHEET_RULES:
            yield f"@{node.lower_value}"
        yield from _sheet_rules(getattr(node, "arguments", None) or ())
        if isinstance(getattr(node, "content", None), list):
            yield from _sheet_rules(node.content)


def _of_css(css: str) -> Iterator[str]:
    yield from _of_nodes(tinycss2.parse_component_value_list(css))


def _of_nodes(nodes: Iterable[Node]) -> Iterator[str]:
    nodes = [node for node in nodes if node.type not in ("whitespace", "comment")]
    for before, node, following in zip([None, *nodes], nodes, [*nodes[1:], None], strict=False):
        if node.type == "url" or (node.type == "error" and node.kind == "bad-url"):
            yield "loads"
        if node.type == "function":
            if node.lower_name in _LOADING:
                yield f"{node.lower_name}()"
            yield from _of_nodes(node.arguments)
        is_property = node.type == "ident" and following == ":" and before != "."
        if is_property and node.lower_value in _OLD_LOADING:
            yield node.lower_value
        if hasattr(node, "content") and isinstance(node.content, list):
            yield from _of_nodes(node.content)


class _Tags(HTMLParser):
    """Follows the tags of a text, and notes those that are out of turn."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.wrong: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in VOID | {"img", "input", "source", "track", "col"}:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Handle a tag that ends itself: a void element, or one of MathML."""

    def handle_endtag(self, tag: str) -> None:
        if self.open and self.open[-1] == tag:
            self.open.pop()
        else:
            self.wrong.append(f"</{tag}> within {self.open[-3:]}")


def faults(html: str) -> list[str]:
    """Return where the tags of the HTML are not nested correctly."""
    tags = _Tags()
    tags.feed(html)
    tags.close()
    return tags.wrong + [f"<{name}> is not closed" for name in tags.open]
