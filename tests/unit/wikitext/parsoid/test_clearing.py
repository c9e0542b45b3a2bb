"""Calls in tables, links and tags, in Parsoid's HTML."""

from __future__ import annotations

import re

import pytest

from wikiapi.wikitext.options import ParserOptions

pytestmark = pytest.mark.wiki({"Template:1x": "{{{1}}}", "Foo": "x"})
_OPTIONS = ParserOptions(limit_report=False, wrapper_class="", parsoid=True)
_ATTRIBUTES = re.compile(r' (?:id="mw[^"]*"|about="[^"]*"|data-mw="[^"]*"|data-mw-section-id="0")')
_SPAN = '<span typeof="mw:Transclusion">'


@pytest.fixture
def rendered(site):
    def render(text):
        html = site.parser.parse(text, site.titles.parse("Page"), _OPTIONS).html
        return _ATTRIBUTES.sub("", html).removeprefix("<section>").removesuffix("</section>")

    return render


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("[[{{1x|Foo{{!}}b}}]]", f"<p>[[{_SPAN}Foo|b</span>]]</p>"),
        ("* [[{{1x|Foo{{!}}b}} c]]", f"<ul><li>[[{_SPAN}Foo|b</span> c]]</li></ul>"),
    ],
)
def test_a_call_does_not_make_target_and_label_of_a_link(rendered, text, html):
    assert rendered(text) == html


@pytest.mark.parametrize("text", ["[[Foo{{!}}b]]", "[[{{1x|Foo}}|b]]"])
def test_other_calls_in_links_are_part_of_them(rendered, text):
    assert ">b</a>" in rendered(text)


def test_bars_outside_of_tables_end_no_attributes(rendered):
    html = rendered("| a {{1x|b}} | c {}\n{|\n|d\n|}")
    assert html.startswith(f"<p>| a {_SPAN}b</span> | c {{}}</p>\n")


@pytest.mark.parametrize(
    ("text", "cells"),
    [("![[Foo|a!!]]", 1), ("!a!!b", 2), ("![[Foo|a!!b]]!!c", 2), ("![[a!!b", 2)],
)
def test_exclamation_marks_in_links_separate_no_cells(rendered, text, cells):
    assert rendered(f"{{|\n{text}\n|}}").count("<th>") == cells
