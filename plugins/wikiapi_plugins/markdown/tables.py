"""Conversion of tables to Markdown tables or, if these cannot represent them, to simple HTML."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from html import escape

from selectolax.lexbor import LexborNode

from wikiapi.structure import spread

_MAX_COLUMNS = 60
_MAX_EXTRA_CELLS = 2_000
"""How many cells may be added to a table for cells that span several rows or columns."""
UNFIT = "table,pre,h1,h2,h3,h4,h5,h6,blockquote"
"""Selector of elements that a cell of a Markdown table cannot contain."""


@dataclass(slots=True)
class Cell:
    """A cell of a table."""

    text: str
    is_header: bool
    columns: int = 1
    rows: int = 1


@dataclass(slots=True)
class Table:
    """A table that is being read."""

    rows: list[list[Cell]] = field(default_factory=list)
    caption: str = ""

    def markdown(self) -> str:
        """Return a Markdown table. The text of a cell that spans rows is repeated in each row."""
        grid = spread(self.rows, _MAX_COLUMNS, _MAX_EXTRA_CELLS)
        if not grid:
            return ""
        width = max(map(len, grid))
        lines = [_line(_texts(row)) for row in grid]
        if any(cell and cell.is_header for cell in grid[0]):
            head = _line(_texts(grid[0]) + [""] * (width - len(grid[0])))
            body = lines[1:]
        else:
            head, body = _line([""] * width), lines
        return "\n".join((head, _line(["---"] * width), *body))


def _texts(row: Sequence[Cell | None]) -> list[str]:
    """Return the texts of a row; a cell that spans columns has its text in the first only."""
    return [
        "" if cell is None or (place and row[place - 1] is cell) else cell.text
        for place, cell in enumerate(row)
    ]


def _line(cells: list[str]) -> str:
    """Return a row. It may be shorter than the first, since Markdown parsers add missing cells."""
    return f"| {' | '.join(cells)} |"


_KEPT = frozenset(
    (
        "table",
        "caption",
        "tr",
        "td",
        "th",
        "ul",
        "ol",
        "li",
        "dl",
        "dt",
        "dd",
        "p",
        "b",
        "i",
        "code",
        "pre",
        "sub",
        "sup",
        "a",
        "img",
        "br",
        "hr",
        "blockquote",
    )
)
_SAME = {"strong": "b", "em": "i", "kbd": "code", "samp": "code", "tt": "code"}
_VOID = frozenset({"img", "br", "hr"})
_KEPT_ATTRIBUTES = {
    "td": ("colspan", "rowspan"),
    "th": ("colspan", "rowspan"),
    "a": ("href",),
    "img": ("src", "alt"),
}


def reduced_html(
    root: LexborNode,
    is_left_out: Callable[[LexborNode], bool],
    resolve: Callable[[str], str | None],
) -> str:
    """Return an element as HTML with few elements and attributes, and without empty lines.

    Args:
        root: the element.
        is_left_out: returns whether an element is left out with its content.
        resolve: returns the URL to use for a URL in the page; ``None`` for no link.
    """
    pieces: list[str] = []
    stack: list[LexborNode | str] = [root]
    in_pre = 0
    while stack:
        node = stack.pop()
        if isinstance(node, str):
            pieces.append(node)
            in_pre -= node == "</pre>"
            continue
        tag = _SAME.get(node.tag or "", node.tag or "")
        if tag == "-text":
            pieces.append(_escaped_text(node.text_content or "", is_exact=in_pre > 0))
        elif not is_left_out(node):
            if tag in _KEPT:
                start = _start_tag(tag, node, resolve)
                pieces.append(start)
                if start and tag not in _VOID:
                    stack.append(f"</{tag}>" + ("\n" if tag in ("tr", "caption") else ""))
                    in_pre += tag == "pre"
            stack += list(node.iter(include_text=True))[::-1]
    return "\n".join(filter(None, map(str.strip, "".join(pieces).split("\n"))))


def _escaped_text(text: str, *, is_exact: bool) -> str:
    if is_exact:
        return escape(text, quote=False).replace("\n", "&#10;")
    words = " ".join(text.split())
    before, after = (
        (" " if text[place].isspace() else "" for place in (0, -1)) if text else ("", "")
    )
    return escape(f"{before}{words}{after}" if words else before, quote=False)


def _start_tag(tag: str, node: LexborNode, resolve: Callable[[str], str | None]) -> str:
    if tag == "a" and "new" in (node.attributes.get("class") or "").split():
        return ""
    attributes = []
    for name in _KEPT_ATTRIBUTES.get(tag, ()):
        value = node.attributes.get(name)
        if value and name in ("href", "src"):
            value = resolve(value)
        if value:
            attributes.append(f' {name}="{escape(" ".join(value.split()))}"')
    if tag in ("a", "img") and not any(part.startswith((" href", " src")) for part in attributes):
        return ""
    return f"<{tag}{''.join(attributes)}>"
