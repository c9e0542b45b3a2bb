"""Malicious modules: after each one, the same server answers another request."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from wikiapi.http.app import make_app
from wikiapi.site import Site
from wikiapi.testing import ApiClient, ask

pytestmark = pytest.mark.slow

EXPIRED = "The modules of this page have used up their time."
NO_MEMORY = "Lua error: not enough memory."
ENDLESS = {
    "loop": "while true do end",
    "pcall": "while true do pcall(function() while true do end end) end",
    "xpcall": "xpcall(function() while true do end end, function() while true do end end)",
    "error object": "error(setmetatable({}, {__tostring = function() while true do end end}))",
    "pattern": "return string.find(('a'):rep(40000), ('a*'):rep(20) .. 'b')",
    "balance": "return string.find(('('):rep(500000), '%b()')",
    "Unicode pattern": "return mw.ustring.find(('ä'):rep(40000), ('ä*'):rep(20) .. 'b')",
    "sort": "local n = {1, 2, 3} table.sort(n, function() while true do end end)",
    "metamethod": "return setmetatable({}, {__index = function() while true do end end}).x",
    "gsub": "return (('x'):rep(100):gsub('', function() while true do end end))",
    "questions": "while true do mw.title.new('Page') end",
}
GREEDY = {
    "doubling": "local x = 'x' while true do x = x .. x end",
    "rep": "return ('x'):rep(1e9)",
    "table": "local t = {} for i = 1, 1e9 do t[i] = i end",
    "concat": "local t = {} for i = 1, 99 do t[i] = 'x' end return table.concat(t, ('x'):rep(1e6))",
}
FORBIDDEN = (
    "io",
    "os.execute",
    "os.exit",
    "os.getenv",
    "os.remove",
    "os.rename",
    "os.tmpname",
    "package.loadlib",
    "package.path",
    "load",
    "loadstring",
    "loadfile",
    "dofile",
    "string.dump",
    "debug.getregistry",
    "debug.getinfo",
    "debug.sethook",
    "debug.getupvalue",
    "getfenv",
    "setfenv",
    "newproxy",
    "collectgarbage",
    "coroutine",
    "python",
    "module",
)
WALK = """
local seen, paths = {}, {}
local function walk(value, path)
    local kind = type(value)
    if kind == 'userdata' or kind == 'thread' then
        paths[#paths + 1] = path
    elseif kind == 'table' and not seen[value] then
        seen[value] = true
        for key, each in next, value do walk(each, path .. '.' .. tostring(key)) end
    end
    local meta = kind ~= 'string' and getmetatable(value)
    if type(meta) == 'table' then walk(meta, path .. '!') end
end
walk(_G, '_G')
walk(frame, 'frame')
walk(mw.title.new('Page'), 'title')
walk(getmetatable(mw.title.new('Page')), 'meta')
return '[' .. table.concat(paths, ' ') .. ']'
"""


def module(**functions: str) -> str:
    lines = [f"function p.{name}(frame) {body} end" for name, body in functions.items()]
    return "\n".join(["local p = {}", *lines, "return p"])


def html_of(site: Site, text: str) -> str:
    answer = ask(site, {"action": "parse", "text": text, "contentmodel": "wikitext"})
    assert not answer.codes
    return str(answer.data["parse"]["text"])


@pytest.fixture
def attack(lua_site: Callable[..., Site]) -> Callable[[str], str]:
    def run(body: str) -> str:
        site = lua_site({"Page": "x"}, M=module(attack=body, hello="return 'hello'"))
        html = html_of(site, "{{#invoke:M|attack}} {{#invoke:M|hello}}")
        # Another request to the same server.
        assert "hello" in html_of(site, "{{#invoke:M|hello}}")
        return html

    return run


@pytest.mark.parametrize("name", ENDLESS)
def test_module_that_does_not_terminate(attack: Callable[[str], str], name: str) -> None:
    html = attack(ENDLESS[name])
    # No time is left for the other modules of the page.
    assert html.count(EXPIRED) == 2


def test_time_of_modules_does_not_count_as_query_time(lua_site: Callable[..., Site]) -> None:
    body = "local ended = os.clock() + 1.2 while os.clock() < ended do end return '[[A]]'"
    config = {
        "database": {"query_deadline": 1.0},
        "extensions": {"scribunto": {"cpu_seconds": 10.0}},
    }
    client = ApiClient(make_app(lua_site({"A": "x"}, config, M=module(f=body))))
    answer = client.get(action="parse", text="{{#invoke:M|f}} [[B]]", contentmodel="wikitext")
    links = answer["parse"]["links"]
    assert [(link["title"], link["exists"]) for link in links] == [("A", True), ("B", False)]


@pytest.mark.parametrize("name", GREEDY)
def test_module_that_exhausts_its_memory(attack: Callable[[str], str], name: str) -> None:
    html = attack(GREEDY[name])
    assert NO_MEMORY in html
    assert "hello" in html


def test_module_that_crashes_lua(attack: Callable[[str], str]) -> None:
    html = attack("return string.find(('a'):rep(400000), ('a?'):rep(200000))")
    assert "The worker was ended by signal 11." in html


@pytest.mark.parametrize("name", FORBIDDEN)
def test_modules_have_no_access_to_the_system(run: Callable[..., str], name: str) -> None:
    first, _, rest = name.partition(".")
    body = f"return tostring({first} and {first}.{rest})" if rest else f"return tostring({name})"
    assert run(body) == "nil"


def test_modules_have_no_access_to_python_objects(run: Callable[..., str]) -> None:
    assert run(WALK) == "[]"


@pytest.mark.parametrize(
    "body",
    [
        "return mw.ustring.char(1e9)",
        "return mw.ustring.find('ä', '[')",
        "return mw.ustring.sub('\\255', 1, 2)",
        "return mw.text.jsonDecode('{')",
        "return mw.text.jsonDecode(('['):rep(1e5) .. (']'):rep(1e5))",
        "return mw.hash.hashValue('nope', 'x')",
        "return frame:expandTemplate{title = 'Nowhere'}",
        "return frame:callParserFunction('nope')",
        "return frame:preprocess(('x'):rep(3e6))",
        "return frame.args[1e300]",
    ],
)
def test_error_values_of_host_functions_are_strings(run: Callable[..., str], body: str) -> None:
    kind = run(f"local ok, problem = pcall(function() {body} end) return type(problem)")
    assert kind in ("string", "nil")


def test_bytecode_is_refused(lua_site: Callable[..., Site]) -> None:
    site = lua_site(M=module(f="return 'x'"), Compiled="\x1bLua")
    assert "wrong mode" in html_of(site, "{{#invoke:Compiled|f}}")


def test_methods_of_strings_cannot_be_changed(run: Callable[..., str]) -> None:
    body = "string.upper = nil; return tostring(getmetatable('')) .. ('x'):upper()"
    assert run(body) == "falseX"


def test_changes_to_libraries_do_not_affect_other_pages(lua_site: Callable[..., Site]) -> None:
    site = lua_site(
        M=module(
            spoil="mw.title.getCurrentTitle = nil; getmetatable(mw.html.create('p')).__index = nil",
            use="return mw.title.getCurrentTitle().text .. tostring(mw.html.create('p'):tag('b'))",
        )
    )
    html_of(site, "{{#invoke:M|spoil}}")
    assert "API" in html_of(site, "{{#invoke:M|use}}")


def test_infinite_recursion_of_invokes(lua_site: Callable[..., Site]) -> None:
    site = lua_site(M=module(f="return frame:preprocess('{{#invoke:M|f}}')"))
    assert "C stack overflow" in html_of(site, "{{#invoke:M|f}}")
    assert "x" in html_of(site, "x")


def test_forged_strip_markers_have_no_effect(run: Callable[..., str]) -> None:
    body = """return "\\127'\\"`UNIQ--nowiki-00000099-QINU`\\"'\\127" """
    assert "UNIQ" in run(body)


def test_invalid_utf8_and_nul_are_replaced(run: Callable[..., str]) -> None:
    assert run("return 'a\\255\\0b'") == "a\ufffd\ufffdb"


def test_warnings_and_logs_are_limited(lua_site: Callable[..., Site]) -> None:
    body = "for i = 1, 2000 do mw.addWarning('w' .. i) mw.log(('x'):rep(1000)) end"
    site = lua_site(M=module(f=body))
    output = site.parser.parse("{{#invoke:M|f}}", site.titles.parse("Page"))
    assert len(output.warnings) == 500
    assert len(str(output.plugin_limits["scribunto-limitreport-logs"].values[0])) < 101_000
