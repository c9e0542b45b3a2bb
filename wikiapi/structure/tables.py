"""Tables of a rendered page as rows of cells."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol, TypeVar

from selectolax.lexbor import LexborNode

from wikiapi.structure.texts import body_of, classes_of, elements_in_tables, text_of

_MAX_COLUMNS = 1_000
_MAX_REPEATED = 20_000
"""How many cells may be added to a table for cells that span several rows or columns."""


class Spanning(Protocol):
    """A cell that takes up a number of columns and rows."""

    @property
    def columns(self) -> int:
        """The number of columns."""

    @property
    def rows(self) -> int:
        """The number of rows."""


_Cell = TypeVar("_Cell", bound=Spanning)


def spread(
    rows: Sequence[Sequence[_Cell]],
    max_columns: int = _MAX_COLUMNS,
    max_repeated: int = _MAX_REPEATED,
) -> list[list[_Cell | None]]:
    """Return the cells by row and column: one that spans several is repeated in each of them.

    Rows without cells are left out. ``None`` stands before a cell from above that is further to
    the right than a row reaches.

    Args:
        rows: the cells as they are written.
        max_columns: the maximum length of a row.
        max_repeated: the maximum number of repeated cells.
    """
    grid: list[list[_Cell | None]] = []
    above: dict[int, tuple[int, _Cell | None]] = {}
    spare = max_repeated
    for row in filter(None, rows):
        line: list[_Cell | None] = []
        below: dict[int, tuple[int, _Cell | None]] = {}
        waiting = [*reversed(row)]
        while len(line) < max_columns and (waiting or above):
            cell: _Cell | None
            if len(line) in above:
                height, cell = above.pop(len(line))
                width = 1
            elif waiting:
                cell = waiting.pop()
                height, width = cell.rows, min(cell.columns, max_columns - len(line))
            else:
                height, width, cell = 1, 1, None
            for number in range(width if spare > 0 else 1):
                spare -= bool(number)
                if height > 1 and spare > 0:
                    below[len(line)] = height - 1, cell
                    spare -= 1
                line.append(cell)
        above = below
        grid.append(line)
    return grid


@dataclass(frozen=True)
class Cell:
    """A cell of a table, with the number of columns and rows that it takes up."""

    html: str
    text: str
    is_header: bool = False
    columns: int = 1
    rows: int = 1


_NO_CELL = Cell("", "")


@dataclass(frozen=True)
class Table:
    """A table of a page.

    Attributes:
        caption: the text of its caption; empty if it has none.
        classes: the classes of its element, such as ``wikitable``.
        rows: the cells by row and column. A cell that spans several is repeated in each of them.
    """

    caption: str
    classes: tuple[str, ...]
    rows: Sequence[Sequence[Cell]]

    @cached_property
    def header(self) -> Sequence[str]:
        """The names of the columns: the texts of the rows at the top that have only headers.

        Several names of a column are joined by a space.
        """
        names: list[list[str]] = []
        for row in self.rows[: self._header_rows]:
            names += ([] for _ in range(len(row) - len(names)))
            for column, cell in zip(names, row, strict=False):
                if cell.text not in column:
                    column.append(cell.text)
        return [" ".join(filter(None, column)) for column in names]

    @cached_property
    def records(self) -> Sequence[Mapping[str, str]]:
        """The texts of the rows below the header by the names of their columns.

        Columns without a name have their number, from 1, as name.
        """
        records = []
        for row in self.rows[self._header_rows :]:
            record: dict[str, str] = {}
            for place, cell in enumerate(row):
                name = self.header[place] if place < len(self.header) else ""
                record.setdefault(name or str(place + 1), cell.text)
            records.append(record)
        return records

    @cached_property
    def _header_rows(self) -> int:
        for number, row in enumerate(self.rows):
            if not all(cell.is_header for cell in row):
                return number
        # A table that has only headers has no columns to name.
        return 0


def page_tables(html: str) -> list[Table]:
    """Return the tables of a rendered page, with those within others, in document order."""
    elements = elements_in_tables(body_of(html))
    return [_table_of(element) for element in elements if element.tag == "table"]


def _table_of(element: LexborNode) -> Table:
    rows: list[list[Cell]] = []
    caption = ""
    pending = [element]
    while pending:
        node = pending.pop()
        if node.tag in ("td", "th"):
            if not rows:
                rows.append([])
            rows[-1].append(_cell_of(node))
            continue
        if node.tag == "caption":
            caption = caption or text_of(node)
            continue
        if node.tag == "tr":
            rows.append([])
        if node is element or node.tag in ("tr", "tbody", "thead", "tfoot"):
            pending += reversed(list(node.iter()))
    grid = [[cell or _NO_CELL for cell in row] for row in spread(rows)]
    return Table(caption, tuple(classes_of(element)), grid)


def _cell_of(node: LexborNode) -> Cell:
    columns, rows = (
        int(text) if text.isascii() and text.isdigit() and len(text) < len("10000") else 1
        for text in (node.attributes.get(name) or "" for name in ("colspan", "rowspan"))
    )
    return Cell(
        (node.inner_html or "").strip(), text_of(node), node.tag == "th", columns or 1, rows or 1
    )
