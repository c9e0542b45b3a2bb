"""Hostile wikitext, through ``action=parse`` as clients ask for it."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from typing import Any

import pytest

from tests.unit.wikitext.test_threats import GROWTH
from tests.unit.wikitext.work import work
from wikiapi.site import Site
from wikiapi.testing.client import ApiClient, decoded

SIZE = 300
BEYOND = "so much for that"
"""Stands after a hostile text, and must still be shown where that text can end."""
CEILING = 2_097_152
LEVELS = 10
BOMB = {f"Template:L{n}": f"{{{{L{n + 1}}}}}" * 10 for n in range(LEVELS)}
PAGES = {
    "Template:A": "a{{B}}",
    "Template:B": "b{{A}}",
    "Template:Self": "{{Self}}",
    "Template:Double": "{{{1}}}{{{1}}}",
    "Template:Echo": "{{{1|}}}",
    "Template:L10": "x" * 1000,
    "MediaWiki:Evil": "<script>alert(1)</script><b onclick=alert(1)>bold</b>",
    "MediaWiki:Told": "told: $1",
    **BOMB,
}
REFUSED_TAGS = {
    "script", "img", "svg", "iframe", "object", "embed", "form", "button", "base", "math",
    "video", "audio", "template", "textarea",
}  # fmt: skip
ADDRESSES = {"href", "src", "cite", "action", "background", "poster", "longdesc", "srcset"}
SCHEMES = re.compile(r"[\x00-\x20]*(javascript|data|vbscript)\s*:", re.IGNORECASE)
LOADING = re.compile(r"url\s*\(|expression|image-set|image\s*\(|javascript:|@import", re.IGNORECASE)


class Markup(HTMLParser):
    """Collects the tags of a page, and each attribute with its decoded value."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: list[tuple[str, str]] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes += ((name, value or "") for name, value in attrs)


def assert_harmless(html: str) -> None:
    """Check that nothing in the page runs, loads or imitates the server's own output."""
    markup = Markup(html)
    assert not markup.tags & REFUSED_TAGS
    for name, value in markup.attributes:
        assert not name.startswith("on")
        assert name not in {"srcdoc", "formaction", "data-mw", "xlink:href"}
        assert name not in ADDRESSES or not SCHEMES.match(value)
        assert name != "style" or not LOADING.search(value)


pytestmark = pytest.mark.wiki(PAGES, config={"limits": {"template_cache_bytes": 0}})


def parse(client: ApiClient, text: str, **params: str) -> Any:
    """Return the answer of ``action=parse``, which must not be an error."""
    asked = {"action": "parse", "title": "Page", "contentmodel": "wikitext", "text": text}
    reply = client.reply("POST", asked | {"prop": "text|limitreportdata|categories"} | params)
    assert reply.status == 200
    assert "mediawiki-api-error" not in reply.headers
    return decoded(reply)["parse"]


def html_of(client: ApiClient, text: str) -> str:
    """Return the HTML of a text, which must be harmless."""
    html: str = parse(client, text, disablelimitreport="1")["text"]
    assert_harmless(html)
    return html


def assert_grows_linearly(site: Site, unit: str) -> None:
    """Check that rendering a text of twice the length makes at most 2.3 times as many calls."""
    title = site.titles.parse("Page")

    def render(count: int) -> None:
        site.parser.parse(unit * count, title)

    render(SIZE)
    assert work(render, 2 * SIZE) <= GROWTH * work(render, SIZE)


@pytest.mark.parametrize("text", ["{{A}}", "{{Self}}", "{{B}}{{A}}", "{{Page}}{{:Page}}"])
def test_template_loops_are_reported_and_the_page_renders(client: ApiClient, text: str) -> None:
    answer = parse(client, f"{text}\n\n{BEYOND}", disablelimitreport="1")
    assert f"<p>{BEYOND}" in answer["text"]
    if "Page" not in text:
        assert 'class="error"' in answer["text"]
        assert "Template loop detected" in answer["text"]


