from __future__ import annotations

from collections.abc import Callable

import pygments
import pytest
from pygments.formatters import HtmlFormatter
from pygments.lexers import get_all_lexers, get_lexer_by_name

from wikiapi.budget import Allowance, Budget
from wikiapi.site import Site
from wikiapi.testing import ask
from wikiapi.wikitext.options import ParserOptions
from wikiapi.wikitext.output import ParserOutput
from wikiapi_plugins.extensions.syntaxhighlight import MAX_LINES, first_number, marked_lines
from wikiapi_plugins.shared.highlighting import highlighter
from wikiapi_plugins.shared.highlighting.highlighter import MAX_BYTES, find_lexer

OPTIONS = ParserOptions(limit_report=False, wrapper_class="")
VAR = '<span class="kd">var</span><span class="w"> </span><span class="nx">a</span>'


pytestmark = pytest.mark.wiki({"Page": "text"}, writable=False)


def parse(site: Site, text: str) -> ParserOutput:
    return site.parser.parse(text, site.titles.parse("Page"), OPTIONS)


@pytest.mark.parametrize(
    ("wikitext", "html"),
    [
        (
            "<syntaxhighlight lang=js>\n  var a\n</syntaxhighlight>",
            (
                '<div class="mw-highlight mw-highlight-lang-js mw-content-ltr" dir="ltr">'
                f'<pre><span></span><span class="w">  </span>{VAR}\n</pre></div>'
            ),
        ),
        (
            "<syntaxhighlight lang=JS inline>var\na</syntaxhighlight>",
            (
                '<p><code class="mw-highlight mw-highlight-lang-js mw-content-ltr" dir="ltr">'
                '<span class="kd">var</span> <span class="nx">a</span></code>\n</p>'
            ),
        ),
        (
            "<syntaxhighlight lang=text line start=7 highlight=2>a\nb</syntaxhighlight>",
            (
                '<div class="mw-highlight mw-highlight-lang-text mw-content-ltr mw-highlight-lines"'
                ' dir="ltr"><pre><span></span><span class="linenos" data-line="7"></span>a\n'
                '<span class="linenos" data-line="8"></span><span class="hll">b\n</span>'
                "</pre></div>"
            ),
        ),
        (
            "<syntaxhighlight lang=text line linelinks=L>a</syntaxhighlight>",
            (
                '<div class="mw-highlight mw-highlight-lang-text mw-content-ltr mw-highlight-lines"'
                ' dir="ltr"><pre><span></span><span id="L-1"><a href="#L-1">'
                '<span class="linenos" data-line="1"></span></a>a\n</span></pre></div>'
            ),
        ),
    ],
)
def test_source_is_shown_in_colours(site: Site, wikitext: str, html: str) -> None:
    assert parse(site, wikitext).html.strip() == html


def test_comparisons_in_lua_are_no_attributes(site: Site) -> None:
    html = parse(site, "<syntaxhighlight lang=lua>a <= b and c >= d</syntaxhighlight>").html
    assert '<span class="o">&lt;=</span>' in html
    assert 'class="err"' not in html


def test_lines_stay_together_in_lists(site: Site) -> None:
    html = parse(site, "*a <syntaxhighlight lang=text>b\n*c</syntaxhighlight>").html
    assert "<pre><span></span>b\n*c\n</pre></div></li></ul>" in html


@pytest.mark.parametrize(
    ("wikitext", "categories"),
    [
        ("<syntaxhighlight lang=text>a</syntaxhighlight>", set()),
        ("<syntaxhighlight>a</syntaxhighlight>", {"Pages_with_syntax_highlighting_errors"}),
        ("<source lang=text>a</source>", {"Pages_using_deprecated_source_tags"}),
        (
            "<syntaxhighlight lang=text enclose=none>a</syntaxhighlight>",
            {"Pages_using_deprecated_enclose_attributes"},
        ),
    ],
)
def test_what_is_wrong_is_tracked(site: Site, wikitext: str, categories: set[str]) -> None:
    assert set(parse(site, wikitext).categories) == categories


