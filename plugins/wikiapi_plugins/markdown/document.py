"""Conversion of rendered pages to Markdown, block by block.

The tree is walked without recursion, and each piece of text is copied a bounded number of times,
because lists, quotations and notes are indented only up to a certain depth.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from selectolax.lexbor import LexborHTMLParser, LexborNode

from wikiapi.wikitext import USUAL_PROTOCOLS, Protocols
from wikiapi_plugins.markdown.inline import Break, Inline, address, code, escaped
from wikiapi_plugins.markdown.tables import UNFIT, Cell, Table, reduced_html

Resolve = Callable[[str], str | None]
"""Returns the URL to use for a URL in the page; ``None`` for no link."""

_MAX_DEPTH = 12
_LEFT_OUT_TAGS = frozenset(
    (
        "head",
        "script",
        "style",
        "link",
        "meta",
        "input",
        "button",
        "select",
        "textarea",
        "form",
        "template",
        "noscript",
        "map",
        "object",
        "iframe",
        "-comment",
    )
)
_LEFT_OUT_CLASSES = frozenset(
    (
        "mw-editsection",
        "mw-cite-backlink",
        "mw-jump-link",
        "navbox",
        "vertical-navbox",
        "navbox-styles",
        "noprint",
        "toc",
        "mw-empty-elt",
        "sortkey",
        "catlinks",
        "mw-toc-placeholder",
        "navigation-not-searchable",
        "sistersitebox",
        "mw-collapsible-toggle",
    )
)
_BROKEN = "mw-broken-media"
"""The class of what stands for a missing picture."""
_HIDDEN = re.compile(r"display\s*:\s*none", re.IGNORECASE)
_HEADINGS = {f"h{level}": level for level in range(1, 7)}
_BLOCKS = frozenset(
    (
        "address",
        "article",
        "aside",
        "body",
        "center",
        "dd",
        "details",
        "div",
        "dl",
        "dt",
        "fieldset",
        "figcaption",
        "figure",
        "footer",
        "header",
        "html",
        "main",
        "nav",
        "p",
        "section",
        "summary",
    )
)
_MARKS = {
    "b": "**", "strong": "**", "i": "*", "em": "*", "cite": "*", "dfn": "*", "var": "*",
    "s": "~~", "del": "~~", "strike": "~~",
}  # fmt: skip
_CODE = frozenset({"code", "kbd", "samp", "tt"})
_SCRIPTS = {"sup": ("<sup>", "</sup>"), "sub": ("<sub>", "</sub>")}
_LANGUAGE = re.compile(r"mw-highlight-lang-([\w+#-]{1,40})")
_FENCE = re.compile(r"^ {0,3}(`{3,})", re.MULTILINE)
_NOTE = "cite_note-"
_NOT_IN_LABEL = re.compile(r"[^\w.-]+")
_NUMBER = re.compile(r"\d{1,5}\Z", re.ASCII)
_WEB = frozenset({"http", "https"})
_SCHEME = re.compile(r"[\x00-\x20]*+([a-z][a-z0-9+.-]*+):", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Block:
    """A part of a page; ``text`` is its Markdown.

    ``kind`` is ``heading``, ``paragraph``, ``list``, ``quote``, ``code``, ``table``, ``note``,
    ``rule`` or ``html``. Headings also have their level, their anchor and, in ``title``, their text
    without the leading ``#``.
    """

    kind: str
    text: str
    level: int = 0
    anchor: str = ""
    title: str = ""


def to_blocks(
    html: str, resolve: Resolve = lambda url: url, protocols: Protocols = USUAL_PROTOCOLS
) -> list[Block]:
    """Return the blocks of a rendered page, without elements for navigation and editing.

    Args:
        html: a page or a part of it.
        resolve: see :data:`Resolve`. URLs that run scripts are left out, whatever it returns.
        protocols: the protocols of the wiki; URLs with others are left out.
    """
    body = LexborHTMLParser(html).body
    return _Reader(body, resolve, protocols).read() if body is not None else []


def to_markdown(html: str, resolve: Resolve = lambda url: url) -> str:
    """Return a rendered page as Markdown; see :func:`to_blocks`."""
    return joined(to_blocks(html, resolve))


def joined(blocks: Iterable[Block]) -> str:
    """Return the blocks with empty lines between them."""
    return "\n\n".join(block.text for block in blocks)


@dataclass(slots=True)
class _Frame:
    """An element that is being read: a list, item, quotation or cell, or the whole page."""

    kind: str
    depth: int
    """The depth of the element in the tree."""
    marker: str = ""
    number: int = 0
    blocks: list[Block] = field(default_factory=list)


class _Reader:
    def __init__(self, root: LexborNode, resolve: Resolve, protocols: Protocols) -> None:
        self._root = root
        self._resolve = resolve
        self._schemes = _WEB.union(name.rstrip("/")[:-1] for name in protocols.recognised)
        self._inline = Inline()
        self._frames = [_Frame("page", 0)]
        self._depth = 0
        self._bold: dict[str, int] = {}
        self._links: list[tuple[int, str]] = []
        self._table: Table | None = None
        self._heading: tuple[int, str] | None = None
        self._notes = {str(node.attributes.get("id")) for node in root.css(f'li[id^="{_NOTE}"]')}

    def read(self) -> list[Block]:
        """Return the blocks of the tree."""
        node: LexborNode | None = self._root.child
        self._depth = 1
        while node is not None:
            if self._enter(node) and node.child is not None:
                self._depth += 1
                node = node.child
                continue
            while node is not None and node.next is None:
                self._depth -= 1
                if not self._depth:
                    node = None
                    break
                node = node.parent
                if node is not None:
                    self._leave(node)
            node = node.next if node is not None else None
        self._end_paragraph()
        return self._frames[0].blocks

    @property
    def _frame(self) -> _Frame:
        return self._frames[-1]

    def _enter(self, node: LexborNode) -> bool:
        """Begin a node; return whether to read its children.

        This also ends a node without children, since ``read`` calls ``_leave`` only for parents.
        """
        tag = node.tag or ""
        if tag == "-text":
            self._inline.text(node.text_content or "")
            return False
        if self._is_left_out(node):
            return False
        if self._add_whole(tag, node):
            return False
        self._begin(tag, node)
        if node.child is None:
            self._leave(node)
            return False
        return True

    def _is_left_out(self, node: LexborNode) -> bool:
        if (node.tag or "") in _LEFT_OUT_TAGS:
            return True
        attributes = node.attributes
        if not attributes:
            return False
        css = (attributes.get("class") or "").split()
        if _BROKEN in css:
            # Without a caption it has its name, which is no use to readers.
            link = node.parent
            return link is not None and node.text() == link.attributes.get("title")
        return (
            not _LEFT_OUT_CLASSES.isdisjoint(css)
            or attributes.get("role") == "navigation"
            or attributes.get("aria-hidden") == "true"
            or bool(_HIDDEN.search(attributes.get("style") or ""))
        ) and "mwe-math-element" not in css

    def _add_whole(self, tag: str, node: LexborNode) -> bool:
        """Add a node with its content if its children are not read separately.

        Return whether that is so.
        """
        if _BROKEN in (node.attributes.get("class") or "").split():
            self._inline.text(node.text())
        elif tag == "br":
            self._inline.line_break()
        elif tag == "hr":
            self._add(Block("rule", "---"))
        elif tag == "img":
            self._add_picture(node.attributes.get("src"), node.attributes.get("alt"))
        elif tag in ("audio", "video"):
            source = node if node.attributes.get("src") else node.css_first("source")
            src = source.attributes.get("src") if source is not None else None
            url = self._resolve(src) if src and self._is_safe(src) else None
            if url and self._is_safe(url):
                self._inline.raw(f"[{escaped(_file_name(src))}]({address(url)})")
        elif tag == "pre":
            self._add_code(node)
        elif tag in _CODE:
            text = " ".join(node.text().split())
            if text:
                self._inline.raw(code(text))
        elif tag == "math":
            note = node.css_first("annotation")
            tex = " ".join((note.text() if note is not None else node.text()).split())
            if tex:
                is_block = node.attributes.get("display") == "block"
                self._inline.raw(f"$${tex}$$" if is_block else f"${tex}$")
        elif tag == "sup" and "reference" in (node.attributes.get("class") or "").split():
            link = node.css_first("a")
            target = (
                (link.attributes.get("href") or "").removeprefix("#") if link is not None else ""
            )
            if target not in self._notes:
                return False
            self._inline.raw(f"[^{_label(target)}]")
            return True
        elif tag == "table" and self._table is None and _has_unfit(node):
            return self._add_html_table(node)
        else:
            return False
        return True

    def _begin(self, tag: str, node: LexborNode) -> None:
        if tag in _HEADINGS:
            self._end_paragraph()
            headline = node.css_first("span.mw-headline") or node
            anchor = headline.attributes.get("id") or ""
            self._heading = (_HEADINGS[tag], anchor)
        elif tag in ("ul", "ol", "dl"):
            self._end_paragraph()
            start = node.attributes.get("start") or ""
            self._push("list", "1" if tag == "ol" else "-")
            if tag == "ol" and _NUMBER.match(start):
                self._frame.number = int(start) - 1
        elif tag in ("li", "dd"):
            self._end_paragraph()
            name = node.attributes.get("id") or ""
            if name in self._notes:
                self._push("item", f"[^{_label(name)}]:")
            elif self._frame.kind == "list" and self._frame.marker == "1":
                self._frame.number += 1
                self._push("item", f"{self._frame.number}.")
            else:
                self._push("item", "-")
        elif tag == "dt":
            self._end_paragraph()
            self._mark("**", 1)
        elif tag == "blockquote":
            self._end_paragraph()
            self._push("quote")
        elif tag == "table":
            self._end_paragraph()
            if self._table is None:
                self._table = Table()
                self._push("cell")
        elif tag == "tr" and self._table is not None:
            self._end_paragraph()
            self._table.rows.append([])
        elif tag in ("td", "th", "caption") and self._table is not None:
            self._end_paragraph()
            self._push("cell")
        elif tag in _MARKS:
            self._mark(_MARKS[tag], 1)
        elif tag in _SCRIPTS:
            self._inline.open(_SCRIPTS[tag][0])
        elif tag == "a":
            self._begin_link(node)
        elif tag in _BLOCKS:
            self._end_paragraph()

    def _leave(self, node: LexborNode) -> None:
        tag = node.tag or ""
        if tag in _HEADINGS:
            self._end_heading()
        elif tag == "dt":
            self._mark("**", -1)
            self._end_paragraph()
        elif tag in ("ul", "ol", "dl", "li", "dd", "blockquote", "td", "th", "caption"):
            self._end_paragraph()
            self._pop(tag, node)
        elif tag == "table":
            self._end_paragraph()
            frame = self._frame
            if self._table and frame.kind == "cell" and frame.depth == self._depth:
                stray = self._frames.pop().blocks
                table, self._table = self._table, None
                for block in stray:
                    self._add(block)
                if table.caption:
                    self._add(Block("paragraph", table.caption.replace("\\|", "|")))
                if sum(map(len, table.rows)) == 1:
                    cell = next(row for row in table.rows if row)[0]
                    text = cell.text.replace("<br>", "\\\n").replace("\\|", "|")
                    self._add(Block("paragraph", text))
                else:
                    self._add(Block("table", table.markdown()))
        elif tag in _MARKS:
            self._mark(_MARKS[tag], -1)
        elif tag in _SCRIPTS:
            self._inline.close(_SCRIPTS[tag][1])
        elif tag == "a":
            if self._links and self._links[-1][0] == self._depth:
                _, url = self._links.pop()
                self._inline.close(f"]({url})")
        elif tag in _BLOCKS or tag == "tr":
            self._end_paragraph()

    def _mark(self, mark: str, change: int) -> None:
        """Open or close a mark; only the outermost of nested marks is written."""
        count = self._bold[mark] = self._bold.get(mark, 0) + change
        if change > 0 and count == 1:
            self._inline.open(mark)
        elif change < 0 and count == 0:
            self._inline.close(mark)

    def _begin_link(self, node: LexborNode) -> None:
        css = (node.attributes.get("class") or "").split()
        href = node.attributes.get("href")
        is_picture = "mw-file-description" in css or node.css_first("img,video,audio") is not None
        if not href or "new" in css or is_picture or self._links or not self._is_safe(href):
            return
        url = self._resolve(href)
        if url and self._is_safe(url):
            self._links.append((self._depth, address(url)))
            self._inline.open("[")

    def _add_picture(self, src: str | None, alt: str | None) -> None:
        url = self._resolve(src) if src and self._is_safe(src) else None
        words = escaped(" ".join((alt or _file_name(src)).split()))
        if url and self._is_safe(url):
            self._inline.raw(f"![{words}]({address(url)})")
        elif alt:
            self._inline.text(alt)

    def _add_code(self, node: LexborNode) -> None:
        parent = node.parent
        css = (parent.attributes.get("class") or "") if parent is not None else ""
        language = _LANGUAGE.search(css)
        text = node.text().strip("\n")
        if self._table is not None or self._heading:
            self._inline.raw(code(" ".join(text.split())) if text.strip() else "")
            return
        longest = max((len(run) for run in _FENCE.findall(text)), default=2)
        fence = "`" * (longest + 1)
        if text.strip():
            self._add(Block("code", f"{fence}{language[1] if language else ''}\n{text}\n{fence}"))

    def _add_html_table(self, node: LexborNode) -> bool:
        cells = node.css("td,th")
        if len(cells) == 1:
            return False
        html = reduced_html(node, self._is_left_out, self._safely_resolved)
        if cells and html:
            self._add(Block("html", html))
        return True

    def _is_safe(self, url: str) -> bool:
        """Return whether a URL is relative, or has a scheme that pages may link to."""
        match = _SCHEME.match(url)
        return match is None or match[1].lower() in self._schemes

    def _safely_resolved(self, url: str) -> str | None:
        resolved = self._resolve(url) if self._is_safe(url) else None
        return resolved if resolved and self._is_safe(resolved) else None

    def _push(self, kind: str, marker: str = "") -> None:
        if len(self._frames) < _MAX_DEPTH or kind == "cell":
            self._frames.append(_Frame(kind, self._depth, marker))

    def _pop(self, tag: str, node: LexborNode) -> None:
        """End the frame of an element, if it has one."""
        if len(self._frames) == 1 or self._frame.depth != self._depth:
            return
        frame = self._frames.pop()
        if frame.kind == "cell":
            self._end_cell(tag, node, frame)
        elif frame.kind == "list" and frame.blocks:
            self._add(Block("list", _list_text(frame.blocks)))
        elif frame.kind == "quote" and frame.blocks:
            lines = joined(frame.blocks).split("\n")
            self._add(Block("quote", "\n".join(f"> {line}".rstrip() for line in lines)))
        elif frame.kind == "item" and frame.blocks:
            is_note = frame.marker.startswith("[^")
            width = 4 if is_note else len(frame.marker) + 1
            first, *rest = _list_text(frame.blocks).split("\n")
            indented = (" " * width + line if line else "" for line in rest)
            text = "\n".join((f"{frame.marker} {first}", *indented))
            self._add(Block("note" if is_note else "item", text))

    def _end_cell(self, tag: str, node: LexborNode, frame: _Frame) -> None:
        if self._table is None:
            return
        text = "<br>".join(part for block in frame.blocks for part in block.text.split("\n"))
        if tag == "caption":
            self._table.caption = text
            return
        if not self._table.rows:
            self._table.rows.append([])
        columns, rows = (_span(node.attributes.get(name)) for name in ("colspan", "rowspan"))
        is_header = tag == "th"
        if is_header and text and self._table.rows[-1] and not self._table.rows[-1][-1].is_header:
            text = f"**{text}**" if not text.startswith("**") else text
        self._table.rows[-1].append(Cell(text, is_header, columns, rows))

    def _end_heading(self) -> None:
        text = self._inline.take(Break.SPACE)
        if self._heading is None:
            return
        (level, anchor), self._heading = self._heading, None
        if not text:
            return
        if len(self._frames) > 1:
            self._add(Block("paragraph", f"**{text}**"))
        else:
            self._add(Block("heading", f"{'#' * level} {text}", level, anchor, text))

    def _end_paragraph(self) -> None:
        if self._heading:
            return
        in_cell = self._table is not None
        text = self._inline.take(Break.CELL if in_cell else Break.LINE, in_cell=in_cell)
        if text:
            self._frame.blocks.append(Block("paragraph", text))

    def _add(self, block: Block) -> None:
        self._end_paragraph()
        if block.text:
            self._frame.blocks.append(block)


def _list_text(blocks: list[Block]) -> str:
    """Return the blocks of a list or item as text, without empty lines before items and lists."""
    pieces: list[str] = []
    for number, block in enumerate(blocks):
        if number:
            before = blocks[number - 1].kind
            is_tight = block.kind in ("item", "list", "note") and before != "code"
            pieces.append("\n" if is_tight else "\n\n")
        pieces.append(block.text)
    return "".join(pieces)


def _has_unfit(table: LexborNode) -> bool:
    """Return whether a table has content that a Markdown table cannot contain."""
    return any(node.mem_id != table.mem_id for node in table.css(UNFIT))


def _label(name: str) -> str:
    return _NOT_IN_LABEL.sub("-", name.removeprefix(_NOTE))


def _span(value: str | None) -> int:
    return max(int(value), 1) if value and _NUMBER.match(value) else 1


def _file_name(src: str | None) -> str:
    return (src or "").partition("?")[0].rpartition("/")[2].replace("_", " ")