@pytest.mark.parametrize(
    "text",
    [
        "{{L0}}",
        "{{Double|" * 20 + "x" * 1000 + "}}" * 20,
        "{{Echo|" * 200 + "x" + "}}" * 200,
    ],
    ids=["ten levels of ten", "doubling arguments", "deeper than allowed"],
)
def test_include_bombs_stop_at_the_ceilings(client: ApiClient, text: str) -> None:
    answer = parse(client, f"{BEYOND}\n\n{text}")
    figures = {row["name"]: row for row in answer["limitreportdata"]}
    for name in ("limitreport-postexpandincludesize", "limitreport-templateargumentsize"):
        assert figures[name]["0"] <= figures[name]["1"] == CEILING
    nodes, depth = figures["limitreport-ppvisitednodes"], figures["limitreport-expansiondepth"]
    assert nodes["0"] <= nodes["1"]
    assert depth["0"] <= depth["1"] + 1
    assert BEYOND in answer["text"]
    assert len(answer["text"]) < 3 * CEILING


DEEP = {
    "arguments": ("{{{", 2000),
    "divisions": ("<div>", 600),
    "terms": (":;", 500),
    "tables": ("{|\n", 150),
    "tables on a line": ("{|", 150),
    "links": ("[[", 3000),
}
"""Each unit, and how often it is repeated."""


@pytest.mark.parametrize(("unit", "count"), DEEP.values(), ids=DEEP)
def test_deep_nesting_renders(client: ApiClient, unit: str, count: int) -> None:
    assert len(html_of(client, unit * count)) < 80 * len(unit) * count + 20_000


@pytest.mark.parametrize("unit", [unit for unit, _ in DEEP.values()], ids=DEEP)
def test_deep_nesting_is_linear(site: Site, unit: str) -> None:
    assert_grows_linearly(site, unit)


@pytest.mark.parametrize(
    "opening",
    [
        "{{padleft:a|500|",
        "{{int:told|",
        "{{plural:1|",
        "{{#replace:a|a|",
        "{{#vardefineecho:a|",
        "{{#arraydefine:a|",
        "{{#dplvar:set|a|",
        "{{#loop:i|0|1|",
        "{{#tag:poem|",
        "{{#tag:poem|{{padleft:a|500|",
        "{{Echo|{{padleft:a|500|",
    ],
)
@pytest.mark.parametrize("levels", [90, 100, 300])
def test_calls_nested_deeper_than_the_limit(site: Site, opening: str, levels: int) -> None:
    closing = "}}" * opening.count("{{")
    site.parser.parse(opening * levels + "x" + closing * levels, site.main_page)
    assert not site.parser.failures


BLOW_UPS = {
    "apostrophes": "'" * 10_000,
    "attributes": "<div " + "a=b " * 2000,
    "attributes of a tag that ends": "<div " + "a=b " * 2000 + ">",
    "links": "[http://a " * 2000,
    "comments": "<!--" * 5000,
    "nowiki": "<nowiki>" * 5000,
    "headings": "== a ==\n" * 2000,
}


@pytest.mark.parametrize("text", BLOW_UPS.values(), ids=BLOW_UPS)
def test_regex_blow_up_renders(client: ApiClient, text: str) -> None:
    # A heading becomes an element with an id and a link for editing its section.
    assert len(html_of(client, text)) < 80 * len(text) + 20_000


@pytest.mark.parametrize(
    "unit", ["'" * 10, "<div a=b ", "[http://a ", "<!--", "<nowiki>", "== a ==\n"]
)
def test_regex_blow_up_is_linear(site: Site, unit: str) -> None:
    assert_grows_linearly(site, unit)


@pytest.mark.parametrize("number", range(4))
@pytest.mark.parametrize("kind", ["nowiki", "pre", "item", "h"])
def test_forged_strip_markers_are_inert(client: ApiClient, kind: str, number: int) -> None:
    forged = f"\x7f'\"`UNIQ--{kind}-{number:08X}-QINU`\"'\x7f"
    html = html_of(client, f"<nowiki>hidden</nowiki><pre>kept</pre>{forged}{{{{Echo|{forged}}}}}")
    assert html.count("hidden") == 1
    assert html.count("kept") == 1
    assert "\x7f" not in html


