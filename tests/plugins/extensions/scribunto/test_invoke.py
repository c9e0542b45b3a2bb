from __future__ import annotations

import re
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from html import unescape

import pytest

from wikiapi.site import Site
from wikiapi.wikitext.options import ParserOptions
from wikiapi_plugins.extensions.scribunto import process

pytestmark = pytest.mark.slow

HELLO = (
    "local p = {}\nfunction p.hello(frame) return 'Hello ' .. (frame.args[1] or '') end\nreturn p"
)


def expand(site: Site, text: str, title: str = "Page") -> str:
    return site.parser.expand(text, site.titles.parse(title))


def error_message(text: str) -> str:
    """Return the displayed error message, without its id."""
    match = re.fullmatch(
        r'<strong class="error"><span class="scribunto-error mw-scribunto-error-[0-9a-f]{8}">'
        r"(.*)</span></strong>",
        text,
    )
    assert match, text
    return match[1]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("{{#invoke:Nope|f}}", "Script error: No such module &quot;Nope&quot;."),
        ("{{#invoke:a<b|f}}", "Script error: No such module &quot;a&lt;b&quot;."),
        ("{{#invoke:M/doc|f}}", "Script error: No such module &quot;M/doc&quot;."),
        ("{{#invoke:M}}", "Script error: No function name was given."),
        ("{{#invoke:M|nope}}", "Script error: The function &quot;nope&quot; does not exist."),
        (
            "{{#invoke:M|value}}",
            "Script error: &quot;value&quot; cannot be called: it is not a function.",
        ),
        (
            "{{#invoke:Number|f}}",
            "Script error: The module returned a number instead of a table of functions.",
        ),
        ("{{#invoke:M|fail}}", "Lua error in Module:M at line 3: it &lt;failed&gt;."),
        ("{{#invoke:M|index}}", "Lua error in Module:M at line 4: attempt to index a nil value."),
        ("{{#invoke:Syntax|f}}", "Lua error in Module:Syntax at line 1: '=' expected near 'is'."),
        ("{{#invoke:Main|f}}", "Lua error in Module:Main at line 1: at once."),
        (
            "{{#invoke:M|require}}",
            "Lua error in package.lua at line 80: module &#39;Module:Gone&#39; not found.",
        ),
        ("{{#invoke:M|table}}", "Lua error: table."),
    ],
)
def test_errors(lua_site: Callable[..., Site], text: str, expected: str) -> None:
    source = (
        "local p = {value = 1}\n"
        "function p.x() end\n"
        "function p.fail() error('it <failed>') end\n"
        "function p.index() return (nil).x end\n"
        "function p.require() require('Module:Gone') end\n"
        "function p.table() error({}) end\n"
        "return p"
    )
    site = lua_site(
        {"Module:M/doc": "words"},
        M=source,
        Number="return 1",
        Syntax="this is no Lua",
        Main="error('at once')",
    )
    message = error_message(expand(site, text)).replace("&#039;", "&#39;").replace("'", "&#39;")
    assert message == expected.replace("'", "&#39;")


def test_errors_add_a_tracking_category(lua_site: Callable[..., Site]) -> None:
    site = lua_site()
    output = site.parser.parse("{{#invoke:Nope|f}}", site.titles.parse("Page"))
    assert list(output.categories) == ["Pages_with_script_errors"]
    assert [title.prefixed_text for title in output.templates.values()] == ["Module:Nope"]
    assert "ext.scribunto.errors" in output.modules


def test_backtraces_are_passed_to_scripts_of_the_page(lua_site: Callable[..., Site]) -> None:
    source = (
        "local p = {}\nfunction p.inner() error('x') end\nfunction p.f() p.inner() end\nreturn p"
    )
    site = lua_site(M=source)
    output = site.parser.parse("{{#invoke:M|f}}", site.titles.parse("Page"))
    (number,) = output.js_config_vars["ScribuntoErrors"]
    detail = output.js_config_vars[f"ScribuntoErrors-{number}"]
    assert detail.startswith("<p>Lua error in Module:M at line 2: x.</p><p>Call stack:</p>")
    assert (
        'index.php?title=Module:M&amp;action=edit#mw-ce-l2">Module:M:2</a></strong>: in' in detail
    )
    assert detail.index("Module:M:2") < detail.index("Module:M:3")


