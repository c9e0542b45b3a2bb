"""Vararg functions behave the same when they have been wrapped."""

from __future__ import annotations

from typing import Any

import pytest

from wikiapi_plugins.extensions.scribunto.worker.chunks import (
    TooManyParameters,
    wrap_vararg_functions,
)

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


def dump(lua: Any, source: bytes) -> bytes:
    globals_ = lua.globals()
    return bytes(globals_[b"string"][b"dump"](globals_[b"loadstring"](source)))


@pytest.fixture
def lua() -> Any:
    return lua51.LuaRuntime(encoding=None)


def test_wrapped_functions_behave_the_same(lua: Any) -> None:
    before = dump(lua, SOURCE)
    after = wrap_vararg_functions(before)
    assert len(after) > len(before)
    load = lua.globals()[b"loadstring"]
    assert load(after)() == load(before)()


def test_errors_name_the_same_position(lua: Any) -> None:
    source = b"local function f(a, b, c, d, ...)\nlocal x = ...\nreturn x.y end f()"
    _, problem = lua.globals()[b"pcall"](
        lua.globals()[b"loadstring"](wrap_vararg_functions(dump(lua, source)))
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
def test_other_functions_are_not_changed(lua: Any, source: bytes) -> None:
    before = dump(lua, source)
    assert wrap_vararg_functions(before) is before


@pytest.mark.parametrize("parameters", [4, 50, 120])
def test_a_wrapper_reserves_registers_for_both_functions(lua: Any, parameters: int) -> None:
    names = ",".join(f"a{n}" for n in range(parameters)).encode()
    after = wrap_vararg_functions(dump(lua, b"return function(%s, ...) return ... end" % names))
    # In the header of a function: the number of parameters, the vararg flags, registers.
    inner = after.index(bytes([parameters, 3]))
    outer = after.index(bytes([0, 2, after[inner + 2] + parameters + 1]))
    assert outer < inner


def test_functions_with_too_many_parameters_are_refused(lua: Any) -> None:
    names = ",".join(f"a{n}" for n in range(130)).encode()
    source = b"\n\nreturn function(%s, ...) return ... end" % names
    with pytest.raises(TooManyParameters) as caught:
        wrap_vararg_functions(dump(lua, source))
    assert caught.value.line == 3


def test_other_bytecode_formats_are_refused() -> None:
    with pytest.raises(ValueError, match="unknown bytecode format"):
        wrap_vararg_functions(b"\x1bLua\x52\0\x01\x04\x08\x04\x08\0")