@pytest.mark.parametrize(
    "call",
    [
        "{{#expr:9^9^9}}",
        "{{#expr:9^9^9^9^9}}",
        "{{#expr:" + "9" * 5000 + "*" + "9" * 5000 + "}}",
        "{{#expr:1/0}}",
        "{{#expr:ln(-1)}}",
        "{{#expr:1e400 round 1e400}}",
        "{{#time:Y|99999999 years}}",
        "{{#time:" + "Y" * 5000 + "|now}}",
        "{{formatnum:1e400}}",
        "{{formatnum:" + "9" * 5000 + "}}",
        "{{padleft:x|999999999|y}}",
        "{{#titleparts:a/b|99999999999999999999|-99999999999999999999}}",
        "{{#rel2abs:" + "../" * 3000 + "}}",
    ],
    ids=lambda call: call[:30],
)
def test_functions_answer(client: ApiClient, call: str) -> None:
    html = html_of(client, f"{call}\n\n{BEYOND}")
    assert BEYOND in html
    assert len(html) < 50_000


@pytest.mark.parametrize("reference", ["&#xD800;", "&#x110000;", "&#0;", "&#99999999999999999;"])
def test_bad_references_stay_escaped(client: ApiClient, reference: str) -> None:
    assert f"&amp;{reference[1:]}" in html_of(client, reference)


@pytest.mark.parametrize("text", ["a\u2028b", "ß", "İ", "[[ß]]", "[[İ]]", "== İ ==", "{{uc:ß}}"])
def test_odd_letters_are_shown(client: ApiClient, text: str) -> None:
    html = html_of(client, f"{text}\n\n{BEYOND}")
    assert BEYOND in html
    assert any(letter in html for letter in ("\u2028", "ß", "İ", "SS"))


@pytest.mark.parametrize(
    "text",
    [
        "<img src=x onerror=alert(1)>",
        "<svg/onload=alert(1)>",
        "<svg><script>alert(1)</script></svg>",
        "<scr<script>ipt>alert(1)</script>",
        "<iframe srcdoc='<script>alert(1)</script>'></iframe>",
        "<math><mtext><table><mglyph><style><img src=x onerror=alert(1)>",
        "<a href=javascript:alert(1)>x</a>",
        "<div onclick=alert(1)>x</div>",
        "<input autofocus onfocus=alert(1)>",
        "<div/onclick=alert(1)>x</div>",
        "<div title='\"><img src=x onerror=alert(1)>'>x</div>",
        "<div data-mw='{}' data-ooui=x>x</div>",
        "<span id='\"onmouseover=alert(1) x=\"'>x</span>",
        "{| onclick=alert(1)\n| onmouseover=alert(1) | x\n|- onfocus=alert(1)\n! onblur=a | y\n|}",
        "{| title='\"><script>alert(1)</script>'\n|}",
        "{{Echo|<script>alert(1)</script>}}",
        "<pre onclick=alert(1)><script>alert(1)</script></pre>",
        "<nowiki><script>alert(1)</script></nowiki>",
        "== <script>alert(1)</script> ==\n== <b onclick=alert(1)>x</b> ==",
        "[[a|<img src=x onerror=alert(1)>]]",
        "[[<script>alert(1)</script>]]",
        "<noscript><p title='</noscript><img src=x onerror=alert(1)>'>",
    ],
)
def test_html_brings_no_scripts(client: ApiClient, text: str) -> None:
    assert BEYOND in html_of(client, f"{text}\n{BEYOND}")


