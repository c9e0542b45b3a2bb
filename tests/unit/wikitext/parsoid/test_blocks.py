"""Paragraphs, lists, tables and sections in Parsoid's form."""

from __future__ import annotations

import re

import pytest

from wikiapi.wikitext.options import ParserOptions

pytestmark = pytest.mark.wiki({"Template:1x": "{{{1}}}"})
_OPTIONS = ParserOptions(limit_report=False, wrapper_class="", parsoid=True, edit_sections=False)
_SECTION = '<section data-mw-section-id="'
_LEAD = f'{_SECTION}0"></section>'
_HEADING = '<div class="mw-heading mw-heading'
_LEFT_OUT = re.compile(r'\s(?:id|rel|href|about|data-mw)="[^"]*"')


def rendered(site, text):
    html = site.parser.parse(text, site.titles.parse("Page"), _OPTIONS).html
    return _LEFT_OUT.sub("", html)


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("a\n\n\nb", "<p>a</p>\n<p>\n<br />\nb</p>"),
        ("a\n\n\n[[Category:X]]", "<p>a</p>\n\n\n<link />"),
        ("a\n\n\n<!--c-->\n[[Category:X]]", "<p>a</p>\n<p>\n<br />\n<!--c--></p><link />"),
        (
            "* a\n\n\n<!--c-->\n[[Category:X]]",
            "<ul><li>a</li></ul>\n<p>\n<br />\n<!--c--></p><link />",
        ),
        ("<!--c--> a", "<!--c--><pre>a</pre>"),
        ("[[Category:X]] a", "<link /><p> a</p>"),
        (" a ?", "<pre>a ?</pre>"),
        ("a ?", '<p>a<span typeof="mw:DisplaySpace">\xa0</span>?</p>'),
        (
            "{|\n|-\n|}",
            '<table>\n<tbody class="mw-empty-elt"><tr class="mw-empty-elt">\n</tr></tbody></table>',
        ),
        (
            "{|\n|-\n<td>a</td>\n|}",
            "<table>\n<tbody><tr>\n<td>a</td>\n</tr></tbody></table>",
        ),
    ],
)
def test_blocks(site, text, html):
    assert rendered(site, text) == f'<section data-mw-section-id="0">{html}</section>'


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("\n* a", '<span typeof="mw:Transclusion">\n</span><ul><li>a</li></ul>'),
        ("\n<div>a</div>", '<div typeof="mw:Transclusion">a</div>'),
        ("a ", '<p><span typeof="mw:Transclusion">a </span></p>'),
        ("<nowiki>&lt;</nowiki>", '<p><span typeof="mw:Nowiki mw:Transclusion">&lt;</span></p>'),
    ],
)
def test_blanks_at_the_ends_of_a_call(site, text, html):
    call = f"{{{{1x|{text}}}}}"
    assert rendered(site, call) == f'<section data-mw-section-id="0">{html}</section>'


@pytest.mark.parametrize(
    ("text", "html"),
    [
        (
            "== A ==\n\n\nb",
            f'{_LEAD}{_SECTION}1">{_HEADING}2"><h2>A</h2></div>\n<p>\n<br />\nb</p></section>',
        ),
        (
            "{{1x|\n== A ==\nb\n}}",
            (
                f'{_LEAD}{_SECTION}-1"><span typeof="mw:Transclusion">\n</span>{_HEADING}2">'
                "<h2>A</h2></div><span>\n</span><p>b</p><span>\n</span></section>"
            ),
        ),
        (
            "=== A ===\n{|\n|\n== B ==\n|}",
            (
                f'{_LEAD}{_SECTION}1">{_HEADING}3"><h3>A</h3></div>\n<table>\n<tbody><tr>\n<td>\n'
                f'{_SECTION}-1">{_HEADING}2"><h2>B</h2></div>\n'
                "</section></td></tr></tbody></table></section>"
            ),
        ),
    ],
)
def test_sections_with_blanks_and_tables(site, text, html):
    assert rendered(site, text) == html


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("{|\n|-\n{{1x|1={{!}}a}}\n|}", '<tr>\n<td typeof="mw:Transclusion">a\n</td></tr>'),
        (
            "{|\n|-\n{{1x|1={{!}}-\n{{!}}a}}\n|}",
            '<tr class="mw-empty-elt">\n</tr><tr typeof="mw:Transclusion">\n<td>a\n</td></tr>',
        ),
        (
            "{|\n|-\n|-\n|a\n|}",
            '<tr class="mw-empty-elt">\n</tr><tr>\n<td>a\n</td></tr>',
        ),
    ],
)
def test_rows_begin_where_the_text_begins_them(site, text, html):
    assert rendered(site, text) == f"{_LEAD[:-10]}<table>\n<tbody>{html}</tbody></table></section>"


@pytest.mark.parametrize(
    "text", ["{|\n{{1x|1={{!}}-\n{{!}}a}}\n|}", "<table>{{1x|<tr><td>a</td></tr>}}</table>"]
)
def test_a_call_that_begins_before_all_rows_has_made_them(site, text):
    assert '<tbody typeof="mw:Transclusion"><tr>' in rendered(site, text)
