from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from wikiapi.structure import page_tables

CASES: list[dict[str, Any]] = json.loads(
    Path(__file__).with_name("tables.json").read_text(encoding="utf-8")
)


@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
def test_tables_are_read_as_data(case: dict[str, Any]) -> None:
    tables = page_tables(case["html"])
    assert [
        {
            "caption": table.caption,
            "header": list(table.header),
            "records": [dict(record) for record in table.records],
        }
        for table in tables
    ] == case["tables"]


def test_cell_that_spans_rows_and_columns_is_repeated() -> None:
    (table,) = page_tables(
        "<table><tr><td rowspan=2 colspan=2>a<td>b<tr><td rowspan=3>c<tr><td>d</table>"
    )
    assert [[cell.text for cell in row] for row in table.rows] == [
        ["a", "a", "b"],
        ["a", "a", "c"],
        ["d", "", "c"],
    ]
    assert table.rows[0][0] is table.rows[1][1]


def test_html_of_a_cell_is_kept() -> None:
    (table,) = page_tables('<table class="wikitable sortable"><tr><td><b>x</b></table>')
    assert table.rows[0][0].html == "<b>x</b>"
    assert table.classes == ("wikitable", "sortable")


@pytest.mark.parametrize(
    "html",
    [
        "<table>" * 20_000 + "x",
        "<table><tr><td>" * 5_000,
        "<table>" + "<tr><td rowspan=9999 colspan=999>x" * 2_000,
        "<table>" + "<td>" * 100_000,
    ],
    ids=["tables", "nested", "spans", "cells"],
)
def test_any_table_can_be_read(html: str) -> None:
    for table in page_tables(html):
        assert sum(map(len, table.rows)) <= 200_000
