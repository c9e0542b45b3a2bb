"""Calls of host functions, which a worker avoids where possible."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from wikiapi.languages.numbers import format_number, format_without_groups
from wikiapi.site import Site
from wikiapi_plugins.extensions.scribunto.host import Host, HostResult
from wikiapi_plugins.extensions.scribunto.session import Session

TWICE = "local function of() return {} end return of() .. '/' .. of()"


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """Return a counter of the calls of each host function."""
    counted: Counter[str] = Counter()
    call = Host.call

    def counting(host: Host, name: str, arguments: list[Any]) -> HostResult:
        counted[name] += 1
        return call(host, name, arguments)

    monkeypatch.setattr(Host, "call", counting)
    return counted


@pytest.mark.parametrize(
    ("expression", "expected", "operation"),
    [
        ("mw.message.new('comma-separator'):plain()", ", ", "message.plain"),
        (
            "mw.language.new('en'):formatDate('j F Y', '2001-02-03')",
            "3 February 2001",
            "language.formatDate",
        ),
    ],
)
def test_results_are_cached_within_a_page(
    run: Callable[..., str], calls: Counter[str], expression: str, expected: str, operation: str
) -> None:
    assert run(TWICE.format(expression)) == f"{expected}/{expected}"
    assert calls[operation] == 1


def test_cached_results_depend_on_the_arguments(run: Callable[..., str]) -> None:
    text = run(
        "local en = mw.language.new('en') "
        "local function at(...) return en:formatDate(...) end "
        "return at('Y', '2001-02-03') .. at('Y', '2002-02-03') .. at('j', '2001-02-03')"
    )
    assert text == "200120023"


def test_errors_are_raised_by_every_call(run: Callable[..., str]) -> None:
    text = run(
        "local function try() "
        "return mw.language.new('en'):formatDate('Y', 'no moment') end "
        "local first, problem = pcall(try) local second, again = pcall(try) "
        "return tostring(first or second) .. tostring(problem == again)"
    )
    assert text == "falsetrue"


@pytest.mark.parametrize("function", ["unstripNoWiki", "unstrip"])
def test_texts_without_markers_need_no_call(
    lua_site: Callable[..., Site], calls: Counter[str], function: str
) -> None:
    body = f"return mw.text.{function}('[x]') .. mw.text.{function}(frame.args[1])"
    site = lua_site(M=f"local p = {{}}\nfunction p.f(frame) {body} end\nreturn p")
    text = "{{#invoke:M|f|<nowiki><b></nowiki>}}"
    html = site.parser.parse(text, site.titles.parse("Page")).html
    assert "<p>[x]&lt;b&gt;\n</p>" in html
    assert calls[function] == 1


@pytest.mark.parametrize(
    ("message", "expected", "times"),
    [
        ("'$1, $2 and $3', 'a', 'b'", "a, b and $3", 0),
        ("'<$1>', '%1$1'", "<%1$1>", 0),
        ("'{{PLURAL:$1|one|many}}', '2'", "{{PLURAL:2|one|many}}", 1),
        ("'$1', mw.message.numParam(1234)", "1,234", 1),
    ],
)
def test_raw_messages_are_filled_in_by_the_worker(
    run: Callable[..., str], calls: Counter[str], message: str, expected: str, times: int
) -> None:
    assert run(f"return mw.message.newRawMessage({message}):plain()") == expected
    assert calls["message.plain"] == times


@pytest.fixture
def on_pages(lua_site: Callable[..., Site]) -> Callable[..., list[str]]:
    """Return a function that runs Lua code on several pages and returns the results."""

    def run_body(body: str, pages: int = 2) -> list[str]:
        site = lua_site(M=f"local p = {{}}\nfunction p.f(frame) {body} end\nreturn p")
        titles = [site.titles.parse(f"Page {number}") for number in range(pages)]
        return [site.parser.expand("{{#invoke:M|f}}", title) for title in titles]

    return run_body


@pytest.mark.parametrize(
    ("expression", "expected", "operation"),
    [
        ("mw.language.new('de'):formatDate('F', '2001-3-1')", "März", "language.formatDate"),
        ("mw.title.new('talk:a').prefixedText", "Talk:A", "title.new"),
        ("mw.language.fetchLanguageNames('en').de", "German", "language.fetchLanguageNames"),
        ("mw.language.getFallbacksFor('bar')[1]", "de", "language.getFallbacksFor"),
        ("mw.site.namespaces.Module_talk.subject.name", "Module", "site"),
    ],
)
def test_results_that_are_the_same_on_every_page_are_cached(
    on_pages: Callable[..., list[str]],
    calls: Counter[str],
    expression: str,
    expected: str,
    operation: str,
) -> None:
    assert on_pages(f"return {expression}") == [expected, expected]
    assert calls[operation] == (operation != "site")


@pytest.mark.parametrize(
    ("expression", "operation"),
    [
        ("mw.language.new('en'):formatDate('Y', 'today')", "language.formatDate"),
        ("mw.language.new('tlh'):formatDate('F', '2001-3-1')", "language.formatDate"),
        ("mw.title.new('Page 0').exists", "title.page"),
        ("mw.message.new('and'):plain()", "message.plain"),
    ],
)
def test_results_that_may_change_are_not_cached(
    on_pages: Callable[..., list[str]], calls: Counter[str], expression: str, operation: str
) -> None:
    on_pages(f"return tostring({expression})")
    assert calls[operation] == 2


@pytest.mark.parametrize(
    "table",
    [
        "mw.language.fetchLanguageNames('en')",
        "mw.language.getFallbacksFor('bar')",
        "mw.site.namespaces[828]",
    ],
)
def test_changes_to_a_result_do_not_affect_other_pages(
    on_pages: Callable[..., list[str]], table: str
) -> None:
    body = f"local t = {table} local before = t.mark t.mark = 'made' return tostring(before)"
    assert on_pages(body, pages=3) == ["nil"] * 3


@pytest.mark.parametrize(("count", "times"), [(3, 1), (150, 2)])
def test_all_arguments_are_fetched_in_batches(
    run: Callable[..., str], calls: Counter[str], count: int, times: int
) -> None:
    arguments = "".join(f"|{{{{lc:A{number}}}}}" for number in range(count))
    body = (
        "local s = frame.args[2] "
        "for k, v in pairs(frame.args) do s = s .. ' ' .. k .. '=' .. v end return s"
    )
    expected = "".join(f" {number + 1}=a{number}" for number in range(count))
    assert run(body, f"{arguments}|x={{{{lc:Y}}}}|z=") == f"a1{expected} x=y z="
    assert calls["argument"] == 1
    assert calls["arguments"] == times


def test_counters_do_not_depend_on_cached_results(
    lua_site: Callable[..., Site],
) -> None:
    body = "return mw.language.new('en'):formatDate('F', '2001-3-1')"
    site = lua_site(M=f"return {{f = function() {body} end}}")
    usages = [
        site.parser.parse("{{#invoke:M|f}}", site.titles.parse(f"Page {number}")).usage
        for number in range(2)
    ]
    assert len({usage.nodes for usage in usages if usage}) == 1


PASSED_ON = {
    "Template:Outer": "{{Inner|{{{1}}}|named= {{{name|none}}} |{{{other|}}}}}",
    "Template:Inner": "{{#invoke:M|f|{{{1}}}|{{{2|unset}}}|own={{{named}}}}}",
}
READS = {
    "one": "return frame.args[1]",
    "all": "local out = {} "
    "for key, value in pairs(frame.args) do out[#out + 1] = key .. '=' .. value end "
    "table.sort(out) return table.concat(out, ';')",
    "parent": "return frame:getParent().args.named .. frame:getParent().args.named",
    "none": "return 'nothing'",
}


@pytest.mark.parametrize("which", READS)
def test_arguments_that_are_passed_on_need_no_call(
    lua_site: Callable[..., Site],
    calls: Counter[str],
    monkeypatch: pytest.MonkeyPatch,
    which: str,
) -> None:
    """The text and the counters are the same as if the arguments were expanded when read."""
    outputs = []
    for can_foresee in (True, False):
        if not can_foresee:
            monkeypatch.setattr(Session, "_can_foresee", lambda _: False)
        site = lua_site(
            PASSED_ON, M=f"local p = {{}}\nfunction p.f(frame) {READS[which]} end\nreturn p"
        )
        calls.clear()
        text, output = site.parser.expand_output(
            "{{Outer|a b|name=c{{!}}d}}{{Outer|x}}", site.titles.parse("Page")
        )
        usage = output.usage
        outputs.append((text, usage.nodes, usage.argument_size, usage.included_size))
        if can_foresee:
            requested = calls["argument"] + calls["arguments"]
            assert requested <= 1  # for the text with {{!}}
    assert outputs[0] == outputs[1]


@pytest.mark.parametrize("code", ["en", "de", "fr", "hi", "fa", "pl"])
def test_the_worker_formats_numbers_like_the_server(
    run: Callable[..., str], calls: Counter[str], code: str
) -> None:
    numbers = ["0", "7", "007", "000", "999", "1000", "-1234.50", "12345", "00001234", "1234567"]
    numbers += ["12345678901234", "1.", "0.25", "-0"]
    listed = ", ".join(f"'{number}'" for number in numbers)
    text = run(
        f"local language, out = mw.language.new('{code}'), {{}} "
        f"for _, number in ipairs {{ {listed} }} do "
        "out[#out + 1] = language:formatNum(number) .. '/' "
        ".. language:formatNum(number, { noCommafy = true }) end "
        "return table.concat(out, ';')"
    )
    assert text == ";".join(
        f"{format_number(number, code)}/{format_without_groups(number, code)}" for number in numbers
    )
    assert calls["language.notation"] == 1