BACKTRACES = {
    "M|fail": """(tail call): ?
[C]: in function "error"
Module:M:2: in function "chunk"
mw.lua:527: ?""",
    "M|missing": """package.lua:80: in function "load"
package.lua:99: in function "require"
Module:M:3: in function "chunk"
mw.lua:527: ?""",
    "M|broken": """Module:Broken:1: in function "init"
package.lua:103: in function "require"
Module:M:4: in function "chunk"
mw.lua:527: ?""",
    "Broken|f": """[C]: in function "error"
Module:Broken:1: in function "chunk"
mw.lua:496: ?
(tail call): ?
[C]: in function "xpcall"
""",
    "M|template": "MWServer.lua:81: ?\n(tail call): ?",
    "M|number": """package.lua:90: in function "require"
Module:M:6: in function "chunk"
""",
    "Strict|f": 'strict.lua:21: ?\nModule:Strict:2: in function "chunk"',
    "Strict|g": 'strict.lua:28: ?\nModule:Strict:3: in function "chunk"',
}


@pytest.mark.parametrize("call", BACKTRACES)
def test_calls_in_backtraces(lua_site: Callable[..., Site], call: str) -> None:
    source = (
        "local p = {}\nfunction p.fail() error('x') end\n"
        "function p.missing() local m = require('Module:None') end\n"
        "function p.broken() local m = require('Module:Broken') end\n"
        "function p.template(f) f:expandTemplate{title = 'none'} end\n"
        "function p.number() local m = require(5) end\nreturn p"
    )
    strict = "require('strict') return {\nf = function() x = 1 end,\ng = function() return x end}"
    site = lua_site(M=source, Broken="error('top')", Strict=strict)
    output = site.parser.parse(f"{{{{#invoke:{call}}}}}", site.titles.parse("Page"))
    (number,) = output.js_config_vars["ScribuntoErrors"]
    detail = output.js_config_vars[f"ScribuntoErrors-{number}"]
    text = unescape(re.sub("<[^<>]*>", "", detail.replace("<li>", "\n"))).replace("\xa0", " ")
    assert BACKTRACES[call] in text
    assert text.endswith("mw_main.lua:7: in the module itself\n[C]: ?")


def test_missing_templates_are_named_as_given(lua_site: Callable[..., Site]) -> None:
    site = lua_site(M="return {f = function(f) return f:expandTemplate{title = 'none'} end}")
    assert "template &quot;none&quot; does not exist" in expand(site, "{{#invoke:M|f}}")


@pytest.mark.parametrize(
    ("body", "arguments", "expected"),
    [
        ("return frame.args[1] .. '|' .. frame.args.a", "| x |a= y ", " x |y"),
        ("return frame.args['1'] .. frame.args[2]", "|x|2=y", "xy"),
        ("return tostring(frame.args[3]) .. tostring(frame.args.b)", "|x", "nilnil"),
        ("return frame.args[1]", "|{{PAGENAME}}", "Page"),
        ("return #frame.args", "|x", "0"),
        (
            "local n = 0 for k in pairs(frame.args) do n = n + 1 end return n",
            "|a|b|{{PAGENAME}}",
            "3",
        ),
        (
            "local s = '' for i, v in ipairs(frame.args) do s = s .. v end return s",
            "|a|b|4=d",
            "ab",
        ),
        ("return frame:getArgument(1):expand()", "|x", "x"),
        ("return frame:getTitle() .. frame:getParent():getTitle()", "", "Module:MPage"),
        ("return tostring(frame:getParent():getParent())", "", "nil"),
        ("return frame:preprocess('{{T|x}}{{{1}}}')", "|y", "[x]y"),
        ("return frame:expandTemplate{title = 'T', args = {'{{!}}'}}", "", "[{{!}}]"),
        ("return frame:expandTemplate{title = ':Page x'}", "", "the page"),
        ("return frame:callParserFunction('lc', 'ABC')", "", "abc"),
        ("return frame:callParserFunction{name = 'lc:ABC'}", "", "abc"),
        ("return frame:callParserFunction('#if', {'x', 'yes', 'no'})", "", "yes"),
        ("return frame:extensionTag('nowiki', 'x')", "", "<nowiki>x</nowiki>"),
        ("return frame:newChild{title = 'C', args = {'z'}}:preprocess('{{{1}}}')", "", "z"),
        ("return frame:newChild{args = {a = 'z'}}.args.a", "", "z"),
        ("return 'a', 1, nil, 'lost'", "", "a1"),
        ("return {}", "", "table"),
        ("", "", ""),
        ("return frame:newParserValue('{{T|q}}'):expand()", "", "[q]"),
        ("return frame:newTemplateParserValue{title = 'T', args = {'q'}}:expand()", "", "[q]"),
        ("for k, v in frame:argumentPairs() do return k .. v end", "|x", "1x"),
        ("return tostring(pcall(frame.preprocess, {}, 'x'))", "", "false"),
    ],
)
def test_frames(run: Callable[..., str], body: str, arguments: str, expected: str) -> None:
    pages = {"Template:T": "[{{{1}}}]", "Page x": "the page"}
    assert run(body, arguments, **pages) == expected


