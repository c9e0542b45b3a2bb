"""Sections of Parsoid's HTML whose headings are from calls."""

from __future__ import annotations

import json
import re

import pytest
from selectolax.lexbor import LexborHTMLParser

from wikiapi.wikitext.options import ParserOptions

pytestmark = pytest.mark.wiki(
    {"Template:1x": "{{{1}}}", "Template:Two": "=== a ===\nx\n=== b ===\ny\n"}
)
_OPTIONS = ParserOptions(limit_report=False, parsoid=True)


@pytest.fixture
def document(site):
    def rendered(text):
        html = site.parser.parse(text, site.titles.parse("Page"), _OPTIONS).html
        return LexborHTMLParser(html).body

    return rendered


@pytest.mark.parametrize(
    ("text", "links"),
    [
        ("== a ==", ["Page 1"]),
        ("{{Two}}\n== c ==", ["Template:Two T-1", "Template:Two T-2", "Page 1"]),
        ("{{Two}}{{Two}}", ["Template:Two T-1", "Template:Two T-2"] * 2),
        ("{{1x|1=\n== a ==\n}}\n== c ==", ["Template:1x T-1", "Page 2"]),
        ("{{1x|<h2>a</h2>}}", []),
        ("{{#if:x|\n== a ==\n}}", []),
        ("<div>\n{{1x|1=== a ==\n</div>}}", []),
        ("== {{1x|a}} ==", ["Page 1"]),
    ],
)
def test_edit_links_edit_the_template_that_the_page_calls(document, text, links):
    addresses = [node.attributes["href"] for node in document(text).css(".mw-editsection a")]
    pattern = re.compile(r"title=(.*)&action=edit&section=(.*)")
    assert [" ".join(pattern.search(address).groups()) for address in addresses] == links


@pytest.mark.parametrize(
    ("text", "sections"),
    [
        ("a\n\n{{Two}}\n== c ==\nd", [None, ["{{", "\n"], "", None]),
        ("== c ==\n{{Two}}", [None, None, ["{{"], ""]),
        ("== c ==\nd\n\n{{1x|x\n=== e ===\nf}}\ng", [None, ["== c ==\nd\n\n", "{{", "\ng"], None]),
        ("{{1x|1=\n== a ==\nb}}\n== c ==", [None, None, None]),
        ("{{Two}}{{Two}}", [None, ["{{"], "", ["{{"], ""]),
    ],
)
def test_sections_that_share_a_call_are_described(document, text, sections):
    described = []
    for node in document(text).css("section"):
        data = node.attributes.get("data-mw")
        parts = json.loads(data)["parts"] if data else "" if "about" in node.attributes else None
        described.append([p if isinstance(p, str) else "{{" for p in parts] if parts else parts)
    assert described == sections


def test_the_table_of_contents_is_before_a_call(document):
    contents = document("a\n\n{{Two}}{{Two}}").css_first("#toc")
    assert "about" not in contents.attributes
    assert contents.parent.attributes["data-mw-section-id"] == "0"


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("== a {{1x|b}} ==", "a <span>b</span>"),
        ("== {{{p}}} ==", "<span>{{{p}}}</span>"),
        ("== {{1x|''b''}} ==", "<i>b</i>"),
    ],
)
def test_results_in_the_contents_are_elements(document, text, line):
    html = document(f"{text}\n__FORCETOC__").css_first(".toctext").inner_html
    assert re.sub(' id="[^"]*"', "", html) == line


def test_a_further_mark_for_the_contents_leaves_nothing(document):
    body = document("== a ==\n__TOC__\n<div>__TOC__</div>")
    assert len(body.css("#toc")) == 1
    assert not body.css("meta")