@pytest.mark.parametrize("lang", ["text", "nosuch", "&quot;&gt;&lt;script&gt;", "html"])
def test_source_is_never_markup(site: Site, lang: str) -> None:
    links = "line linelinks='&quot;&gt;&lt;b&gt;' onclick=x style='a:url(x)'"
    text = f"<syntaxhighlight lang='{lang}' {links}>"
    html = parse(site, text + "<script>x</script></syntaxhighlight>").html
    assert "<script" not in html
    assert "<b>" not in html
    assert "onclick" not in html
    assert "url(" not in html


def test_long_source_stays_plain(site: Site) -> None:
    html = parse(site, f"<syntaxhighlight lang=js>{'a ' * MAX_BYTES}b</syntaxhighlight>").html
    assert "<span" not in html


def test_huge_ranges_of_lines_are_bounded() -> None:
    assert marked_lines("1-999999999", 3) == {1, 2, 3}
    assert len(marked_lines(",".join(["1-999999999"] * 5000), 10**9)) <= 2 * MAX_LINES
    assert marked_lines("2, 4-3, x, ٥, 1_0", 100) == {2}


@pytest.mark.parametrize(("text", "number"), [("12", 12), (None, 1), ("x", 1), ("٥", 1)])
def test_numbers_start_where_said(text: str | None, number: int) -> None:
    assert first_number(text) == number


def page_of_code(site: Site, model: str, source: str) -> str:
    answer = ask(site, {"action": "parse", "text": source, "contentmodel": model, "prop": "text"})
    return answer.data["parse"]["text"]


@pytest.mark.parametrize("language", ["css", "javascript"])
def test_pages_of_code_are_in_colours(site: Site, language: str) -> None:
    html = page_of_code(site, language, "a")
    assert f'<div class="mw-highlight mw-highlight-lang-{language} mw-content-ltr' in html
    assert '<a href="#L-1">' in html


def test_pages_of_code_without_the_plugin(make_site: Callable[..., Site]) -> None:
    site = make_site({}, config={"plugins": {"disabled": ["syntaxhighlight"]}})
    html = page_of_code(site, "css", "a > b")
    assert '<pre class="mw-code mw-css" dir="ltr">\na &gt; b\n</pre>' in html


def test_a_source_is_coloured_once(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    coloured: list[str] = []

    def note(code: str, lexer: str, _: object) -> tuple[list[str], float]:
        coloured.append(code)
        return [f"<b>{code}</b>"], 0.0

    monkeypatch.setattr(highlighter, "highlighted", note)
    text = "<syntaxhighlight lang={}>x</syntaxhighlight>"
    outputs = [parse(site, text.format(language)).html for language in ("lua", "js", "lua", "LUA")]
    assert coloured == ["x", "x"]
    assert outputs[0] == outputs[2] == outputs[3]
    assert all("<b>x</b>" in html for html in outputs)


def test_languages_are_those_of_pygments() -> None:
    # To import all lexers takes long.
    aliases = [alias for _, aliases, _, _ in get_all_lexers() for alias in aliases]
    for alias in aliases[::40]:
        assert find_lexer(alias) == get_lexer_by_name(alias).name
    assert all(map(find_lexer, aliases))
    assert find_lexer("PYTHON") == "Python"
    assert find_lexer("nosuch") is None


def test_the_lexers_of_plugins_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    class Lexer:
        name = "Mine"
        aliases = ("mine", "python")

    monkeypatch.setattr(highlighter, "find_plugin_lexers", lambda: [Lexer])
    highlighter._lexers_of_plugins.cache_clear()
    assert find_lexer("mine") == "Mine"
    assert find_lexer("python") == "Python"
    highlighter._lexers_of_plugins.cache_clear()


@pytest.mark.parametrize("source", ["a", "a\n", "\n\na", " a\r\nb", "", "\n", "\x00\u2028é𝄞"])
@pytest.mark.parametrize("language", ["python", "text", "html+php", "yaml", "console"])
def test_colours_are_those_of_pygments(language: str, source: str) -> None:
    lexer = get_lexer_by_name(language, stripnl=False, ensurenl=True)
    html = pygments.highlight(source, lexer, HtmlFormatter(nowrap=True))
    lines, _ = highlighter.highlighted(source, lexer.name, Budget(Allowance()))
    assert lines == html.removesuffix("\n").split("\n")
