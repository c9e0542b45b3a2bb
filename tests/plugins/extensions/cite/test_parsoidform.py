"""Footnotes in Parsoid's form: what marks and entries say of each other."""

from __future__ import annotations

import pytest
from selectolax.lexbor import LexborHTMLParser

from wikiapi.wikitext import ParserOptions

OPTIONS = ParserOptions(limit_report=False, parsoid=True)


pytestmark = pytest.mark.wiki()


@pytest.fixture
def document(site):
    def rendered(text):
        html = site.parser.parse(text, site.titles.parse("Page"), OPTIONS).html
        return LexborHTMLParser(html).body

    return rendered


def shown(node):
    """The tags of a node's content, with the attributes that say something."""
    kept = ("about", "class", "href", "id", "rel", "data-mw-group", "data-mw-footnote-number")
    return [
        (child.tag, *(f"{name}={child.attributes[name]}" for name in kept if _says(child, name)))
        for child in node.css("*")
        if child.mem_id != node.mem_id
    ]


def _says(node, name):
    value = node.attributes.get(name)
    return bool(value) and not (name == "id" and value.startswith("mw") and "-" not in value)


def test_an_entry_used_once(document):
    assert shown(document("a<ref>b</ref>\n<references />").css_first("ol")) == [
        ("li", "about=#cite_note-1", "id=cite_note-1", "data-mw-footnote-number=1"),
        ("span", "class=mw-cite-backlink"),
        ("a", "href=#cite_ref-1", "rel=mw:referencedBy"),
        ("span", "class=mw-linkback-text"),
        ("span", "class=mw-reference-text reference-text", "id=mw-reference-text-cite_note-1"),
    ]


def test_an_entry_used_more_than_once(document):
    text = "a<ref name=n>b</ref><ref name=n />\n<references />"
    entry = document(text).css_first("li")
    assert shown(entry)[:5] == [
        ("span", "class=mw-cite-backlink", "rel=mw:referencedBy"),
        ("a", "href=#cite_ref-n_1-0"),
        ("span", "class=mw-linkback-text"),
        ("a", "href=#cite_ref-n_1-1"),
        ("span", "class=mw-linkback-text"),
    ]
    assert entry.text().split() == ["1", "2", "b"]


def test_a_mark_tells_its_group(document):
    root = document("a<ref group=g>b</ref>\n<references group=g />")
    assert root.css_first("sup.mw-ref a").attributes["data-mw-group"] == "g"
    assert root.css_first("sup.mw-ref a").text() == "[g 1]"
    assert root.css_first("ol").attributes["class"] == "mw-references references"


def test_a_list_is_wrapped_in_any_case(document):
    root = document("a<ref>b</ref>\n<references responsive=0 />")
    assert root.css_first("div.mw-references-wrap > ol")


def test_a_continued_footnote_of_another_page_has_no_number(document):
    root = document("a<ref follow=x>b</ref>\n<references />")
    assert root.css_first("ol .mw-reference-text").text() == "b"
