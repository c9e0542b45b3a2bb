from __future__ import annotations

from itertools import takewhile
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wikiapi.api.result import (
    Arr,
    IdMap,
    KeyValues,
    Obj,
    Result,
    to_version1,
    to_version2,
)

pytestmark = pytest.mark.slow


def pages(*items: tuple[int, Any]) -> IdMap:
    made = IdMap("page")
    made.update(items)
    return made


@pytest.mark.parametrize(
    ("node", "version1", "version2"),
    [
        (Obj({"a": 1, "b": "x", "c": None}), {"a": 1, "b": "x", "c": None}, None),
        (Obj({"a": True, "b": False}), {"a": ""}, {"a": True, "b": False}),
        (
            Obj({"a": True, "b": False, "c": False}, bools=["a", "b"]),
            {"a": True, "b": False},
            {"a": True, "b": False, "c": False},
        ),
        (Obj({"id": 1, "text": "x"}, content="text"), {"id": 1, "*": "x"}, {"id": 1, "text": "x"}),
        (Obj({"text": ""}, content="text"), {"*": ""}, {"text": ""}),
        (Obj({"text": "x", "n": 1}, subelements=["text"]), {"text": {"*": "x"}, "n": 1},
         {"text": "x", "n": 1}),
        (Obj({"text": True}, subelements=["text"]), {"text": {"*": ""}}, {"text": True}),
        (Obj({"text": False}, subelements=["text"]), {}, {"text": False}),
        (pages((13, Obj({"a": True})), (-1, Obj({"b": 1}))), {"13": {"a": ""}, "-1": {"b": 1}},
         [{"b": 1}, {"a": True}]),
        (pages(), {}, []),
        (KeyValues({"k": "v", "l": 1}), [{"name": "k", "*": "v"}, {"name": "l", "*": 1}],
         {"k": "v", "l": 1}),
        (KeyValues([("k", "v")], key="n", value="val"), [{"n": "k", "val": "v"}], {"k": "v"}),
        (Arr(["a", True, False, 2]), ["a", "", 2], ["a", True, False, 2]),
        (Arr([Obj({"x": True}), Arr([False])]), [{"x": ""}, []], [{"x": True}, [False]]),
        ({"plain": {"a": True, "b": False}}, {"plain": {"a": ""}}, None),
        (("a", False), ["a"], ["a", False]),
        (True, "", True),
        (0, 0, 0),
        (1.5, 1.5, 1.5),
    ],
)  # fmt: skip
def test_both_versions(node: Any, version1: Any, version2: Any) -> None:
    assert to_version1(node) == version1
    assert to_version2(node) == (node if version2 is None else version2)


def test_versions_are_plain_json_types() -> None:
    tree = Obj({"a": Arr([KeyValues({"k": Obj()}), pages((1, Obj()))])})
    for version in (to_version1(tree), to_version2(tree)):
        assert type(version) is dict
        assert type(version["a"]) is list
        assert {type(item) for item in version["a"]} <= {dict, list}


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda children: (
        st.lists(children).map(Arr)
        | st.dictionaries(st.text(), children).map(Obj)
        | st.dictionaries(st.text(), children).map(KeyValues)
    ),
)


@given(JSON)
def test_version2_keeps_everything(tree: Any) -> None:
    assert to_version2(tree) == tree


def test_paths_are_made_where_missing() -> None:
    result = Result(100)
    assert result.append(("query", "pages", 7, "links"), {"ns": 0}, "pl")
    assert result.add(("query", "pages", 7), "title", "x")
    result.set((), "batchcomplete", True)
    assert result.root == {
        "query": {"pages": {7: {"links": [{"ns": 0}], "title": "x"}}},
        "batchcomplete": True,
    }
    assert result.root["query"]["pages"][7]["links"].element == "pl"


def test_get() -> None:
    result = Result(100)
    result.set(("a", "b"), "c", 1)
    assert result.get(("a", "b", "c")) == 1
    assert result.get(()) is result.root
    assert result.get(("a", "x")) is None
    assert result.get(("a", "b", "c", "d")) is None


def test_ceiling_refuses_what_does_not_fit_and_keeps_the_rest() -> None:
    result = Result(5)
    assert result.append(("l",), "abc")
    assert not result.truncated
    assert not result.append(("l",), "def")
    assert result.truncated
    assert result.add((), "x", "de")
    assert not result.add((), "y", "f")
    assert result.root == {"l": ["abc"], "x": "de"}


OBJECTS = st.lists(st.dictionaries(st.text(), st.none() | st.booleans() | JSON, max_size=3))


@given(OBJECTS, st.integers(0, 60))
def test_objects_that_are_appended_together_are_measured_as_one_by_one(
    objects: list[dict[str, Any]], limit: int
) -> None:
    together, single = Result(limit), Result(limit)
    fitting = list(takewhile(lambda item: single.append(("l",), item), objects))
    assert together.append_all(("l",), objects) == len(fitting)
    assert together.get(("l",)) == fitting
    assert together.truncated == (len(fitting) < len(objects))
    assert together.size == single.size


@given(st.lists(st.tuples(st.integers(0, 2), st.dictionaries(st.text(), JSON))), st.integers(0, 60))
def test_items_of_pages_are_measured_as_one_by_one(
    items: list[tuple[int, dict[str, Any]]], limit: int
) -> None:
    together, single = Result(limit), Result(limit)
    fitting = list(takewhile(lambda pair: single.append(("l", pair[0], "n"), pair[1]), items))
    assert together.append_by_page(("l",), "n", items) == len(fitting)
    assert together.root == single.root
    assert together.size == single.size


@given(st.lists(st.dictionaries(st.text(), JSON, max_size=3)), st.integers(0, 60))
def test_values_of_pages_are_measured_as_one_by_one(
    values: list[dict[str, Any]], limit: int
) -> None:
    together, single = Result(limit), Result(limit)
    items = list(enumerate(values))
    fitting = list(takewhile(lambda pair: single.merge(("l", pair[0]), pair[1]), items))
    assert together.merge_by_page(("l",), items) == len(fitting)
    assert together.root == single.root
    assert together.truncated == (len(fitting) < len(items))
    assert together.size == single.size


def test_merge_takes_all_or_nothing() -> None:
    result = Result(4)
    assert result.merge(("o",), {"a": "1", "b": "22"})
    assert not result.merge(("o",), {"c": "3", "d": "4"})
    assert result.root == {"o": {"a": "1", "b": "22"}}


def test_set_knows_no_ceiling() -> None:
    result = Result(1)
    result.set((), "continue", {"x": "a long position"})
    assert result.root["continue"]
    assert not result.truncated


def test_reset_makes_room() -> None:
    result = Result(3)
    assert result.add((), "a", "abc")
    assert not result.add((), "b", "d")
    result.reset()
    assert not result.truncated
    assert result.root == {}
    assert result.add((), "a", "abc")


def test_nothing_is_left_where_nothing_fitted() -> None:
    result = Result(0)
    assert not result.append(("query", "allpages"), "x")
    assert result.root == {}
