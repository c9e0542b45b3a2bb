"""Functions with parameters and ``...`` do the same with room for all of them."""

from __future__ import annotations

from typing import Any

import pytest

from wikiapi_plugins.extensions.scribunto.worker.varargs import TooManyParameters, with_room

lua51 = pytest.importorskip("lupa.lua51")

SOURCE = b"""
local count, seen = 0, {}
local function note(...)
    for n = 1, select('#', ...) do seen[#seen + 1] = tostring((select(n, ...))) end
    seen[#seen + 1] = '|'
end
local function fixed(a, b, c, d, e, ...)
    count = count + 1
    return count, a, b, c, d, e, select('#', ...), ...
end
local function old(a, b, c, d, ...) return a, b, c, d, arg and arg.n end
local function outer(a, b, c, d, e, ...)
    return function(f, g, h, i, ...) count = count + 10 return a, f, i, count, ... end
end
note(fixed()) note(fixed(1, 2, 3, 4, 5)) note(fixed(1, 2, 3, 4, 5, nil, 7, nil))
note(old()) note(old(1, 2, 3, 4, 5, 6)) note(outer(1)(2)) note(outer(1)(2, 3, 4, 5, 6, nil))
note(pcall(fixed, 1)) note(count)
return table.concat(seen, ' ')
"""


def dumped(lua: Any, source: bytes) -> bytes:
    globals_ = lua.globals()
    return bytes(globals_[b"string"][b"dump"](globals_[b"loadstring"](source)))


@pytest.fixture
def lua() -> Any:
    return lua51.LuaRuntime(encoding=None)


def test_functions_do_the_same(lua: Any) -> None:
    before = dumped(lua, SOURCE)
    after = with_room(before)
    assert len(after) > len(before)
    load = lua.globals()[b"loadstring"]
    assert load(after)() == load(before)()


def test_errors_name_the_same_position(lua: Any) -> None:
    source = b"local function f(a, b, c, d, ...)\nlocal x = ...\nreturn x.y end f()"
    _, problem = lua.globals()[b"pcall"](
        lua.globals()[b"loadstring"](with_room(dumped(lua, source)))
    )
    assert b":3: attempt to index local 'x'" in problem


@pytest.mark.parametrize(
    "source",
    [
        b"return ...",
        b"return function(a, b, c, ...) return ... end",
        b"return function(a, b, c, d, e, f, g) return g end",
        b"return {1, 'x', true, nil, 2.5, function() return '...' end}",
    ],
)
def test_others_stay_as_they_are(lua: Any, source: bytes) -> None:
    before = dumped(lua, source)
    assert with_room(before) is before


@pytest.mark.parametrize("parameters", [4, 50, 120])
def test_a_function_is_called_from_one_that_has_room_for_both(lua: Any, parameters: int) -> None:
    names = ",".join(f"a{n}" for n in range(parameters)).encode()
    after = with_room(dumped(lua, b"return function(%s, ...) return ... end" % names))
    # How a function begins: parameters, a mark for those with "...", registers.
    inner = after.index(bytes([parameters, 3]))
    outer = after.index(bytes([0, 2, after[inner + 2] + parameters + 1]))
    assert outer < inner


def test_more_than_there_is_room_for(lua: Any) -> None:
    names = ",".join(f"a{n}" for n in range(130)).encode()
    source = b"\n\nreturn function(%s, ...) return ... end" % names
    with pytest.raises(TooManyParameters) as caught:
        with_room(dumped(lua, source))
    assert caught.value.line == 3


def test_other_forms_of_compiled_lua_are_refused() -> None:
    with pytest.raises(ValueError, match="unknown form"):
        with_room(b"\x1bLua\x52\0\x01\x04\x08\x04\x08\0")