def test_the_parent_frame_is_that_of_the_template(lua_site: Callable[..., Site]) -> None:
    source = "return {f = function(frame) local p = frame:getParent()\n"
    source += "return p:getTitle() .. p.args.x .. p:preprocess('{{{x}}}') end}"
    site = lua_site({"Template:T": "{{#invoke:M|f}}"}, M=source)
    assert expand(site, "{{T|x={{PAGENAME}}}}") == "Template:TPagePage"


def test_every_invoke_has_its_own_environment(lua_site: Callable[..., Site]) -> None:
    source = (
        "local up = 0\nreturn {f = function()\n"
        "up = up + 1; g = (g or 0) + 1; string.x = (string.x or 0) + 1\n"
        "return up .. g .. string.x end}"
    )
    site = lua_site(M=source)
    assert expand(site, "{{#invoke:M|f}} {{#invoke:M|f}}") == "111 111"


def test_required_modules(lua_site: Callable[..., Site]) -> None:
    site = lua_site(
        M="local own = ...\nlocal a, b = require('Module:A'), require('Module:A')\n"
        "return {f = function() return tostring(a == b) .. a.name .. tostring(own) end}",
        A="local name = ...\nreturn {name = name}",
        Loop="return {f = function() return require('Module:Loop2') end}",
        Loop2="return require('Module:Loop2')",
    )
    assert expand(site, "{{#invoke:M|f}}") == "trueModule:Anil"
    assert "loop or previous error loading module" in expand(site, "{{#invoke:Loop|f}}")


def test_loaded_data_is_shared_and_cannot_be_changed(lua_site: Callable[..., Site]) -> None:
    source = (
        "local p = {}\n"
        "local d = mw.loadData('Module:Data')\n"
        "function p.read() return d.a .. d.list[2] .. tostring(d.none) end\n"
        "function p.walk() local s = '' for k, v in ipairs(d.list) do s = s .. v end return s end\n"
        "function p.write() d.a = 2 end\n"
        "function p.bad() mw.loadData('Module:Bad') end\n"
        "function p.frame() return tostring(mw.loadData('Module:Frame').frame) end\n"
        "function p.json() return mw.loadJsonData('Project:Data.json').x[1] end\n"
        "return p"
    )
    site = lua_site(
        {"Project:Data.json": '{"x": ["y"]}'},
        M=source,
        Data="return {a = 1, list = {'x', 'y'}}",
        Bad="return {f = function() end}",
        Frame="return {frame = tostring(mw.getCurrentFrame())}",
    )
    assert expand(site, "{{#invoke:M|read}}{{#invoke:M|walk}}") == "1ynilxy"
    assert "read-only" in expand(site, "{{#invoke:M|write}}")
    assert "values of type 'function'" in expand(site, "{{#invoke:M|bad}}").replace(
        "&#39;", "'"
    ).replace("&#039;", "'")
    assert expand(site, "{{#invoke:M|frame}}") == "nil"
    assert expand(site, "{{#invoke:M|json}}") == "y"


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("tostring(d.tree == d.tree)", "true"),
        ("tostring(d.tree.up == d)", "true"),
        ("tostring(mw.loadData('Module:Data') == d)", "false"),
        ("joined(pairs, d.list)", "1x 2y 3table 5z "),
        ("joined(ipairs, d.list)", "1x 2y 3table "),
        ("joined(pairs, d.list[3])", "leafgreen "),
        ("tostring(next(d)) .. #d.list", "nil0"),
        ("tostring(getmetatable(d.tree).mw_loadData)", "true"),
        ("tostring(pcall(function() d.tree.new = 1 end))", "false"),
        ("tostring(getmetatable(d) == getmetatable(d))", "true"),
        ("tostring(getmetatable(d) == getmetatable(d.tree))", "false"),
        ("getmetatable(d).__index(nil, 'list')[2] .. d.list[2]", "yy"),
        ("setmetatable({}, getmetatable(d.list))[1]", "x"),
        ("joined(pairs, setmetatable({}, mw.clone(getmetatable(d.list[3]))))", "leafgreen "),
        ("tostring(pcall(function() getmetatable(d).x = 1 end)) .. getmetatable(d).x", "true1"),
        (
            "select(2, pcall(function() getmetatable() end)):match('bad.*')",
            "bad argument #1 to 'getmetatable' (value expected)",
        ),
        ("tostring(getmetatable('')) .. tostring(getmetatable(1))", "falsenil"),
        (
            "mw.dumpObject(d.list[3])",
            """table#1 {
  metatable = table#2 {
    ["__index"] = function,
    ["__ipairs"] = function,
    ["__newindex"] = function,
    ["__pairs"] = function,
    ["mw_loadData"] = true,
  }
}""",
        ),
        ("mw.clone(d).list[2]", "y"),
        ("joined(ipairs, mw.clone(d.list))", "1x 2y 3table "),
    ],
)
def test_views_of_loaded_data(
    lua_site: Callable[..., Site], expression: str, expected: str
) -> None:
    source = (
        "local d = mw.loadData('Module:Data')\n"
        "local function joined(iterate, t) local s = ''\n"
        "for k, v in iterate(t) do s = s .. k .. tostring(v) .. ' ' end return s end\n"
        f"return {{f = function() return {expression} end}}"
    )
    data = "local d = {list = {'x', 'y', {leaf = 'green'}, [5] = 'z'}, tree = {}} d.tree.up = d "
    site = lua_site(M=source, Data=data + "return d")
    # The results must be the same on a second page.
    assert expand(site, "{{#invoke:M|f}}") == expand(site, "{{#invoke:M|f}}") == expected


