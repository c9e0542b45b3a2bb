"""Row 51: memory that the server retains because of modules is counted, whatever they call."""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable
from contextlib import suppress

import pytest

from tests.security.luawiki import lua_wiki, rendered
from wikiapi.errors import BudgetExceeded
from wikiapi.http.app import make_app
from wikiapi.site import Site
from wikiapi.testing import ApiClient

ALLOWED = 2_000_000
MAX_PEAK = 3 * ALLOWED
"""The allowed memory and what is not counted; without limits, each loop would retain 10 MB."""
LIMITS = {
    "request_bytes": ALLOWED,
    "text_cache_bytes": 100_000,
    "template_cache_bytes": 100_000,
}
TIMES = 200
LOOPS = {
    "nowiki": "frame:extensionTag('nowiki', i .. x)",
    "pre": "frame:extensionTag('pre', i .. x)",
    "footnotes": "frame:extensionTag('ref', i .. x)",
    "named footnotes": "frame:preprocess('<ref name=a' .. i .. '>' .. x .. '</ref>')",
    "indicators": "frame:extensionTag('indicator', x, {name = i})",
    "warnings": "mw.addWarning(i .. x)",
    "images": "mw.svg.new():setContent(i .. x):toImage()",
    "texts": "frame:preprocess('{{#if:x|' .. i .. x .. '}}')",
    "markers": "frame:preprocess('<nowiki>' .. i .. x .. '</nowiki>')",
    "functions": "frame:callParserFunction('#if', {'x', i .. x})",
    "unknown functions": "frame:callParserFunction(i .. x, {'x'})",
    "sort keys": "frame:callParserFunction('DEFAULTSORT', {i .. x})",
    "templates": "frame:expandTemplate{title = 'T', args = {i .. x}}",
    "frames": "frame:newChild{title = 'A', args = {i .. x}}",
    "pages": "mw.title.new('Large ' .. i):getContent()",
    "data": "mw.loadJsonData('Large ' .. i)",
    "modules": "require('Module:' .. i .. x)",
    "messages": "mw.message.newRawMessage('{{PLURAL:1|a}} $1', i .. x):plain()",
    "logs": "mw.log(i .. x) frame:preprocess('{{#invoke:M|log}}')",
    "errors": "frame:preprocess('{{#invoke:M|fail|' .. i .. x .. '}}')",
    "titles": "mw.title.new(i .. x)",
    "groups": "mw.site.stats.usersInGroup(i .. x)",
    "dates": "mw.getContentLanguage():formatDate(i .. x, '2001-02-03')",
    "languages": "mw.language.new('l' .. i):formatNum(i)",
    "anchors": "mw.uri.anchorEncode(i .. x)",
}


@pytest.fixture
def loops(make_site: Callable[..., Site]) -> Callable[[str], Site]:
    def wiki(body: str) -> Site:
        loop = f"""
            local x = ('x'):rep(50000)
            for i = 1, frame.args[1] do pcall(function() {body} end) end
            return 'ended'
        """
        large = {f"Large {n}": "x" * 50_000 for n in range(1, TIMES + 1)}
        return lua_wiki(
            make_site,
            60.0,
            {"Template:T": "{{{1}}}", **large},
            {"limits": LIMITS, "http": {"request_deadline": 0.0}},
            f=loop,
            log="mw.log(('y'):rep(50000)) return 'x'",
            fail="error(frame.args[1])",
        )

    return wiki


@pytest.mark.parametrize("name", LOOPS)
def test_stored_values_are_counted(loops: Callable[[str], Site], name: str) -> None:
    site = loops(LOOPS[name])
    page = site.titles.parse("Page")
    # This allocates what all requests share.
    site.parser.parse("{{#invoke:M|f|1}}", page)
    tracemalloc.start()
    with site.answering(), suppress(BudgetExceeded):
        output = site.parser.parse(f"{{{{#invoke:M|f|{TIMES}}}}}", page)
        assert "ended" in output.html
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < MAX_PEAK


def test_the_next_request_has_its_own_budget(make_site: Callable[..., Site]) -> None:
    body = "for i = 1, frame.args[1] do frame:extensionTag('nowiki', ('x'):rep(5000) .. i) end"
    config = {"limits": {"request_bytes": 3_000_000}}
    client = ApiClient(make_app(lua_wiki(make_site, 60.0, None, config, f=body)))

    def outcome(times: int) -> str:
        text = f"{{{{#invoke:M|f|{times}}}}} done"
        answer = client.get(action="parse", title="X", contentmodel="wikitext", text=text)
        return str(answer["error"]["code"] if "error" in answer else answer["parse"]["text"])

    assert "done" in outcome(10)
    assert outcome(2000) == "internal_api_error_BudgetExceeded"
    assert "done" in outcome(10)


@pytest.mark.parametrize("operation", ["mw.title.new('Page ' .. i)", "frame:preprocess(i .. '')"])
def test_every_host_call_is_a_step(make_site: Callable[..., Site], operation: str) -> None:
    body = f"for i = 1, frame.args[1] do {operation} end return 'ended'"
    site = lua_wiki(make_site, 60.0, config={"limits": {"request_steps": 2000}}, f=body)
    page = site.titles.parse("Page")
    with site.answering():
        assert "ended" in site.parser.parse("{{#invoke:M|f|500}}", page).html
    with site.answering(), pytest.raises(BudgetExceeded):
        site.parser.parse("{{#invoke:M|f|3000}}", page)
    assert "ended" in rendered(site, "{{#invoke:M|f|10}}")


def test_the_total_length_of_warnings_is_limited(
    make_site: Callable[..., Site],
) -> None:
    body = "for i = 1, 400 do mw.addWarning(i .. ('x'):rep(9000)) end return 'ended'"
    site = lua_wiki(make_site, 20.0, f=body)
    output = site.parser.parse("{{#invoke:M|f}}", site.titles.parse("Page"))
    assert 200 < len(output.warnings) < 240
    assert "ended" in output.html
