"""Content that is moved out of tables, in Parsoid's form."""

from __future__ import annotations

import json

import pytest
from selectolax.lexbor import LexborHTMLParser

from wikiapi.wikitext.options import ParserOptions

pytestmark = pytest.mark.wiki({"Template:1x": "{{{1}}}"})
_OPTIONS = ParserOptions(limit_report=False, wrapper_class="", parsoid=True)


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("<table>a<tr><td>b</td></tr></table>", "<p>a</p>"),
        ("<table>a ''b''<div>c</div>d</table>", "<p>a <i>b</i></p><div>c</div><p>d</p>"),
        ("<table>{{1x|a}}</table>", '<p about="#mwt1" typeof="mw:Transclusion">a</p>'),
        (
            "<table>{{1x|<p>a</p><div>b</div>}}</table>",
            '<p about="#mwt1" typeof="mw:Transclusion">a</p><div about="#mwt1">b</div>',
        ),
        (
            "<table>{{1x|<td>a</td>}}</table>",
            "",
        ),
        ("<table><indicator name=x>a</indicator></table>", None),
    ],
)
def test_moved_content_is_before_the_table(rendered, text, html):
    before, table, _ = rendered(text).partition("<table")
    assert table
    if html is None:
        assert before == '<meta about="#mwt1" typeof="mw:Extension/indicator" />'
    else:
        assert before == html


def test_moved_content_is_a_paragraph_in_any_element(rendered):
    assert rendered("<div>\n{|\na\n|b\n|}\n</div>").startswith("<div>\n<p>\na\n</p><table>")


def test_a_table_from_a_call_is_left_as_it_is(rendered):
    assert rendered("<div>{{1x|<table>a</table>}}</div>").startswith(
        '<div><span about="#mwt1" typeof="mw:Transclusion">a</span><table about="#mwt1">'
    )


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("x\n{|\na {{1x|b}}\n|-\n|c\n|}\ny", ["{|\na ", "{{", "\n|-\n|c\n|}"]),
        ("{|\na {{1x|b}}\n|{{1x|c}}\n|}", ["{|\na ", "{{", "\n|", "{{", "\n|}"]),
        ("<table>{{1x|<div>a</div>}}<tr></tr></table>b", ["<table>", "{{", "<tr></tr></table>"]),
        ("<table>a<tr><td>{{1x|b}}</td></tr></table>", ["{{"]),
    ],
)
def test_text_from_a_call_joins_the_table_to_it(site, text, parts):
    html = site.parser.parse(text, site.titles.parse("Page"), _OPTIONS).html
    (node,) = LexborHTMLParser(html).css('[typeof="mw:Transclusion"]')
    data = json.loads(node.attributes["data-mw"])
    assert [part if isinstance(part, str) else "{{" for part in data["parts"]] == parts


def test_marks_for_the_attributes_of_the_table_remain_at_it(rendered):
    html = rendered('{| {{1x|1=class="x"}}\na\n|b\n|}')
    assert '<table class="x" about="#mwt2" typeof="mw:ExpandedAttrs">' in html
    assert html.startswith("<p>\na\n</p>")


def test_blanks_between_rows_of_a_call_are_removed(rendered):
    assert "</td><td" in rendered("<table><tr>{{1x|<td>a</td>\n<td>b</td>}}</tr></table>")


def test_blanks_between_items_of_a_call_are_elements(rendered):
    html = rendered("* {{1x|a\n* b}}")
    assert '</li><span about="#mwt1">\n</span><li about="#mwt1">' in html


@pytest.mark.parametrize(
    ("text", "html"),
    [
        (
            "{{1x|<div>a</div>b}}<noinclude>\nc</noinclude>",
            '<p about="#mwt1">b</p><meta typeof="mw:Includes/NoInclude" />',
        ),
        ("<div>a</div>b [[Category:X]]", '<p>b </p><link rel="mw:PageProp/Category"'),
        ("<div>a</div>b {{1x|c [[Category:X]]}}", 'Category:X" about="#mwt1" /></p>'),
    ],
)
def test_a_paragraph_ends_before_what_shows_nothing(rendered, text, html):
    assert html in rendered(text)


def test_a_call_without_result_within_shared_elements_is_an_empty_element(rendered):
    html = rendered("{{1x|<div>a</div>b}}{{1x|}}{{1x|c}}")
    assert html.endswith('<p about="#mwt1">b<span></span>c</p>')
