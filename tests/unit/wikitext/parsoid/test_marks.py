"""Marks: peeling them off lines, and moving them out of what a stage reads as one word."""

from __future__ import annotations

import re

import pytest

from wikiapi.budget import Allowance, Budget
from wikiapi.config import LimitsConfig
from wikiapi.wikitext.expand.strip import StripState
from wikiapi.wikitext.limits import Usage
from wikiapi.wikitext.parsoid.clearing import clear_cells, clear_tags, clear_targets
from wikiapi.wikitext.parsoid.marks import MARK, around_marks, marks_in, split_marks, without_marks
from wikiapi.wikitext.parsoid.sources import Sources, TagSource


@pytest.fixture
def sources():
    sources = Sources(StripState(Usage(LimitsConfig()), Budget(Allowance())))
    for _ in range(10):
        sources.add(TagSource("x", {}, None), None, sources.next_serial())
    return sources


def marked(text, sources):
    """Wikitext with marks in place of their short forms, such as ``(b1)``."""
    return re.sub(r"\(([a-z])([0-9])\)", lambda match: sources.mark(match[1], int(match[2])), text)


def short(text):
    """The opposite of :func:`marked`."""

    def abbreviated(match):
        (mark,) = marks_in(match[0])
        return f"({mark.kind}{mark.number})"

    return MARK.sub(abbreviated, text)


@pytest.mark.parametrize(
    ("line", "parts"),
    [
        ("* a", ("", "* a", "")),
        ("(b1)* a(e1)", ("(b1)", "* a", "(e1)")),
        (" (b1)(e1) a", ("(b1)(e1)", "  a", "")),
        ("== a == (n1) (n2)", ("", "== a ==  ", "(n1)(n2)")),
        (" (b1) (e1) ", ("(b1)(e1)", "   ", "")),
        ("a (b1)b(e1) c", ("", "a (b1)b(e1) c", "")),
    ],
)
def test_marks_are_peeled_off_a_line(sources, line, parts):
    assert tuple(map(short, split_marks(marked(line, sources)))) == parts


def test_a_line_is_changed_between_its_marks(sources):
    line = marked("(b1)a(e1)", sources)
    assert short(around_marks(str.upper, line)(line)) == "(b1)A(e1)"
    assert around_marks(str.upper, "a") is str.upper


def test_text_without_marks(sources):
    assert without_marks(marked("a(b1)b<!--mwe1-->", sources)) == "ab"


@pytest.mark.parametrize(
    ("change", "text", "expected"),
    [
        (clear_tags, '<b class="x (b1)y(e1)">', '(a1)<b class="x y">'),
        (clear_tags, "<b (b1)x>(e1)", "(b1)<b x>(e1)"),
        (clear_tags, "(b1)<b (e1)x>", "(b1)<b x>(e1)"),
        (clear_tags, "<(b1)b>(e1)", "(b1)<b>(e1)"),
        (clear_targets, "[[(b1)A(e1)|(b2)b(e2)]]", "(a1)[[A|(b2)b(e2)]]"),
        (clear_targets, "(b1)[[A(e1)b]]c d", "(b1)[[Ab]]c(e1) d"),
        (clear_targets, "[[(b1){{{x}}}(e1)|b]]", "[[(b1){{{x}}}(e1)|b]]"),
        (clear_targets, "[http://a/(b1)b(e1) c]", "(a1)[http://a/b c]"),
        (clear_targets, "(b1)http://a/b(e1) c", "(b1)http://a/b(e1) c"),
        (clear_cells, "{| (b1)x(e1)", "(a1){| x"),
        (clear_cells, "{|\n|- (b1)x(e1)", "{|\n(a1)|- x"),
        (clear_cells, "(b1){|\n|-(e1)", "(b1){|\n|-(e1)"),
        (clear_cells, "{|\n|(b1)x | a(e1) b", "{|\n|x |(c1) a(e1) b"),
        (clear_cells, "{|\n| (b1)x(e1) | a", "{|\n| x |(p1) a"),
        (clear_cells, "{|\n|(b1)| a(e1)", "{|\n(b1)|| a(e1)"),
        (clear_cells, "{|\n| a || x=(b1)y(e1) | b", "{|\n| a || x=y |(p1) b"),
    ],
)
def test_marks_are_moved_out_of_words(sources, change, text, expected):
    assert short(change(marked(text, sources), sources)) == expected


@pytest.mark.parametrize(
    ("text", "name", "written_name", "value"),
    [
        ('<b class="a (b1)c(e1)">', "class", None, "a c"),
        ("<b class=(b1)c(e1)>", "class", None, "c"),
        ("<b id=\"x\" class = '(b1)c(e1)'>", "class", None, "c"),
        ('<b id="x" (b1)y(e1)>', "y", "y", ""),
        ('<b (b1)y="z" w=1(e1) v=2>', "y", 'y="z" w=1', ""),
        ('<b da(b1)ta-(e1)y="z">', "data-y", "data-y", "z"),
        ("<b (b1)(e1) x=1>", "", "", ""),
        ("<b (b1)x(e1)(b2)y(e2)=1>", "xy", "xy", "1"),
    ],
)
def test_the_attribute_that_a_call_makes_is_noted(sources, text, name, written_name, value):
    clear_tags(marked(text, sources), sources)
    (attribute,) = sources.attributes(1)
    assert (attribute.name, attribute.value.text) == (name, value)
    assert (attribute.written_name and attribute.written_name.text) == written_name