def test_strict(run: Callable[..., str]) -> None:
    assert "assign to undeclared variable" in run("require('strict') undeclared = 1")
    assert "is not declared" in run("require('strict') return undeclared")


def test_substitution(lua_site: Callable[..., Site]) -> None:
    site = lua_site(M="return {f = function() return tostring(mw.isSubsting()) end}")
    title = site.titles.parse("Page")
    assert site.parser.saved("{{subst:#invoke:M|f}}", title, "Ada") == "true"
    assert site.parser.saved("{{#invoke:M|f}}", title, "Ada") == "{{#invoke:M|f}}"


def test_warnings(lua_site: Callable[..., Site]) -> None:
    site = lua_site(M="return {f = function() mw.addWarning('mind') end}")
    output = site.parser.parse("{{#invoke:M|f}}", site.titles.parse("Page"))
    assert list(output.warnings.values()) == ["Script warning: mind"]


def test_expensive_functions_are_counted(run: Callable[..., str]) -> None:
    body = "for n = 1, 101 do local _ = mw.title.new('P' .. n).exists end"
    assert "too many expensive function calls" in run(body)


def test_a_page_with_500_invokes_uses_one_worker(
    lua_site: Callable[..., Site], monkeypatch: pytest.MonkeyPatch
) -> None:
    started = []
    start = process.WorkerProcess
    monkeypatch.setattr(process, "WorkerProcess", lambda: started.append(1) or start())
    site = lua_site(M=HELLO)
    text = "".join(f"{{{{#invoke:M|hello|{number}}}}}" for number in range(500))
    for _ in range(2):
        assert expand(site, text).endswith("Hello 499")
    assert len(started) == 1


def test_an_idle_worker_that_has_died_is_replaced(
    lua_site: Callable[..., Site], monkeypatch: pytest.MonkeyPatch
) -> None:
    workers: list[process.WorkerProcess] = []
    create = process.WorkerProcess

    def start() -> process.WorkerProcess:
        workers.append(create())
        return workers[-1]

    monkeypatch.setattr(process, "WorkerProcess", start)
    site = lua_site(M=HELLO)
    for number in (1, 2):
        assert expand(site, "{{#invoke:M|hello|x}}") == "Hello x"
        assert len(workers) == number
        workers[-1].kill()


def test_concurrent_renderings(lua_site: Callable[..., Site]) -> None:
    source = (
        "return {f = function(frame) return frame:preprocess('{{T|' .. frame.args[1] .. '}}') end}"
    )
    site = lua_site({"Template:T": "<{{{1}}}>"}, M=source)
    numbers = [str(number) for number in range(40)]
    with ThreadPoolExecutor(4) as threads:
        texts = list(threads.map(lambda n: expand(site, f"{{{{#invoke:M|f|{n}}}}}"), numbers))
    assert texts == [f"<{number}>" for number in numbers]


