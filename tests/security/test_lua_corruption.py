"""Row 52: modules cannot corrupt the memory of Lua or of the Python process around it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.security.luawiki import invoker, lua_wiki, rendered
from wikiapi.site import Site

TOO_MANY = "too many results to unpack"
RANGES = {
    "overflow from a negative number": ("-5, 2^31-1", TOO_MANY),
    "from the smallest number": ("-2^31", TOO_MANY),
    "from the smallest to the largest": ("-2^31, 2^31-1", TOO_MANY),
    "from zero to the largest": ("0, 2^31-1", TOO_MANY),
    "more than 32 bits": ("2^32-5, 2^33+2^31-1", TOO_MANY),
    "strings": ("'-5', '2147483647'", TOO_MANY),
    "larger than the stack": ("1, 1e6", TOO_MANY),
    "the last three": ("2^31-3, 2^31-1", "3"),
    "backwards": ("5, -2^31", "0"),
    "infinite": ("1, math.huge", "0"),
    "not a number": ("1, 0/0", "0"),
}
MANY_STRINGS = """
    (function() local t, s = {}, ('x'):rep(1e6) for n = 1, 2000 do t[n] = s end return t end)()
"""
EXTREME = {
    "select": ("pcall(select, -2^31, 1, 2)", "index out of range"),
    "byte": ("pcall(string.byte, ('x'):rep(1e6), 1, 2^60)", "string slice too long"),
    "sub": ("pcall(string.sub, 'abc', -2^53, 2^53)", "abc"),
    "rep": ("pcall(string.rep, 'x', 1e9)", "not enough memory"),
    "format": ("pcall(string.format, '%99999d', 1)", "width or precision too long"),
    "flags": ("pcall(string.format, '%-+ #0-+99.99f', 1)", "repeated flags"),
    "float": ("pcall(string.format, '%99.99f', -1e308)", "-1000000"),
    "char": ("pcall(string.char, -1)", "invalid value"),
    "insert": ("pcall(table.insert, {}, 2^31-1, 1)", "true"),
    "remove": ("pcall(table.remove, {1}, 2^31-1)", "true"),
    "concat": ("pcall(table.concat, {}, '', 2^31-3, 2^31-1)", "invalid value"),
    "sort": ("pcall(table.sort, {3,2,1,5,4,7,6,9,8}, function() return true end)", "invalid order"),
    "captures": ("pcall(string.find, 'a', ('('):rep(1e5))", "too many captures"),
    "callbacks": (
        "pcall((function() local function f(s) return s:gsub('.', f) end return f end)(), 'a')",
        "C stack overflow",
    ),
    "code points": ("pcall(mw.ustring.codepoint, ('ä'):rep(1e5), 1, -1)", "string slice too long"),
    "arguments": (f"pcall(frame.newChild, frame, {{args = {MANY_STRINGS}}})", "text too long"),
}
FILL_MEMORY = """
    local t, sizes = {}, {5000, 100, 1}
    local size
    local function fill() while true do t[#t + 1] = (#t .. ','):rep(size) end end
    for n = 1, 3 do size = sizes[n] pcall(fill) end
"""
"""Lua code that exhausts the memory limit."""
OUT_OF_MEMORY = {
    "a table": "mw.ustring.gmatch(s, '.')",
    "a string": "mw.ustring.upper(s)",
    "many strings": "mw.ustring.gsub(s, '(.)', 'o')",
    "pieces": "mw.text.split(s, 'ä')",
    "numbers": "mw.ustring.gcodepoint(s)",
    "JSON": "mw.text.jsonDecode('[' .. ('1,'):rep(20000) .. '1]')",
    "a result of the server": "frame:preprocess(s)",
    "a module": "require('Module:Data')",
    "a digest": "mw.hash.hashValue('md5', s)",
}


@pytest.fixture
def run(make_site: Callable[..., Site]) -> Callable[[str], str]:
    """Return a function that runs Lua code, and checks that the worker continues to run."""

    def run_body(body: str) -> str:
        data = "return {" + ", ".join(f"'item {n}'" for n in range(3000)) + "}"
        pages = {"Module:Data": data}
        site = lua_wiki(make_site, 20.0, pages, f=body, hello="return 'hello'")
        html = rendered(site, "{{#invoke:M|f}}")
        assert "hello" in rendered(site, "{{#invoke:M|hello}}")
        assert invoker(site).pool.started == 1, html
        return html

    return run_body


@pytest.mark.parametrize("name", RANGES)
def test_unpack(run: Callable[[str], str], name: str) -> None:
    bounds, expected = RANGES[name]
    assert expected in run(f"return tostring(select('#', unpack({{1, 2, 3}}, {bounds})))")


@pytest.mark.parametrize("name", EXTREME)
def test_extreme_arguments(run: Callable[[str], str], name: str) -> None:
    call, expected = EXTREME[name]
    assert expected in run(f"local ok, text = {call} return tostring(ok) .. ' ' .. tostring(text)")


@pytest.mark.parametrize("name", OUT_OF_MEMORY)
def test_no_memory_for_values_from_python(run: Callable[[str], str], name: str) -> None:
    # A little more memory is freed before each attempt, until the call succeeds.
    body = f"""
        local s = ('ä'):rep(10000)
        local function try() return {OUT_OF_MEMORY[name]} end
        local seen = {{}} for round = 1, 20 do seen[round] = '?' end
        {FILL_MEMORY}
        local last = #t
        local part = last / 20
        for round = 1, 20 do
            seen[round] = pcall(try) and 'yes' or 'no'
            for n = 1, part do t[last], last = nil, last - 1 end
            -- If the memory does not suffice, this call collects the garbage.
            pcall(mw.ustring.upper, s)
        end
        return table.concat(seen)
    """
    html = run(body)
    assert "yesyes" in html


def test_no_memory_for_the_next_module(make_site: Callable[..., Site]) -> None:
    site = lua_wiki(make_site, f=f"{FILL_MEMORY} error(t)", g="return frame.args[1]")
    text = "{{#invoke:M|f}} {{#invoke:M|g|" + "x" * 100_000 + "}}"
    assert "x" * 100_000 in rendered(site, text)
    assert invoker(site).pool.started == 1


@pytest.mark.parametrize("parameters", [3, 4, 20, 50, 80])
def test_vararg_functions_with_many_parameters(run: Callable[[str], str], parameters: int) -> None:
    names = ", ".join(f"a{n}" for n in range(parameters))
    body = f"""
        local function many({names}, ...) local x = ... return select('#', ...) end
        local function deep(n) if n > 0 then return deep(n - 1) + 0 end return many() end
        local function wide(n) local a, b, c, d, e, f, g if n > 0 then return wide(n - 1) + 0 end
            return many(1) end
        for n = 1, 500 do assert(deep(n) == 0) assert(wide(n) == 0) end
        local list = {{}} for n = 1, {parameters} + 2 do list[n] = n end
        return 'counted ' .. many(unpack(list))
    """
    assert "counted 2" in run(body)


def test_vararg_functions_with_too_many_parameters(make_site: Callable[..., Site]) -> None:
    names = ", ".join(f"a{n}" for n in range(150))
    many = f"return function({names}, ...) return ... end"
    site = lua_wiki(make_site, f="return require('Module:Many')", pages={"Module:Many": many})
    html = rendered(site, "{{#invoke:M|f}}")
    assert "Lua error in Module:Many at line 1: function has too many parameters" in html
