"""Footnotes in Parsoid's form: what marks and entries say of each other."""

from __future__ import annotations

import json

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


def tags(node):
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
    assert tags(document("a<ref>b</ref>\n<references />").css_first("ol")) == [
        ("li", "about=#cite_note-1", "id=cite_note-1", "data-mw-footnote-number=1"),
        ("span", "class=mw-cite-backlink"),
        ("a", "href=#cite_ref-1", "rel=mw:referencedBy"),
        ("span", "class=mw-linkback-text"),
        ("span", "class=mw-reference-text reference-text", "id=mw-reference-text-cite_note-1"),
    ]


def test_an_entry_used_more_than_once(document):
    text = "a<ref name=n>b</ref><ref name=n />\n<references />"
    entry = document(text).css_first("li")
    assert tags(entry)[:5] == [
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


def test_a_list_is_wrapped_unless_it_must_not_be_responsive(document):
    assert document("a<ref>b</ref>\n<references />").css_first("div.mw-references-wrap > ol")
    root = document("a<ref>b</ref>\n<references responsive=0 />")
    assert root.css_first("div.mw-references-wrap") is None
    assert root.css_first("ol").attributes["typeof"] == "mw:Extension/references"


def test_a_continued_footnote_of_another_page_is_one_of_its_own(document):
    root = document("a<ref follow=x>b</ref>\n<references />")
    assert root.css_first("ol .mw-reference-text").text() == " b"
    assert root.css_first("ol .mw-reference-text > span").attributes["typeof"] == "mw:Cite/Follow"
    assert description(root.css_first("sup")) == (
        "mw:Extension/ref mw:Error",
        {"id": "mw-reference-text-cite_note-1"},
        ["cite_error_references_missing_key"],
    )


def description(node):
    """What a mark or list says of itself: its types, its content and its problems."""
    data = json.loads(node.attributes["data-mw"])
    errors = [error["key"] for error in data.get("errors", ())]
    return node.attributes["typeof"], data.get("body"), errors


ERROR = "mw:Extension/ref mw:Error"
RIGHT = "mw:Extension/ref"


@pytest.mark.parametrize(
    ("text", "uses"),
    [
        ("<ref />", [(ERROR, None, ["cite_error_ref_no_key"])]),
        ("<ref> </ref>", [(ERROR, {"html": " "}, ["cite_error_ref_no_input"])]),
        ("<ref name=n />", [(ERROR, None, ["cite_error_references_no_text"])]),
        (
            "<ref name=n>a</ref><ref name=n>b</ref><ref name=n>a</ref>",
            [
                (RIGHT, {"id": "mw-reference-text-cite_note-n-1"}, []),
                (ERROR, {"html": "b"}, ["cite_error_references_duplicate_key"]),
                (RIGHT, {"id": "mw-reference-text-cite_note-n-1"}, []),
            ],
        ),
        (
            "<ref name=1 color=red>a</ref>",
            [
                (
                    ERROR,
                    {"id": "mw-reference-text-cite_note-1"},
                    ["cite_error_ref_too_many_keys", "cite_error_ref_numeric_key"],
                )
            ],
        ),
        (
            "<ref name=n>a</ref><ref name=n follow=m />",
            [
                (RIGHT, {"id": "mw-reference-text-cite_note-n-1"}, []),
                (ERROR, None, ["cite_error_ref_follow_conflicts"]),
            ],
        ),
    ],
)
def test_every_mark_tells_its_text_and_problems(document, text, uses):
    assert [description(node) for node in document(text).css("sup.mw-ref")] == uses


def test_an_entry_shows_each_problem_once(document):
    root = document("<ref name=n x=1>a</ref><ref name=n x=2 />\n<references />")
    (problem,) = root.css("li > span.mw-ext-cite-error")
    assert problem.attributes["typeof"] == "mw:I18n"
    message = json.loads(problem.attributes["data-mw-i18n"])["/"]
    assert message["params"][0]["text"]["params"] == ["x", "dir, follow, group, name"]


def test_a_continuation_has_a_mark_without_an_id(document):
    root = document("<ref name=n>a</ref><ref follow=n>b</ref>\n<references />")
    mark = root.css("sup.mw-ref")[1]
    assert mark.attributes["class"] == "mw-ref reference mw-ref-follow"
    assert not mark.attributes["id"].startswith("cite_ref")
    entry = root.css_first("li .mw-reference-text")
    assert entry.text() == "a b"
    assert entry.css_first("span[about]").attributes["about"] == mark.attributes["about"]
    assert len(root.css("li .mw-cite-backlink a")) == 1


def test_a_list_tells_what_it_defines(document):
    text = (
        "é<ref name=n />\n<references group=''>\n<ref name=n>''b''</ref><ref>c</ref></references>"
    )
    root = document(text)
    html = json.loads(root.css_first(".mw-references-wrap").attributes["data-mw"])["body"]["html"]
    first, second = LexborHTMLParser(html).body.css("sup")
    assert description(first) == (RIGHT, {"id": "mw-reference-text-cite_note-n-1"}, [])
    assert description(second)[2] == ["cite_error_references_no_key"]
    start, end, opening, closing = json.loads(first.attributes["data-parsoid"])["dsr"]
    assert text.encode()[start:end].decode() == "<ref name=n>''b''</ref>"
    assert (opening, closing) == (len("<ref name=n>"), len("</ref>"))
    assert first.css_first("a").attributes["href"] == "./Page#cite_note-n-1"
    assert [node.text() for node in root.css("li .mw-reference-text")] == ["b", "c"]


@pytest.mark.parametrize("content", ["", "\n", "a ''b''"])
def test_content_of_a_list_without_footnotes_is_left_out(document, content):
    wrap = document(f"<references>{content}</references>").css_first(".mw-references-wrap")
    assert json.loads(wrap.attributes["data-mw"])["body"] == {"html": ""}


def test_footnotes_in_a_called_list_are_defined_there(document):
    root = document("<ref name=n />{{#tag:references|<ref name=n>a</ref>}}")
    wrap = root.css_first(".mw-references-wrap")
    assert wrap.attributes["typeof"] == "mw:Extension/references mw:Transclusion"
    assert json.loads(wrap.attributes["data-mw"])["body"] == {"extsrc": "<ref name=n>a</ref>"}
    assert len(root.css("sup.mw-ref")) == 1
    assert [node.text() for node in root.css("li .mw-reference-text")] == ["a"]


def test_lists_that_the_page_does_not_have(document):
    lists = document("<ref group=g>a</ref><ref>b</ref>").css(".mw-references-wrap")
    assert [json.loads(node.attributes["data-mw"])["attrs"] for node in lists] == [
        {"group": "g"},
        {},
    ]
    assert [description(node)[2] for node in lists] == [
        ["cite_error_group_refs_without_references"],
        [],
    ]
    assert lists[0].css_first("ol + span.mw-ext-cite-error")


def test_an_empty_list(document):
    assert document("<references />").css_first(".mw-references-wrap > ol").child is None


def test_an_element_that_is_not_closed_ends_with_the_text(document):
    body = document("a<ref><b>b</ref>c\n<references />")
    assert [node.text() for node in body.css("b")] == ["b"]
    assert body.css_first(".reference-text").text() == "b"


def test_a_text_that_continues_another_is_marked_in_a_list_too(document):
    text = '<references><ref name="a" follow="b">c</ref></references>'
    assert [node.text() for node in document(text).css('[typeof="mw:Cite/Follow"]')] == [" c"]


def test_an_entry_shows_no_problem_of_a_continuation(document):
    text = '<ref name="a">b</ref><ref follow="a" color="red">c</ref>\n<references />'
    assert document(text).css("li .error") == []
