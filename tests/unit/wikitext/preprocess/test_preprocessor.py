"""The preprocessor's properties, for every text: round trip, no failure, linear time."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wikiapi.wikitext.preprocess.nodes import (
    Argument,
    Comment,
    Extension,
    Heading,
    Ignored,
    Template,
)
from wikiapi.wikitext.preprocess.preprocessor import Preprocessor
from wikiapi.wikitext.preprocess.xml import tree_xml

PREPROCESSOR = Preprocessor(["nowiki", "pre", "ref"], 1 << 20)
PIECES = st.sampled_from(
    [
        "{",
        "{{",
        "{{{",
        "}",
        "}}",
        "}}}",
        "[",
        "[[",
        "]]",
        "-{",
        "}-",
        "|",
        "=",
        "==",
        "\n",
        " ",
        "<!--",
        "-->",
        "<nowiki>",
        "</nowiki>",
        "<nowiki/>",
        "<ref name=x>",
        "</ref>",
        "<pre",
        "<noinclude>",
        "</noinclude>",
        "<includeonly>",
        "</includeonly>",
        "<onlyinclude>",
        "</onlyinclude>",
        "a",
        "é",
        "\u2028",
        "<",
        ">",
        "/>",
        "'''",
        "\t",
    ]
)
WIKITEXT = st.lists(PIECES, max_size=60).map("".join)


def source(content):
    """The text a tree was made from."""
    out = []
    pending = list(reversed(content))
    while pending:
        node = pending.pop()
        match node:
            case str():
                out.append(node)
            case Comment() | Ignored():
                out.append(node.text)
            case Extension():
                out.append(node.source)
            case Heading():
                pending.extend(reversed(node.content))
            case Template() | Argument():
                opening, closing = ("{{", "}}") if isinstance(node, Template) else ("{{{", "}}}")
                parts = []
                for part in node.parts:
                    parts.append("|")
                    if part.name is not None:
                        parts += [*part.name, "="]
                    parts += part.value
                pending.extend(reversed([opening, *node.title, *parts, closing]))
    return "".join(out)


@given(WIKITEXT, st.booleans())
@settings(max_examples=400, deadline=None)
def test_round_trip(text, inclusion):
    assert source(PREPROCESSOR.tree(text, inclusion=inclusion)) == text


@given(st.text(max_size=80), st.booleans())
@settings(max_examples=200, deadline=None)
def test_any_text_is_wikitext(text, inclusion):
    assert source(PREPROCESSOR.tree(text, inclusion=inclusion)) == text


DEEP = 2000
HOSTILE = {
    "arguments": "{{{" * DEEP,
    "closed-arguments": "{{{" * DEEP + "}}}" * DEEP,
    "templates": "{{a|" * DEEP + "}}" * DEEP,
    "links": "[[" * 3000,
    "comments": "<!--" * 5000,
    "closed-comments": "<!-- a --> " * 5000 + "x",
    "nowiki": "<nowiki>" * 5000,
    "nowiki-without-end": "<nowiki " * 5000,
    "headings": "== a ==\n" * DEEP,
    "equals": "=" * 50000,
    "converters": "-{" * 5000 + "}-" * 5000,
    "mixed": "{{[[-{" * 3000 + "}}" * 3000,
    "headings-in-calls": "{{a|\n" * DEEP + "== b ==\n" * DEEP,
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_text_round_trips(name):
    text = HOSTILE[name]
    assert source(PREPROCESSOR.tree(text)) == text


CASES = {
    "template": (
        "{{a|b|c=d}}",
        (
            '<template><title>a</title><part><name index="1"/>'
            "<value>b</value></part><part><name>c</name><equals>=</equals>"
            "<value>d</value></part></template>"
        ),
    ),
    "argument": (
        "x{{{1|}}}",
        'x<tplarg><title>1</title><part><name index="1"/><value/></part></tplarg>',
    ),
    "five braces": (
        "x{{{{{a}}}}}",
        "x<template><title><tplarg><title>a</title></tplarg></title></template>",
    ),
    "unclosed": ("{{a|[[b}}", "{{a|[[b}}"),
    "surplus": ("{{{{a}}", "{{<template><title>a</title></template>"),
    "heading": ("== a ==", '<h level="2" i="1">== a ==</h>'),
    "heading with comment": (
        "== a == <!-- b -->",
        '<h level="2" i="1">== a == <comment>&lt;!-- b --&gt;</comment></h>',
    ),
    "uneven heading": ("=== a ==", '<h level="2" i="1">=== a ==</h>'),
    "only equals": ("=====", '<h level="2" i="1">=====</h>'),
    "comment alone on its line": ("a\n<!-- b -->\nc", "a\n<comment>&lt;!-- b --&gt;\n</comment>c"),
    "comment within a line": ("a <!-- b --> c", "a <comment>&lt;!-- b --&gt;</comment> c"),
    "tag": (
        '<ref name="a">b</ref>',
        (
            "<ext><name>ref</name><attr> name=&quot;a&quot;</attr>"
            "<inner>b</inner><close>&lt;/ref&gt;</close></ext>"
        ),
    ),
    "empty tag": ("<nowiki/>", "<ext><name>nowiki</name><attr/></ext>"),
    "unclosed tag": ("<nowiki>a", "&lt;nowiki&gt;a"),
    "unknown tag": ("<b>a</b>", "&lt;b&gt;a&lt;/b&gt;"),
    "braces in nowiki": (
        "<nowiki>{{</nowiki>}}",
        "<ext><name>nowiki</name><attr/><inner>{{</inner><close>&lt;/nowiki&gt;</close></ext>}}",
    ),
    "noinclude on its page": (
        "<noinclude>a</noinclude>",
        "<ignore>&lt;noinclude&gt;</ignore>a<ignore>&lt;/noinclude&gt;</ignore>",
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_tree(name):
    text, xml = CASES[name]
    assert tree_xml(PREPROCESSOR.tree(text)) == f"<root>{xml}</root>"


INCLUSION = {
    "a<noinclude>b</noinclude>c": "ac",
    "<includeonly>a</includeonly>b": "ab",
    "a<onlyinclude>b</onlyinclude>c<onlyinclude>d</onlyinclude>e": "bd",
    "a<onlyinclude>b": "a<onlyinclude>b",
    "a<noinclude>b": "a",
}


@pytest.mark.parametrize("text", INCLUSION)
def test_what_is_transcluded(text):
    tree = PREPROCESSOR.tree(text, inclusion=True)
    assert "".join(node for node in tree if isinstance(node, str)) == INCLUSION[text]


def test_a_text_is_read_once():
    preprocessor = Preprocessor([], 1 << 20)
    assert preprocessor.tree("{{a}}") is preprocessor.tree("{{a}}")


def test_the_cache_forgets_what_was_not_used():
    preprocessor = Preprocessor([], 1100)
    first = preprocessor.tree("{{a}}")
    preprocessor.tree("{{b}}")
    preprocessor.tree("{{c}}")
    assert preprocessor.tree("{{a}}") is not first


def test_names_of_calls():
    text = "{{ a }}{{b|{{c}}|x={{{1|{{d}}}}}}}\n== {{e}} ==\n{{f{{g}}}}"
    assert set(PREPROCESSOR.template_names(text)) == {"a", "b", "c", "d", "e", "g"}
