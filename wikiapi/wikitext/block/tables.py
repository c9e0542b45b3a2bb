"""Tables: ``{|``, ``|-``, ``|``, ``!``, ``|+`` and ``|}`` at the start of lines."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from wikiapi.title.fragments import Fragments
from wikiapi.wikitext.html.attributes import fixed_attributes
from wikiapi.wikitext.parsoid.marks import around_marks

_OPENING = re.compile(r"(:*)[ \t\r\f\v]*\{\|(.*)\Z", re.DOTALL)
_ROW = re.compile(r"\|-+")
_TAG = re.compile(r"(<[^<>]*>)")
_TAG_OR_LINK = re.compile(r"(<[^<>]*>|\[\[[^\[\]]*\]\])")
_BLANKS = " \t\r\f\v\n\0\x0b"


@dataclass(slots=True)
class _Table:
    indents: int
    cell: str = ""
    """Name of the open ``td``, ``th`` or ``caption``."""
    row_attributes: str = ""
    row_open: bool = False
    has_row: bool = False
    """Whether the table has any row."""


def build_tables(
    text: str, *, unstrip: Callable[[str], str], fragments: Fragments, parsoid: bool = False
) -> str:
    """Return the text with table markup as HTML tables.

    Args:
        text: the wikitext.
        unstrip: replaces strip markers in attributes.
        fragments: how to spell ids.
        parsoid: whether rows begin where the text begins them, even if they have no cells, and
            cells are separated by line breaks only where the text does so. Tables without rows
            are kept as they are.
    """
    if "{|" not in text:
        return text
    return _Builder(unstrip, fragments, parsoid=parsoid).run(text)


class _Builder:
    """Builds the tables of one text, line by line."""

    def __init__(
        self, unstrip: Callable[[str], str], fragments: Fragments, *, parsoid: bool
    ) -> None:
        self._unstrip = unstrip
        self._fragments = fragments
        self._parsoid = parsoid
        self._no_rows = "" if parsoid else "<tr><td></td></tr>"
        self._between_cells = "" if parsoid else "\n"
        self._out: list[str] = []
        self._open: list[_Table] = []

    def run(self, text: str) -> str:
        """Return the text with its tables as HTML; tables still open at its end are closed."""
        change = around_marks(self._line, text)
        for line in text.split("\n"):
            self._out.append(change(line) if self._open or "{|" in line else line)
        while self._open:
            table = self._open.pop()
            if table.cell:
                self._out.append(f"</{table.cell}>")
            if table.row_open:
                self._out.append("</tr>")
            if not table.has_row:
                self._out.append(self._no_rows)
            self._out.append("</table>")
        html = "\n".join(self._out)
        return "" if html == "<table>\n<tr><td></td></tr>\n</table>" else html

    def _line(self, line: str) -> str:
        stripped = line.strip(_BLANKS)
        if opening := (stripped[:1] in (":", "{")) and _OPENING.match(stripped):
            indents = len(opening[1])
            self._open.append(_Table(indents))
            return f"{'<dl><dd>' * indents}<table{self._attributes(opening[2], 'table')}>"
        if not self._open or not stripped:
            return line
        if stripped.startswith("|}"):
            return self._end(stripped[2:])
        if stripped.startswith("|-"):
            table = self._open[-1]
            match = _ROW.match(stripped)
            table.row_attributes = self._attributes(stripped[match.end() :] if match else "", "tr")
            closed = f"</{table.cell}>" if table.cell else ""
            closed += "</tr>" if table.row_open else ""
            table.has_row = True
            table.row_open = self._parsoid
            table.cell = ""
            return closed + (self._row(table) if self._parsoid else "")
        if stripped[0] in "|!":
            mark = "+" if stripped.startswith("|+") else stripped[0]
            content = stripped[2:] if mark == "+" else stripped[1:]
            if mark == "!":
                pieces = (_TAG_OR_LINK if self._parsoid else _TAG).split(content)
                pieces[::2] = [piece.replace("!!", "||") for piece in pieces[::2]]
                content = "".join(pieces)
            return "".join(self._cell(mark, cell) for cell in content.split("||"))
        return line

    @staticmethod
    def _row(table: _Table) -> str:
        """Return the start tag of a row, which has the attributes of the last ``|-``."""
        attributes, table.row_attributes = table.row_attributes, ""
        return f"<tr{attributes}>"

    def _attributes(self, text: str, element: str) -> str:
        return fixed_attributes(self._unstrip(text), element, self._fragments.mode)

    def _end(self, rest: str) -> str:
        table = self._open.pop()
        line = f"</table>{rest}"
        if not table.has_row:
            line = f"{self._no_rows}{line}"
        if table.row_open:
            line = f"</tr>{line}"
        if table.cell:
            line = f"</{table.cell}>{line}"
        return line + "</dd></dl>" * table.indents

    def _cell(self, mark: str, text: str) -> str:
        table = self._open[-1]
        before = ""
        if mark != "+" and not table.row_open:
            before = self._row(table) + "\n"
            table.row_open = table.has_row = True
        if table.cell:
            before = f"</{table.cell}>{self._between_cells}{before}"
        table.cell = {"|": "td", "!": "th", "+": "caption"}[mark]
        attributes, bar, content = text.partition("|")
        if not bar or "[[" in attributes or "-{" in attributes:
            return f"{before}<{table.cell}>{text.strip(_BLANKS)}"
        tag = f"{table.cell}{self._attributes(attributes, table.cell)}"
        return f"{before}<{tag}>{content.strip(_BLANKS)}"
