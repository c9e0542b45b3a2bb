"""The cache for results of host functions in a worker, and compiled values."""

from __future__ import annotations

from typing import Any

import pytest

from wikiapi_plugins.extensions.scribunto.worker import main
from wikiapi_plugins.extensions.scribunto.worker.chunks import Compiler, Literal
from wikiapi_plugins.extensions.scribunto.worker.main import ResultCache

lua51 = pytest.importorskip("lupa.lua51")


def plain(value: Any) -> Any:
    """Return a Lua value with dictionaries in place of tables."""
    if lua51.lua_type(value) == "table":
        return {plain(key): plain(each) for key, each in value.items()}
    return value


@pytest.mark.parametrize(
    ("value", "in_lua"),
    [
        ("a", b"a"),
        ('\0"\\\r\n1\x7f\u00e9\udcff]]', b'\0"\\\r\n1\x7f\xc3\xa9\xff]]'),
        (None, None),
        (True, True),
        (-1.5, -1.5),
        (["a", None, "b"], {1: b"a", 3: b"b"}),
        ({"a": {"b": {}, "c": [1, [2]]}, "d": False}, None),
    ],
)
def test_literals_create_the_values(value: Any, in_lua: Any, compiler: Compiler) -> None:
    if isinstance(value, dict):
        in_lua = {b"a": {b"b": {}, b"c": {1: 1, 2: {1: 2}}}, b"d": False}
    assert plain(Literal(value).create(compiler)) == in_lua


def test_literals_create_new_tables_each_time(compiler: Compiler) -> None:
    literal = Literal({"a": 1})
    literal.create(compiler)[b"a"] = 2
    assert plain(literal.create(compiler)) == {b"a": 1}


def test_values_that_are_equal_in_python_have_different_keys() -> None:
    keys = {ResultCache.key("f", [value]) for value in (1, True, 1.0, "1")}
    assert len(keys) == 4


def test_calls_with_long_arguments_are_not_cached() -> None:
    assert ResultCache.key("f", ["a" * 300]) is None


def test_size_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(main, "MAX_BYTES", 1000)
    cache = ResultCache()
    cache.add("huge", "a" * 2000)
    for number in range(100):
        cache.add(str(number), "a" * 100)
    assert "huge" not in cache
    assert "0" not in cache
    assert "99" in cache
    assert sum(str(number) in cache for number in range(100)) < 10