@pytest.mark.parametrize(
    "css",
    [
        "background:url(//evil.example)",
        "background:URL (x)",
        "width:expression(alert(1))",
        "width:\\65xpression(alert(1))",
        "width:\\000065 xpression(alert(1))",
        "background:image-set('x' 1x)",
        "background:&#117;rl(x)",
        "\uff45xpression(alert(1))",
        "-moz-binding:url(x)",
        "filter:progid:DXImageTransform.Microsoft.Alpha(opacity=1)",
        "/* */ background:url(x) /*",
    ],
)
@pytest.mark.parametrize("form", ['<div style="{}">x</div>', '{{| style="{}"\n| x\n|}}'])
def test_css_that_loads_or_runs_is_dropped(client: ApiClient, form: str, css: str) -> None:
    html = html_of(client, form.format(css))
    assert styles(html) == ["/* insecure input */"]


@pytest.mark.parametrize(
    ("css", "parted"),
    [
        ("background:u/**/rl(x)", "background:u rl(x)"),
        ("width:exp/**/ression(alert(1))", "width:exp ression(alert(1))"),
    ],
)
def test_comments_part_words(client: ApiClient, css: str, parted: str) -> None:
    assert styles(html_of(client, f'<div style="{css}">x</div>')) == [parted]


def styles(html: str) -> list[str]:
    return [value for name, value in Markup(html).attributes if name == "style"]


@pytest.mark.parametrize(
    "text",
    [
        "[javascript:alert(1) x]",
        "[JaVaScRiPt:alert(1) x]",
        "[&#106;avascript:alert(1) x]",
        "[data:text/html,<script>alert(1)</script> x]",
        "[vbscript:x y]",
        "[[File:A.png|link=javascript:alert(1)]]",
        "[[File:A.png|thumb|link=data:text/html,x|alt=javascript:x]]",
        "<gallery>\nFile:A.png|link=javascript:alert(1)\n</gallery>",
        "javascript:alert(1)",
    ],
)
def test_urls_keep_to_the_list_of_protocols(client: ApiClient, text: str) -> None:
    for name, value in Markup(html_of(client, text)).attributes:
        assert name not in {"href", "src"} or value.startswith(("/", "#", "http"))


@pytest.mark.parametrize(
    "text",
    [
        "{{int:<script>alert(1)</script>}}",
        "{{int:Told|<script>alert(1)</script>}}",
        "{{int:Evil}}",
        "{{MediaWiki:Evil}}",
    ],
)
def test_messages_are_escaped(client: ApiClient, text: str) -> None:
    assert "&lt;script" in html_of(client, text)


@pytest.mark.parametrize(
    "text",
    [
        "-{<script>alert(1)</script>|a}-",
        "-{zh:<img src=x onerror=alert(1)>;en:b}-",
        '<b title="-{a|b}-" onclick="-{c}-">x</b>',
        '<b title="-{\'><script>alert(1)</script>}-">x</b>',
        '<span title="-{A|zh:\\"onclick=alert(1);}-">x</span>',
        "[[a|-{<b onclick=alert(1)>}-]]",
    ],
)
def test_variants_inject_nothing(client: ApiClient, text: str) -> None:
    assert BEYOND in html_of(client, f"{text}\n\n{BEYOND}")


def test_variants_do_not_loop(site: Site, client: ApiClient) -> None:
    html_of(client, "-{" * 3000 + "}-" * 3000)
    assert_grows_linearly(site, '<b title="-{">-{')


@pytest.mark.parametrize(
    "summary",
    [
        "/* <script> */ [[a|<b>]]",
        '/* "><img src=x onerror=alert(1)> */ x',
        "[[javascript:alert(1)|x]]",
        '[[a"onclick=alert(1) x="|y]]',
        "<script>alert(1)</script>",
    ],
)
def test_summaries_are_escaped(client: ApiClient, summary: str) -> None:
    answer = parse(client, "x", summary=summary, prop="")
    assert_harmless(answer["parsedsummary"])
    assert not Markup(answer["parsedsummary"]).tags & {"script", "b", "img"}


def test_summaries_are_linear(site: Site, client: ApiClient) -> None:
    for summary in ("/*" * 5000, "[[" * 5000, "[[a|" * 5000, "/* a */" * 3000):
        assert_harmless(parse(client, "x", summary=summary, prop="")["parsedsummary"])
