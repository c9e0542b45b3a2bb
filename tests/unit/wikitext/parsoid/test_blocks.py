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


_END = '<meta typeof="mw:Includes/NoInclude/End" />'


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
        ("a\n\n<!--c-->\n\n[[Category:X]]", "<p>a</p>\n\n<!--c-->\n<link />"),
        ("* a\n\n</noinclude> <!--c-->", f"<ul><li>a</li></ul>\n\n{_END} <!--c-->"),
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
        ("<div>\n*a</div>b", "<div>\n<ul><li>a</li></ul></div><p>b</p>"),
        (
            "<div>\n*a</div><div>\n*b</div>",
            "<div>\n<ul><li>a</li></ul></div><div>\n<ul><li>b</li></ul></div>",
        ),
        ("*a</p>b", '<ul><li>a</li></ul><p class="mw-empty-elt"></p><p>b</p>'),
        ("*a<div>b</div>c", "<ul><li>a<div>b</div>c</li></ul>"),
        ("*a</span>b", "<ul><li>ab</li></ul>"),
    ],
)
def test_a_tag_that_closes_a_block_around_a_list_ends_it(site, text, html):
    assert rendered(site, text) == f'<section data-mw-section-id="0">{html}</section>'


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("<div />a", "<div></div><p>a</p>"),
        ("<font/>a", "<p><font></font>a</p>"),
        ("a<br/>b", "<p>a<br />b</p>"),
    ],
)
def test_an_empty_tag_closes_its_element(site, text, html):
    assert rendered(site, text) == f'<section data-mw-section-id="0">{html}</section>'


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("<div></div><b>A\nB</b>", "<div></div><p><b>A\n</b></p><p><b>B</b></p>"),
    ],
)
def test_formatting_that_is_split(site, text, html):
    assert rendered(site, text) == f'{_SECTION}0">{html}</section>'


def test_formatting_around_a_picture_is_in_its_empty_caption(site):
    assert "<figcaption><i></i></figcaption>" in rendered(site, "<p>''[[File:A.jpg|thumb]]''</p>")


@pytest.mark.parametrize("heading", ["= =", "=<!--c-->="])
def test_a_heading_without_content_is_bare(site, heading):
    html = re.sub("<!--.*?-->", "", rendered(site, f"{heading}\nb\n{heading}"))
    assert (
        html
        == f'{_LEAD}{_SECTION}1"><h1></h1>\n<p>b</p>\n</section>{_SECTION}2"><h1></h1></section>'
    )


def test_an_empty_element_before_the_text_of_a_heading_is_that_of_the_page(site):
    assert "<h2><span></span>A</h2>" in rendered(site, '== <span id="x"></span>A ==')


def test_a_line_break_between_categories_of_a_call_is_left_out(site):
    html = rendered(site, "{{1x|a\n[[Category:X]]\n[[Category:Y]]}}")
    assert html.endswith("</span><link /><link /></p></section>")


def test_a_link_that_is_not_closed_keeps_its_target(site):
    assert rendered(site, "[[#%3Ca%3E|") == f'{_SECTION}0"><p>[[#%3Ca%3E|</p></section>'


def test_the_name_of_a_missing_file_has_no_formatting(site):
    assert "File:A''b''.jpg</span>" in rendered(site, "[[File:A''b''.jpg]]")


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
