"""Differences as MediaWiki draws them; the expected rows are its own."""

from __future__ import annotations

import random
import string
from typing import Any

import pytest

from tests.cases import cases
from wikiapi_plugins.shared.diffs.inline import inline, unified
from wikiapi_plugins.shared.diffs.sequences import MAX_STEPS, Effort, compare
from wikiapi_plugins.shared.diffs.table import table_rows

MOST = 8_388_608


def label(number: int) -> str:
    return f"Line {number:,}:"


@pytest.mark.parametrize("case", cases("diffs/rows.json"))
def test_rows(case: dict[str, Any]) -> None:
    assert table_rows(case["before"], case["after"], label, MOST) == case["rows"]


def test_equal_texts_have_no_rows() -> None:
    assert table_rows("a\nb", "a\nb", label, MOST) == ""


def test_unified() -> None:
    before, after = "a\nb\nc\nd\ne\nf\ng\nh", "a\nb\nC\nd\ne\nf\ng\nh"
    assert unified(before, after, MOST) == "@@ -1,5 +1,5 @@\n a\n b\n-c\n+C\n d\n e\n"


def test_inline() -> None:
    before, after = "foo bar\n\nbaz\nquux\nbang", "foo test\nbaz\n<b>\nmore\nbang"
    assert inline(before, after, label, MOST) == (
        '<div class="mw-diff-inline-header">Line 1:</div>\n'
        '<div class="mw-diff-inline-changed">foo <del>bar</del><ins>test</ins></div>\n'
        '<div class="mw-diff-inline-deleted"><del>&#160;</del></div>\n'
        '<div class="mw-diff-inline-context">baz</div>\n'
        '<div class="mw-diff-inline-changed"><del>quux</del><ins>&lt;b&gt;</ins></div>\n'
        '<div class="mw-diff-inline-added"><ins>more</ins></div>\n'
        '<div class="mw-diff-inline-context">bang</div>\n'
    )


def test_inline_names_both_lines_where_they_differ() -> None:
    same = "a\nb\nc\nd\ne\nf\ng\n"
    drawn = inline("x\n" + same + "1", "y\nz\n" + same + "2", label, MOST) or ""
    heads = [line for line in drawn.split("\n") if "header" in line]
    assert heads == [
        '<div class="mw-diff-inline-header">Line 1:</div>',
        '<div class="mw-diff-inline-header">Line 7: \u2192 Line 8:</div>',
    ]


def test_inline_of_equal_texts_is_empty() -> None:
    assert inline("a\nb", "a\nb", label, MOST) == ""


def test_what_is_too_long_is_not_drawn() -> None:
    one, other = "a\n" * 100, "b\n" * 100
    assert unified(one, other, 50) is None
    assert table_rows(one, other, label, 50) is None
    assert inline(one, other, label, 50) is None


def common(one: list[int], other: list[int]) -> int:
    """Return the length of the longest common subsequence with a slow algorithm."""
    row = [0] * (len(other) + 1)
    for a in one:
        before = list(row)
        for n, b in enumerate(other):
            row[n + 1] = before[n] + 1 if a == b else max(before[n + 1], row[n])
    return row[-1]


def test_edits_are_as_few_as_possible_and_cover_everything() -> None:
    chance = random.Random(1)
    for _ in range(500):
        one, other = ([chance.randrange(4) for _ in range(chance.randrange(14))] for _ in "ab")
        edits = compare(one, other, Effort())
        equal = [edit for edit in edits if edit.is_equal]
        assert all(one[e.a : e.a_end] == other[e.b : e.b_end] for e in equal)
        assert sum(e.a_end - e.a for e in equal) == common(one, other)
        assert [e.a for e in edits[1:]] == [e.a_end for e in edits[:-1]]
        assert [e.b for e in edits[1:]] == [e.b_end for e in edits[:-1]]
        assert not edits or (edits[-1].a_end, edits[-1].b_end) == (len(one), len(other))


@pytest.mark.parametrize("alphabet", [string.ascii_lowercase[:8], string.printable])
def test_effort_is_bounded(alphabet: str) -> None:
    chance = random.Random(2)
    one, other = (chance.choices(alphabet, k=20_000) for _ in "ab")
    effort = Effort()
    compare(one, other, effort)
    assert effort.steps < MAX_STEPS - 20_000
    assert effort.steps > -2 * 40_001


def test_two_large_texts_of_unique_lines_take_linear_effort() -> None:
    one, other = ([f"{side} {n}" for n in range(70_000)] for side in "ab")
    effort = Effort()
    edits = compare(one, other, effort)
    assert [edit.is_equal for edit in edits] == [False]
    assert effort.steps == MAX_STEPS
    assert table_rows("\n".join(one), "\n".join(other), label, MOST) is None
