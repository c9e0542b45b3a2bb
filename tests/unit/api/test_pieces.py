from __future__ import annotations

from typing import Any

import pytest

from wikiapi.api.pieces import Later, finished, gathered, is_large, length, level, slices
from wikiapi.api.result import Arr, Obj, Result, to_version1, to_version2

TREE = Obj(
    {"list": Arr([1, True]), "flag": True, "text": Obj({"html": "x"}, content="html")},
    subelements=("text",),
)


def test_a_level_is_plain_and_what_is_below_waits() -> None:
    plain = level(TREE, to_version1)
    assert plain["flag"] == ""
    assert isinstance(plain["list"], Later)
    assert isinstance(plain["text"]["*"], Later)
    assert isinstance(TREE["list"], Arr), "the tree stays as it is"


@pytest.mark.parametrize("convert", [to_version1, to_version2])
@pytest.mark.parametrize("node", [TREE, Arr([TREE, 1]), (TREE, False), Obj()])
def test_a_finished_level_is_the_plain_tree(node: Any, convert: Any) -> None:
    assert finished(level(node, convert), convert) == convert(node)


def test_length_counts_texts_and_items() -> None:
    assert length("abc", 100) == 3
    assert length(Arr(["abc", 1, None]), 100) == 3 + 3 * 8
    assert length(Later(Obj({"a": "abc"})), 100) == 3 + 8
    assert length({"a": Later(["abc"])}, 100) == 3 + 2 * 8


def test_length_stops_beyond_the_bound() -> None:
    class Unread(list[Any]):
        def __iter__(self) -> Any:
            raise AssertionError("nobody needs to know")

    assert length(Unread([0] * 100), 10) > 10
    assert length([Unread([0] * 100), "long text"], 10) > 10


def result_of(**added: Any) -> Result:
    result = Result(1000)
    for name, value in added.items():
        result.add(("query",), name, value)
    return result


def test_large_is_what_modules_have_added() -> None:
    assert is_large(result_of(a="x" * 60, b="y" * 60), 100)
    assert not is_large(result_of(a="x" * 60), 100)


def test_large_is_a_long_text_of_an_action() -> None:
    result = Result(1000)
    result.set((), "parse", Obj({"title": "T", "text": "x" * 101}))
    assert is_large(result, 100)
    assert not is_large(result, 101)


def test_pieces_have_all_parts_in_order() -> None:
    parts = ["ab" * 20_000, "c", "", "d" * 70_000, "e"]
    pieces = list(gathered(parts))
    assert [len(piece) for piece in pieces] == [110_001, 1]
    assert "".join(pieces) == "".join(parts)
    assert list(gathered(part.encode() for part in parts)) == [piece.encode() for piece in pieces]
    assert list(gathered([""])) == [""]
    assert list(gathered([])) == []


@pytest.mark.parametrize(
    ("text", "expected"), [("", []), ("abc", ["abc"]), ("abcd", ["abc", "d"]), ("é" * 3, ["é" * 3])]
)
def test_slices(text: str, expected: list[str]) -> None:
    assert list(slices(text, 3)) == expected
