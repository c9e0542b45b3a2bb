from __future__ import annotations

import pytest

from wikiapi.wikitext.media.options import LARGEST, WrittenSize, read_box, read_width
from wikiapi.wikitext.state import ParseState


@pytest.mark.parametrize(
    ("text", "size"),
    [
        ("120", (120, None)),
        ("x120", (None, 120)),
        ("100x200", (100, 200)),
        ("0x5", (None, 5)),
        ("0", (None, None)),
        ("x", (None, None)),
        ("", (None, None)),
        ("-5", (None, None)),
        ("1_0", (None, None)),
        ("1\n", (1, None)),
        ("٢", (None, None)),
        ("007", (7, None)),
        ("12 px", (12, None)),
        ("9" * 18, (int("9" * 18), None)),
        ("9" * 19, (LARGEST, None)),
        ("9" * 5000, (LARGEST, None)),
    ],
)
def test_box(text: str, size: tuple[int | None, int | None], state: ParseState) -> None:
    assert read_box(text, state.notices) == WrittenSize(*size)


def test_width_knows_no_height(state: ParseState) -> None:
    assert not read_width("10x10", state.notices)
    assert read_width("10", state.notices).width == 10


@pytest.mark.parametrize(("text", "tracked"), [("10", 0), ("10px", 1), ("1x1px", 1), ("px", 1)])
def test_a_doubled_unit_is_tracked(text: str, tracked: int, state: ParseState) -> None:
    read_box(text, state.notices)
    assert len(state.output.categories) == tracked
