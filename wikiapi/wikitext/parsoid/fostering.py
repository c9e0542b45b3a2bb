"""Content that the HTML parser moves out of tables, to before them ("foster parenting").

Parsoid puts it into paragraphs wherever the table is, unless a call has made the table. If text
that a call has made is moved, the moved content and the table are one part of the page.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import groupby
from typing import TYPE_CHECKING

from selectolax.lexbor import LexborHTMLParser

from wikiapi.wikitext.html.allowed import INLINE
from wikiapi.wikitext.html.tidy import tidy
from wikiapi.wikitext.html.wrap import FOSTER_MARK, WrapForm, is_foster_mark
from wikiapi.wikitext.parsoid.marks import ATTRIBUTE, BEGIN, COMMENT, END
from wikiapi.wikitext.parsoid.sources import CallSource, Sources
from wikiapi.wikitext.preprocess.nodes import Template
from wikiapi.wikitext.syntax import HTML_SPACE

if TYPE_CHECKING:
    from selectolax.lexbor import LexborNode

MOVED = "data-mw-moved"
"""Attribute of the first element moved out of a table, if a call has made some of the content."""
_SHADOW = "data-mw-shadow"
"""Attribute of an element after each text that is from a call. It is moved along with the text."""
_SHADOW_HTML = f'<meta {_SHADOW}="">'
_MARK = r"<!--mw(?P<kind>[a-z])(?P<number>[0-9]{1,9})-->"
_ATTRIBUTE_MARK = re.compile(rf"<!--mw{ATTRIBUTE}[0-9]{{1,9}}-->")
_TABLE = re.compile(
    rf"<(?:{_ATTRIBUTE_MARK.pattern[1:]}(?:{_ATTRIBUTE_MARK.pattern})*+(?:<table\b)?"
    rf"|table\b|{_MARK[1:]})"
)
"""Matches the start of a table with the marks of its attributes, or marks.

