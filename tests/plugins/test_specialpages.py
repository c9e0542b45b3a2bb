"""Special pages within other pages."""

from __future__ import annotations

import pytest

from wikiapi.hookspecs import hookimpl
from wikiapi.testing import ask
from wikiapi.wikitext.declarations import SpecialPage
from wikiapi.wikitext.options import ParserOptions

PAGES = {
    "Ab": "a",
    "Ab/sub": "b",
    "Abc": "#REDIRECT [[Ab]]",
    "B": "c",
    "Help:Abc": "d",
    "Template:List": "{{Special:PrefixIndex/{{{1}}}}}",
}
OPTIONS = ParserOptions(limit_report=False, wrapper_class="")


class Greeting:
    @hookimpl
    def register_special_pages(self, site):
        return [SpecialPage("Version", lambda call: f"<p>{call.subpage}{call.options}</p>")]


pytestmark = pytest.mark.wiki(PAGES, plugins=[Greeting()])


@pytest.fixture
def parse(site):
    return lambda text: site.parser.parse(text, site.titles.parse("Page"), OPTIONS)


def titles(html):
    return [piece.split("<")[0] for piece in html.replace("</a>", "<").split('">')[1:] if piece]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("{{Special:PrefixIndex/Ab}}", ["Ab", "Ab/sub", "Abc"]),
        ("{{special:Prefixindex/ab}}", ["Ab", "Ab/sub", "Abc"]),
        ("{{Special:PrefixIndex|prefix=Ab|hideredirects=1}}", ["Ab", "Ab/sub"]),
        ("{{Special:PrefixIndex/Ab/|stripprefix=1}}", ["sub"]),
        ("{{Special:PrefixIndex/Help:}}", ["Abc"]),
        ("{{Special:PrefixIndex|namespace=12}}", ["Abc"]),
        ("{{Special:PrefixIndex/Ab|from=Ab/}}", ["Ab/sub", "Abc"]),
        ("{{Special:AllPages/Abc}}", ["Abc", "B"]),
        ("{{Special:AllPages|from=A|to=Ab/z}}", ["Ab", "Ab/sub"]),
        ("{{List|Help:A}}", ["Abc"]),
    ],
)
def test_lists(parse, text, expected):
    html = parse(text).html
    assert html.startswith("<ul class=")
    assert [part for part in titles(html) if part] == expected


@pytest.mark.parametrize(
    "text",
    [
        "{{Special:PrefixIndex/Nothing}}",
        "{{Special:PrefixIndex|prefix=<b>}}",
        "{{Special:PrefixIndex|prefix=A|from=[}}",
        "{{Special:AllPages|namespace=12|from=B}}",
    ],
)
def test_nothing_to_list(parse, text):
    assert parse(text).html == ""


def test_odd_namespaces_are_the_main_one(parse):
    for number in ("99999999999999999999", "-1", "٤", "1_2", "77"):
        html = parse(f"{{{{Special:AllPages|namespace={number}|from=B}}}}").html
        assert [part for part in titles(html) if part] == ["B"]


def test_other_special_pages_are_linked(parse):
    output = parse("{{Special:Search}}")
    assert 'href="/wiki/Special:Search"' in output.html
    assert output.cache_expiry is None


def test_a_page_that_shows_one_expires_at_once(site):
    query = {"action": "parse", "prop": "limitreportdata", "contentmodel": "wikitext"}
    for text, expected in (("{{Special:AllPages}}", [0, True]), ("text", [86_400, False])):
        data = ask(site, query | {"text": text}).data["parse"]["limitreportdata"]
        assert [row["0"] for row in data if row["name"].startswith("cachereport-t")][1:] == expected


def test_a_plugin_may_add_special_pages(parse):
    output = parse("a\n\n{{Special:Version/x|y=1}}")
    assert output.html == "<p>a\n</p>\n<p>x{'y': '1'}</p>"
    assert output.cache_expiry == 0


def test_only_shown_pages_contain_them(site):
    title = site.titles.parse("Page")
    assert site.parser.expand("{{Special:AllPages}}", title) == "[[:Special:AllPages]]"


def test_style_sheets(parse):
    assert list(parse("{{Special:AllPages}}").module_styles) == ["mediawiki.special"]
    styles = list(parse("{{Special:PrefixIndex/None}}").module_styles)
    assert styles[0] == "mediawiki.special"
    assert styles[-1] == "mediawiki.htmlform.ooui.styles"