def test_limit_report(lua_site: Callable[..., Site]) -> None:
    site = lua_site(M="return {f = function() mw.log('a', 1) mw.logObject({}, 'o') end}")
    output = site.parser.parse("{{#invoke:M|f}}", site.titles.parse("Page"))
    assert re.search(r"Lua time usage: 0\.[0-9]{3}/0\.500 seconds\n", output.html)
    assert re.search(r"Lua memory usage: [0-9]+/52428800 bytes\n", output.html)
    assert "Lua log: a\t1\no = table#1 {\n}" in output.html


def test_without_lua(lua_site: Callable[..., Site], monkeypatch: pytest.MonkeyPatch) -> None:
    def missing() -> None:
        raise process.LuaMissing("Lua is not installed")

    monkeypatch.setattr(process, "lua_folder", missing)
    site = lua_site(M=HELLO)
    assert "No worker can be started: Lua is not installed" in expand(site, "{{#invoke:M|hello}}")


def test_module_page(lua_site: Callable[..., Site]) -> None:
    site = lua_site({"Module:Told/doc": "''words''"}, M="return {}", Told="return {}")
    render = site.content_models["Scribunto"].render
    options = ParserOptions(limit_report=False)
    output = render(site.parser, "return {}", site.titles.parse("Module:M"), options)
    assert "Documentation for this module may be created at" in output.html
    assert '<span class="kr">return</span>' in output.html
    assert '<span id="L-1"><a href="#L-1"><span class="linenos" data-line="1">' in output.html
    output = render(site.parser, "return {}", site.titles.parse("Module:Told"), options)
    assert "<i>words</i>" in output.html
    assert [title.prefixed_text for title in output.templates.values()] == ["Module:Told/doc"]
    output = render(site.parser, "--" + "<" * 110_000, site.titles.parse("Module:M"), options)
    assert '<pre lang="en" dir="ltr" class="mw-code mw-script">\n--&lt;&lt;' in output.html


def test_nowiki_escapes_what_links_on_the_wiki(lua_site: Callable[..., Site]) -> None:
    source = "return {f = function(frame) return mw.text.nowiki(frame.args[1]) end}"
    settings = {"wikitext": {"add_protocols": ["steam:"], "remove_protocols": ["tel:"]}}
    site = lua_site(config=settings, M=source)
    assert expand(site, "{{#invoke:M|f|Steam:1 tel:2 sms:3}}") == "Steam&#58;1 tel:2 sms&#58;3"


TAGS = r"""
local tags = {
    call = '<div style="{{lc:RED}}" title="{{Echo|a}}{{{1|b}}}">{{lc:TEXT}}</div>',
    whole = '<div {{lc:ID}}="{{lc:A}}" id="{{Echo|two words}}"></div>',
    nowiki = '<div title="' .. mw.text.nowiki('{{lc:RED}}') .. '"></div>',
    stripped = '<b title="' .. mw.getCurrentFrame():extensionTag('nowiki', '{{lc:A}}') .. '"></b>',
    table = "{| title={{lc:RED}}" .. string.char(10) .. "|}",
}
return {f = function(frame) return tags[frame.args[1]] end}
"""


@pytest.mark.parametrize(
    ("name", "tag"),
    [
        ("call", '<div style="red" title="ab">{{lc:TEXT}}</div>'),
        ("whole", '<div id="two_words"></div>'),
        ("nowiki", '<div title="{{lc:RED}}"></div>'),
        ("stripped", '<b title="{{lc:A}}"></b>'),
        ("table", '<table title="{{lc:RED}}">'),
    ],
)
def test_calls_in_the_attributes_of_returned_tags_are_expanded(
    lua_site: Callable[..., Site], name: str, tag: str
) -> None:
    site = lua_site({"Template:Echo": "{{{1}}}"}, M=TAGS.replace("\\\\n", "\\n"))
    output = site.parser.parse(f"{{{{#invoke:M|f|{name}}}}}", site.titles.parse("Page"))
    assert tag in output.html
    expands = name in ("call", "whole")
    assert ("Template:Echo" in {one.prefixed_text for one in output.templates.values()}) == expands


def test_delete_characters_of_lua_vanish(lua_site: Callable[..., Site]) -> None:
    site = lua_site(M="return {f = function() return 'a\\127lt;b' end}")
    assert "<p>alt;b\n</p>" in site.parser.parse("{{#invoke:M|f}}", site.titles.parse("P")).html