It begins with the one character that all matches begin with, so that the search is fast.
"""
_TOKEN = re.compile(
    rf"{_MARK}|<(?P<end>/?)table\b[^<>]*+|<(?:style|script|textarea)\b[^<>]*+>[^<]*+|<[^<>]*+>?"
    r"|(?P<text>[^<]++)"
)

_EMPTY_BODY = re.compile(
    r'<tbody>([\t\n\f\r ]*+<tr class="mw-empty-elt">[^<]*+(?:<!--mw[^<>]*+>[^<]*+)*+</tr>'
    r"[\t\n\f\r ]*+)(?=</tbody>)"
)


def tidy_page(html: str, sources: Sources) -> str:
    """Return well-formed HTML for the body of a page with source marks."""
    if "<table" not in html:
        return tidy(html, form=_FORM)
    call = _OpenCall(sources)

    def marked(match: re.Match[str]) -> str:
        call.read(match)
        is_own_table = match[0].endswith("<table") and not call.number
        return FOSTER_MARK + match[0] if is_own_table else match[0]

    html = _TABLE.sub(marked, html)
    wrapping = _Wrapping()
    text = tidy(html, wrapping.run, _FORM)
    if wrapping.is_used and f"<!--mw{BEGIN}" in html:
        # It is not known yet which of the moved texts are from calls.
        text = tidy(_with_shadows(html, sources), _Wrapping().run, _FORM)
    return _EMPTY_BODY.sub(r'<tbody class="mw-empty-elt">\1', text)


def _end_of_paragraph(nodes: Sequence[str]) -> int:
    """Return how many nodes of a paragraph are before those at its end that show nothing.

    The end of a call that begins in the paragraph remains in it, with what is before it, and so do
    blanks after the last node that shows something.
    """
    begun: set[str] | None = None
    for at in range(len(nodes), 0, -1):
        node = nodes[at - 1]
        mark = COMMENT.fullmatch(node)
        if mark is None:
            if node.strip(HTML_SPACE) and not node.startswith(("<!--", "<link", "<meta")):
                is_before_blanks = at == len(nodes) - 1 and not nodes[at].strip(HTML_SPACE)
                return len(nodes) if is_before_blanks else at
        elif mark[1] == END:
            if begun is None:
                marks = COMMENT.findall("".join(nodes))
                begun = {number for kind, number in marks if kind == BEGIN}
            if mark[2] in begun:
                return at
    return 0


_FORM = WrapForm(_end_of_paragraph, drops_empty=True, formats_empty=True, keeps_references=False)


class _OpenCall:
    """The number of the outermost call that is open at a mark, while these are read in order."""

    def __init__(self, sources: Sources) -> None:
        self._sources = sources
        self.number = ""

    def read(self, match: re.Match[str]) -> None:
        kind, number = match["kind"], match["number"]
        if kind == END and number == self.number:
            self.number = ""
        elif kind == BEGIN and not self.number:
            source = self._sources.get(int(number))
            if isinstance(source, CallSource) and isinstance(source.node, Template):
                self.number = number


def _with_shadows(html: str, sources: Sources) -> str:
    """Return the HTML with elements after the texts that calls have made in tables."""
    call = _OpenCall(sources)
    depth = 0

    def shadowed(match: re.Match[str]) -> str:
        nonlocal depth
        call.read(match)
        if match["end"] is not None:
            depth = max(0, depth + (-1 if match["end"] else 1))
        is_shadowed = depth and call.number and match["text"] and match["text"].strip(HTML_SPACE)
        return f"{match[0]}{_SHADOW_HTML}" if is_shadowed else match[0]

    return _TOKEN.sub(shadowed, html)


class _Wrapping:
    """Puts the content moved out of the tables of a document into paragraphs."""

    def __init__(self) -> None:
        self.is_used = False
        """Whether there is such content."""

    def run(self, parser: LexborHTMLParser) -> None:
        """Wrap the content in the document of a parser."""
        for table in parser.css("table"):
            nodes = _moved_from(table)
            if not nodes:
                continue
            self.is_used = True
            has_shadow = any(_SHADOW_HTML in (node.html or "") for node in nodes)
            first = _wrapped(nodes, parser)
            if has_shadow and first is not None:
                first.attrs[MOVED] = ""
        if self.is_used:
            for shadow in parser.css(f"[{_SHADOW}]"):
                shadow.remove()


def _moved_from(table: LexborNode) -> list[LexborNode]:
    """Return the nodes that were moved out of a table.

    Marks for attributes of the table that are before them are moved back to the table.
    """
    nodes: list[LexborNode] = []
    node = table.prev
    while node is not None and not is_foster_mark(node):
        last = node.last_child if node.tag == "p" else None
        if last is not None and (is_foster_mark(last) or _is_attribute_mark(last)):
            break
        if node.tag == "table":
            return []
        nodes.append(node)
        node = node.prev
    if node is None or all(each.tag == "-comment" for each in nodes):
        return []
    nodes.reverse()
    while _is_attribute_mark(nodes[0]):
        mark = nodes.pop(0)
        table.insert_before(mark)
        mark.remove()
    return nodes


def _is_attribute_mark(node: LexborNode) -> bool:
    return node.tag == "-comment" and _ATTRIBUTE_MARK.fullmatch(node.html or "") is not None


def _wrapped(nodes: list[LexborNode], parser: LexborHTMLParser) -> LexborNode | None:
    """Put runs of inline nodes into elements, and return the first element of all."""
    parent = nodes[0].parent
    while parent is not None and parent.tag in INLINE:
        parent = parent.parent
    name = "span" if parent is not None and parent.tag == "p" else "p"
    first: LexborNode | None = None
    for is_inline, run in groupby(nodes, _is_inline):
        inner = list(run)
        element: LexborNode | None = inner[0]
        if is_inline:
            html = "".join([node.html or "" for node in inner]).replace(_SHADOW_HTML, "")
            holder = parser.create_node(name)
            holder.inner_html = html
            inner[0].insert_before(holder)
            element = inner[0].prev
            for node in inner:
                node.remove()
        first = first or element
    return first


def _is_inline(node: LexborNode) -> bool:
    """Return whether a moved node belongs in a paragraph. Those that show nothing do not."""
    if node.tag in ("-text", "-comment"):
        return True
    return node.tag in INLINE or _SHADOW in node.attributes
