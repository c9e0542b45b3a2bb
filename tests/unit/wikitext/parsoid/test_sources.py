"""What elements come from: the calls, tags and switches of a page's source, as attributes."""

from __future__ import annotations

import json
import re
from html import unescape

import pytest
from selectolax.lexbor import LexborHTMLParser

from tests.cases import cases
from tests.golden.test_golden import CASES, FILES, INTERWIKI
from wikiapi.wikitext.options import ParserOptions

PAGES = {
    "Beta": "b",
    "Template:Name": "'''{{{1}}}''' {{{2|}}}",
    "Template:Empty": "",
    "Template:Red": "red",
    "Template:Two": "one\n\ntwo",
    "Template:List": "* a\n* b",
    "Template:Head": "== Brought ==",
    "Template:Box": '{| class="box"\n| {{{1|}}}\n|}[[Category:Boxed]]',
    "Template:Row": "|-\n| {{{1}}} || b",
    "Template:Cells": "| a || {{{1}}}",
    "Template:Begin": "<div>\n",
    "Template:Close": "</{{{1}}}>",
    "Template:Block": "<div>x</div>",
    "Template:Cell": 'title="t" {{!}} x',
    "Template:End": "\n</div>",
    "Template:Noted": "a<ref>b</ref>",
    "Template:Attributes": 'class="red" title="r"',
    "Template:Hello": "hello",
    "Template:Greet": "hello, {{{1|world}}}!",
    "Template:Loop": "a {{Loop}} b",
    "Template:Bullets": "* a\n* b",
    "Template:Section": "== a ==",
}
_OPTIONS = ParserOptions(limit_report=False, wrapper_class="")
_PARSOID = ParserOptions(limit_report=False, wrapper_class="", parsoid=True)


pytestmark = pytest.mark.wiki(PAGES, interwiki=INTERWIKI, files=FILES)


def rendered(site, text, options=_PARSOID):
    return site.parser.parse(text, site.titles.parse("Page"), options).html


def elements_of(html):
    """What each element says of where it comes from, with its text."""
    elements = []
    for node in LexborHTMLParser(f"<body>{html}</body>").body.css("*"):
        says = {
            name: node.attributes[name]
            for name in ("about", "property", "typeof", "href")
            if node.attributes.get(name) and (name != "href" or node.tag == "link")
        }
        if "data-mw" in node.attributes:
            says["data-mw"] = json.loads(node.attributes["data-mw"])
        if says.keys() - {"href"}:
            elements.append({"element": node.tag, "text": node.text().strip(), **says})
    return elements


@pytest.mark.parametrize("case", cases("wikitext/parsoid.json"))
def test_elements_tell_what_they_come_from(site, case):
    assert elements_of(rendered(site, "\n".join(case["source"]))) == case["elements"]


@pytest.mark.parametrize(
    "text",
    [
        '<b typeof="mw:Transclusion">x</b>',
        '<b about="#mwt1">x</b>',
        '<b typeof="x &#109;w:Extension/ref">x</b>',
        '{| typeof="mw:Transclusion"\n|}',
    ],
)
def test_a_page_tells_no_sources_of_its_own(site, text):
    html = rendered(site, text)
    assert " data-x-" in html
    assert elements_of(html) == []


@pytest.mark.parametrize("text", ["{|{{Noted}}\n|}", "|{{Noted}}{|", "<b {{#tag:nowiki|a}}>c</b>"])
def test_attributes_hold_no_results_of_tags(site, text):
    assert "\x7f" not in rendered(site, text)


_ADDED = (
    (r"</?section[^>]*>|<(?:link|meta)[^>]*PageProp[^>]*>|<!--.*?-->", ""),
    (r' (?:about|typeof|data-mw(?:-i18n)?|rel|id|href|resource|data-file-\w+)="[^"]*"', ""),
    (r' class="(?:mw-empty-elt|mw-selflink-fragment|internal)"', ""),
    # Parsoid adds no cell to a table without rows.
    (r"<table>\s*<tbody><tr><td></td></tr></tbody></table>", "<table></table>"),
    (r"</?span>|\s+|;(?=\")", ""),
    (r'(<aclass="externalautonumber">)\[\d+\]', r"\1"),
)


def bare(html):
    """HTML without all that Parsoid's form adds."""
    for pattern, kept in _ADDED:
        html = re.sub(pattern, kept, html)
    return re.sub(r"\s", "", unescape(html))


@pytest.mark.parametrize(("text", "_"), CASES)
def test_the_form_changes_nothing_else(site, text, _):
    if "<ref" in text:
        pytest.skip("footnotes have a form of their own")
    if text.startswith("[[#%3C"):
        pytest.skip("the target of an unclosed link is not decoded")
    if text in ("<b>\n* a\n</b>", "<small>\n*a\n*b</small>"):
        pytest.skip("parts of split elements that contain nothing are left out")
    if "<td>hello</td>\n<b>x</b>" in text:
        pytest.skip("content moved out of a table is put into paragraphs")
    assert bare(rendered(site, text)) == bare(rendered(site, text, _OPTIONS))
    if not set("|{}'") & set(text):
        inside = f"{{{{#if:x|{text}}}}}"
        assert bare(rendered(site, inside)) == bare(rendered(site, inside, _OPTIONS))


@pytest.mark.parametrize(
    ("tag", "number"), [("nowiki", "1"), ("pre", "2"), ("syntaxhighlight", "2")]
)
def test_calls_in_tags_that_never_expand_them_have_no_numbers(site, tag, number):
    html = rendered(site, f"<{tag}>{{{{box|a}}}}</{tag}>\n\n{{{{box|b}}}}")
    assert f'about="#mwt{number}" typeof="mw:Transclusion' in html
