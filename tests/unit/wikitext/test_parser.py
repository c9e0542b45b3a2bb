"""The parser as a whole: facts it finds, hostile texts, any text."""

from __future__ import annotations

import re
from html import unescape

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.cases import counts
from wikiapi.testing import make_site
from wikiapi.wikitext.options import ParserOptions

pytestmark = pytest.mark.wiki({"Page": "text", "Template:Echo": "{{{1}}}"})

HOSTILE = {
    "apostrophes": "'" * 10_000,
    "attributes": "<div " + "a=b " * 2000,
    "addresses": "[http://a " * 2000,
    "linked addresses": "[[http://a b " * 2000,
    "comments": "<!--" * 5000,
    "nowiki": "<nowiki>" * 5000,
    "headings": "== a ==\n" * 2000,
    "arguments": "{{{" * 2000,
    "closed arguments": "{{{" * 2000 + "}}}" * 2000,
    "elements": "<div>" * 600,
    "many elements": "<div>" * 20_000,
    "formatting": "".join(f"<b id=x{n}>" for n in range(500)) + "<p>a" * 500,
    "terms": ":;" * 500,
    "colons": ";" * 2000 + "<b>:" * 500,
    "tables": "{|\n" * 150,
    "links": "[[" * 3000,
    "files": "[[File:A|" * 2000,
    "functions": "{{lc:" * 2000 + "}}" * 2000,
    "redirect": "#REDIRECT" + " " * 20_000 + "[[",
    "references": "&#x" * 5000,
    "css": '<div style="' + "\\65" * 3000 + '">',
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_text_renders(parse, name):
    html = parse(HOSTILE[name]).html
    assert html.startswith("<div")
    assert len(html) < 80 * len(HOSTILE[name]) + 20_000


PIECES = st.sampled_from(
    [
        "{{",
        "}}",
        "{{{",
        "}}}",
        "[[",
        "]]",
        "[",
        "]",
        "|",
        "=",
        "==",
        "\n",
        " ",
        "''",
        "'''",
        "*",
        "#",
        ":",
        ";",
        "----",
        "{|",
        "|}",
        "|-",
        "||",
        "!",
        "<b>",
        "</b>",
        "<div>",
        "</div>",
        "<nowiki>",
        "</nowiki>",
        "<pre>",
        "</pre>",
        "<!--",
        "-->",
        "http://a.b",
        "File:A.png",
        "Category:X",
        "de:",
        "a",
        "é",
        "\u2028",
        "\x7f",
        "\0",
        "&amp;",
        "&",
        "__TOC__",
        "Echo",
        "lc:",
        "#tag:",
        "PAGENAME",
        "~~~~",
        "-{",
        "}-",
        "<",
        ">",
        "\ud800",
        "</p>",
        "<table>",
        "<td>",
        "<blockquote>",
        "#REDIRECT",
        "\u200e",
        "\U0001f37a",
        "%41",
        "../",
        "/",
    ]
)


@pytest.fixture(scope="module")
def shared(make_module_site):
    return make_module_site({"Template:Echo": "{{{1}}}"})


@pytest.mark.parametrize("count", counts(600))
def test_no_text_fails(shared, count):
    title = shared.titles.parse("Test")

    @given(st.lists(PIECES, max_size=40).map("".join) | st.text(max_size=60))
    @settings(max_examples=count, deadline=None)
    def run(text):
        html = shared.parser.parse(text, title, ParserOptions(limit_report=False)).html
        assert html.startswith('<div class="mw-content-ltr mw-parser-output"')
        assert "<script" not in html
        assert "\x7f" not in html
        shared.parser.expand(text, title)
        shared.parser.links_of(text, title)

    run()


PLAIN = st.text(alphabet="abc éß中ع.,;?()#*/-\n", max_size=80)
"""Text whose signs mean something at the start of a line, if anywhere."""


@pytest.mark.parametrize("count", counts(300))
def test_text_is_shown_whole(shared, count):
    title = shared.titles.parse("Test")

    @given(PLAIN)
    @settings(max_examples=count, deadline=None)
    def run(text):
        html = shared.parser.parse(f"x{text}", title, ParserOptions(limit_report=False)).html
        visible = unescape(re.sub(r"<[^<>]*>", "", html))
        said = re.sub(r"^([*#:;]+|-{4,})", "", f"x{text}", flags=re.MULTILINE)
        assert re.sub(r"\s", "", visible) == re.sub(r"\s", "", said)

    run()


def test_facts(parse):
    text = (
        "[[Page]] [[Nowhere]] [[Category:C|key]] [https://example.org/%61 x] [[File:F.png]]\n"
        "{{DISPLAYTITLE:''Test''}}{{DEFAULTSORT:zz}}__NOTOC__\n== One ==\n=== Two ===\n"
    )
    output = parse(text)
    assert [title.prefixed_text for title in output.links.values()] == ["Page", "Nowhere"]
    assert set(output.existing) == {(0, "Page")}
    assert output.categories == {"C": "key", "Pages_with_broken_file_links": "zz"}
    assert list(output.external_links) == ["https://example.org/a"]
    assert list(output.images) == ["F.png"]
    assert output.title_html == "<i>Test</i>"
    assert output.properties["defaultsort"] == "zz"
    assert "notoc" in output.properties
    assert [(s.number, s.level, s.line, s.index) for s in output.sections] == [
        ("1", 2, "One", "1"),
        ("1.1", 3, "Two", "2"),
    ]
    assert text[output.sections[1].offset :].startswith("=== Two")


def test_existence_of_links_is_one_query_and_one_for_the_text_of_red_links(site, parse):
    with site.db.recording() as queries:
        parse(" ".join(f"[[P{n}]]" for n in range(200)))
    assert len(queries) == 2


def test_links_are_derived_without_looking_them_up(site):
    site.parser.links_of("{{Echo|x}}", site.titles.parse("T"))  # The text is cached from now on.
    with site.db.recording() as queries:
        output = site.parser.links_of("[[A]] [[B]] {{Echo|[[C]]}}", site.titles.parse("T"))
    assert len(output.links) == 3
    assert len(queries) == 1


def test_a_shared_loader_fetches_a_template_once(site):
    loader = site.parser.loader()
    title = site.titles.parse("T")
    site.parser.links_of("{{Echo|a}}", title, loader)
    with site.db.recording() as queries:
        site.parser.links_of("{{Echo|b}}", title, loader)
    assert not queries


@pytest.mark.parametrize(
    "text",
    [
        "<img src=x onerror=alert(1)>",
        "<svg/onload=alert(1)>",
        "[javascript:alert(1) x]",
        "[data:text/html,x y]",
        "<div onclick=alert(1)>x</div>",
        "{| onclick=alert(1)\n|}",
        "{|\n| onmouseover=alert(1) | x\n|}",
        '<div data-mw="x">y</div>',
        '<link rel=stylesheet href="https://evil.example">',
        "<iframe src=x></iframe>",
    ],
)
def test_scripts_do_not_pass(parse, text):
    html = parse(text, limit_report=False).html
    tags = html.split("<")[2:]
    for word in ("onerror", "onload", "onclick", "onmouseover", "javascript:", "data-mw", "iframe"):
        assert not any(word in tag.split(">")[0] for tag in tags)


@pytest.mark.parametrize(
    "css",
    [
        "background:url(x)",
        "width:expression(alert(1))",
        "width:\\65xpression(a)",
        "w:exp/**/ression(a)",
        "background:image-set(x)",
        "background:URL (x)",
        "\uff45xpression(a)",
        "background:&#117;rl(x)",
        "-o-link:'x'",
    ],
)
def test_css_that_could_load_or_run_is_dropped(parse, css):
    html = parse(f'<div style="{css}">x</div>', limit_report=False).html
    assert 'style="/* insecure input */"' in html or "ression(a)" in css


@pytest.mark.parametrize(
    "reference", ["&#xD800;", "&#x110000;", "&#0;", "&nosuch;", "&#99999999999999;"]
)
def test_bad_references_stay_escaped(parse, reference):
    assert "&amp;" + reference[1:] in parse(reference, limit_report=False).html


def test_a_solidus_overlay_cannot_join_a_tag(parse):
    assert "><" in parse("<b>\u0338x</b>", limit_report=False).html.replace("&#x338;", "<")


@pytest.mark.parametrize(
    "text",
    [
        "{{int:<script>alert(1)</script>}}",
        "{{int:x|<script>}}",
        "{{MediaWiki:Evil}}",
        "{{MediaWiki:<script>}}",
        "-{<script>|a}-",
        '<b title="-{a|b}-" onclick="-{c}-">x</b>',
        '<b title="-{\'><script>}-">x</b>',
    ],
)
def test_messages_and_variants_bring_no_scripts(text):
    site = make_site({"MediaWiki:Evil": "<script>alert(1)</script><b onclick=x>y</b>"})
    html = site.parser.parse(text, site.titles.parse("T"), ParserOptions(limit_report=False)).html
    site.db.close()
    assert "<script" not in html
    assert "onclick" not in html


def test_a_page_is_in_its_own_language_and_the_interface_in_the_readers():
    site = make_site(config={"site": {"language": "ar"}})
    options = ParserOptions(language="he", limit_report=False)
    text = "__TOC__\n== a =="
    html = site.parser.parse(text, site.titles.parse("Page"), options).html
    assert html.startswith('<div class="mw-content-rtl mw-parser-output" lang="ar" dir="rtl">')
    assert '<div class="toctitle" lang="he" dir="rtl">' in html
    message = site.parser.parse("x", site.titles.parse("MediaWiki:X/de"), options).html
    assert message.startswith('<div class="mw-content-ltr mw-parser-output" lang="de" dir="ltr">')
    code = site.parser.parse("x", site.titles.parse("MediaWiki:X.css"), options).html
    assert 'lang="en" dir="ltr"' in code
    site.db.close()


@pytest.mark.parametrize(
    ("language", "expected"),
    [("en", ">Page</a>äpfel, "), ("de", ">Pageäpfel</a>, "), ("zh", ">Page</a>äpfel, ")],
)
def test_letters_after_a_link_are_those_of_the_language(language: str, expected: str) -> None:
    site = make_site({"Page": "x"}, config={"site": {"language": language}})
    html = site.parser.parse("[[Page]]äpfel, ", site.titles.parse("Other")).html
    assert expected.strip() in html
    site.db.close()
