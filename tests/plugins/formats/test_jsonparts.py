"""A tree in parts is the tree at once, whatever its nodes note about themselves."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wikiapi.api.result import Arr, IdMap, Indexed, KeyValues, Loose, Obj, to_version1, to_version2
from wikiapi_plugins.formats.json import JsonParts

NAMES = st.sampled_from(["a", "b", "c", "*", "1"])
SCALARS = st.none() | st.booleans() | st.integers() | st.text(max_size=40)


def id_map(items: dict[int, Any]) -> IdMap:
    made = IdMap()
    made.update(items)
    return made


def with_notes(data: dict[str, Any], content: str | None, subelements: set[str]) -> Obj:
    bools = [name for name, value in data.items() if isinstance(value, bool)]
    return Obj(data, content=content, bools=bools[::2], subelements=subelements)


def nodes(children: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    objects = st.dictionaries(NAMES, children, max_size=5)
    lists = st.lists(children, max_size=5)
    return st.one_of(
        objects,
        lists,
        st.builds(tuple, lists),
        st.builds(Arr, lists),
        st.builds(Loose, objects),
        st.builds(Indexed.of, lists),
        st.builds(KeyValues, objects),
        st.builds(id_map, st.dictionaries(st.integers(-3, 30), children, max_size=5)),
        st.builds(with_notes, objects, st.none() | NAMES, st.sets(NAMES, max_size=2)),
    )


TREES = st.recursive(SCALARS, nodes, max_leaves=30)


def encoder(*, ascii_only: bool) -> Callable[[Any], bytes]:
    encode = json.JSONEncoder(ensure_ascii=ascii_only, separators=(",", ":")).encode
    return lambda value: encode(value).encode()


@pytest.mark.parametrize("convert", [to_version1, to_version2])
@pytest.mark.parametrize("ascii_only", [False, True])
@settings(max_examples=60, deadline=None)
@given(tree=st.builds(Obj, st.dictionaries(NAMES, TREES)), most=st.sampled_from([1, 7, 30, 200]))
def test_parts_are_the_whole(
    convert: Callable[[Any], Any], ascii_only: bool, tree: Any, most: int
) -> None:
    encode = encoder(ascii_only=ascii_only)
    parts = JsonParts(convert, encode, most).of(tree)
    assert b"".join(parts) == encode(convert(tree))


def test_no_part_is_long() -> None:
    items = [Obj({"text": "é" * 500, "new": True}) for _ in range(50)]
    encode = encoder(ascii_only=False)
    parts = list(JsonParts(to_version1, encode, 100).of(Obj({"query": Arr(items)})))
    assert max(len(part.decode()) for part in parts) <= 102


def test_what_is_small_is_encoded_together() -> None:
    asked: list[Any] = []

    def encode(value: Any) -> bytes:
        asked.append(value)
        return json.dumps(value).encode()

    tree = Obj({"query": Arr([Obj({"n": number}) for number in range(1000)])})
    b"".join(JsonParts(to_version2, encode, 5000).of(tree))
    assert len(asked) < 20
