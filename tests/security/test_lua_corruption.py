"""Row 52: nothing that a module does makes Lua, or the Python around it, spoil its memory."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.security.luawiki import invoker, lua_wiki, rendered
from wikiapi.site import Site

TOO_MANY = "too many results to unpack"
RANGES = {
    "more than there are numbers": ("-5, 2^31-1", TOO_MANY),
    "from the least number": ("-2^31", TOO_MANY),
    "from the least to the largest": ("-2^31, 2^31-1", TOO_MANY),
    "from nothing to the largest": ("0, 2^31-1", TOO_MANY),
    "around a whole turn": ("2^32-5, 2^33+2^31-1", TOO_MANY),
    "texts": ("'-5', '2147483647'", TOO_MANY),
    "more than the stack holds": ("1, 1e6", TOO_MANY),
    "the last three": ("2^31-3, 2^31-1", "3"),
    "backwards": ("5, -2^31", "0"),
    "infinite": ("1, math.huge", "0"),
    "no number": ("1, 0/0", "0"),
}
MANY_TEXTS = """
    (function() local t, s = {}, ('x'):rep(1e6) for n = 1, 2000 do t[n] = s end return t end)()
"""
ABSURD = {
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
    "arguments": (f"pcall(frame.newChild, frame, {{args = {MANY_TEXTS}}})", "text too long"),
}
FILLED = """
    local t, sizes = {}, {5000, 100, 1}
    local size
    local function fill() while true do t[#t + 1] = (#t .. ','):rep(size) end end
    for n = 1, 3 do size = sizes[n] pcall(fill) end
"""
"""Takes all memory that there is."""
OUT_OF_MEMORY = {
    "a table": "mw.ustring.gmatch(s, '.')",
    "a text": "mw.ustring.upper(s)",
    "many texts": "mw.ustring.gsub(s, '(.)', 'o')",
    "pieces": "mw.text.split(s, 'ä')",
    "numbers": "mw.ustring.gcodepoint(s)",
    "JSON": "mw.text.jsonDecode('[' .. ('1,'):rep(20000) .. '1]')",
    "an answer": "frame:preprocess(s)",
    "a module": "require('Module:Data')",
    "a digest": "mw.hash.hashValue('md5', s)",
}


@pytest.fixture
def run(make_site: Callable[..., Site]) -> Callable[[str], str]:
    """Return the result of a function's body; the worker continues to run."""

    def text(body: str) -> str:
        data = "return {" + ", ".join(f"'item {n}'" for n in range(3000)) + "}"
        pages = {"Module:Data": data}
        site = lua_wiki(make_site, 20.0, pages, f=body, hello="return 'hello'")
        shown = rendered(site, "{{#invoke:M|f}}")
        assert "hello" in rendered(site, "{{#invoke:M|hello}}")
        assert invoker(site).pool.started == 1, shown
        return shown

    return text


@pytest.mark.parametrize("name", RANGES)
def test_row_52_unpack(run: Callable[[str], str], name: str) -> None:
    given, expected = RANGES[name]
    assert expected in run(f"return tostring(select('#', unpack({{1, 2, 3}}, {given})))")


@pytest.mark.parametrize("name", ABSURD)
def test_row_52_absurd_arguments(run: Callable[[str], str], name: str) -> None:
    call, expected = ABSURD[name]
    assert expected in run(f"local ok, told = {call} return tostring(ok) .. ' ' .. tostring(told)")


@pytest.mark.parametrize("name", OUT_OF_MEMORY)
def test_row_52_no_memory_for_what_python_gives(run: Callable[[str], str], name: str) -> None:
    # Each time a little more of what was there is given back, until the call succeeds.
    body = f"""
        local s = ('ä'):rep(10000)
        local function try() return {OUT_OF_MEMORY[name]} end
        local seen = {{}} for round = 1, 20 do seen[round] = '?' end
        {FILLED}
        local last = #t
        local part = last / 20
        for round = 1, 20 do
            seen[round] = pcall(try) and 'yes' or 'no'
            for n = 1, part do t[last], last = nil, last - 1 end
            -- Where there is no memory left, this has the garbage collected.
            pcall(mw.ustring.upper, s)
        end
        return table.concat(seen)
    """
    shown = run(body)
    assert "yesyes" in shown


def test_row_52_no_memory_for_the_next_module(make_site: Callable[..., Site]) -> None:
    site = lua_wiki(make_site, f=f"{FILLED} error(t)", g="return frame.args[1]")
    text = "{{#invoke:M|f}} {{#invoke:M|g|" + "x" * 100_000 + "}}"
    assert "x" * 100_000 in rendered(site, text)
    assert invoker(site).pool.started == 1


@pytest.mark.parametrize("parameters", [3, 4, 20, 50, 80])
def test_row_52_many_parameters_before_the_dots(run: Callable[[str], str], parameters: int) -> None:
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


def test_row_52_more_parameters_than_there_is_room_for(make_site: Callable[..., Site]) -> None:
    names = ", ".join(f"a{n}" for n in range(150))
    many = f"return function({names}, ...) return ... end"
    site = lua_wiki(make_site, f="return require('Module:Many')", pages={"Module:Many": many})
    shown = rendered(site, "{{#invoke:M|f}}")
    assert "Lua error in Module:Many at line 1: function has too many parameters" in shown
