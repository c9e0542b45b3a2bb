from __future__ import annotations

from typing import Any

import pytest

from wikiapi.errors import DumpError
from wikiapi.importing.live.jsonobject import JsonObject

GIVEN: dict[str, Any] = {
    "number": 7,
    "large": 2**62,
    "below": -1,
    "text": "t",
    "nul": "\0",
    "flag": True,
    "time": "2026-01-31T23:59:59Z",
    "object": {"a": {"b": 1}},
    "empty": [],
    "list": [{}, {}],
    "null": None,
    "fraction": 1.0,
    "deep": [[[[[[[[[[[[[]]]]]]]]]]]]],
    "wide": [0] * 10_001,
}
GIVEN_OBJECT = JsonObject(GIVEN, "a thing")


def test_values_of_the_right_types() -> None:
    assert GIVEN_OBJECT.number("number") == GIVEN_OBJECT.identifier("number") == 7
    assert GIVEN_OBJECT.number("absent", 3) == GIVEN_OBJECT.number("null", 3) == 3
    assert GIVEN_OBJECT.namespace("below") == -1
    assert (GIVEN_OBJECT.text("text"), GIVEN_OBJECT.text("absent", "")) == ("t", "")
    assert GIVEN_OBJECT.flag("flag")
    assert not GIVEN_OBJECT.flag("absent")
    assert GIVEN_OBJECT.time("time") == "20260131235959"
    assert [(name, value.values) for name, value in GIVEN_OBJECT.object("object").members()] == [
        ("a", {"b": 1})
    ]
    assert GIVEN_OBJECT.object("empty").values == GIVEN_OBJECT.object("absent").values == {}
    assert len(GIVEN_OBJECT.objects("list", 2)) == 2
    assert GIVEN_OBJECT.objects("absent", 2) == []
    assert GIVEN_OBJECT.tree("object") == GIVEN["object"]


@pytest.mark.parametrize(
    ("method", "names"),
    [
        ("number", "large below text flag object list null absent fraction"),
        ("identifier", "below text absent"),
        ("namespace", "large text absent"),
        ("text", "number nul flag object list null absent"),
        ("flag", "number text object list"),
        ("time", "number text null absent"),
        ("object", "number text list"),
        ("tree", "nul deep wide"),
    ],
)
def test_values_of_other_types(method: str, names: str) -> None:
    for name in names.split():
        with pytest.raises(DumpError, match=f"cannot be used: .*{name} of a thing"):
            getattr(GIVEN_OBJECT, method)(name)


def test_lists_of_other_things() -> None:
    for name, most in (("list", 1), ("wide", 20_000), ("text", 9), ("object", 9)):
        with pytest.raises(DumpError, match=f"{name} of a thing"):
            GIVEN_OBJECT.objects(name, most)
    with pytest.raises(DumpError, match="is not an object"):
        JsonObject.of([], "a thing")
    with pytest.raises(DumpError, match="more than 10000 members"):
        list(JsonObject({str(number): {} for number in range(10_001)}, "it").members())
