"""The preprocessor's properties, for every text: round trip, no failure, linear time."""

from __future__ import annotations

import itertools
import json
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wikiapi.budget import Allowance, Budgets
from wikiapi.errors import BudgetExceeded, DeadlineExceeded
from wikiapi.wikitext.pagecache import footprint
from wikiapi.wikitext.preprocess.nodes import (
    Argument,
    Comment,
    Extension,
    Heading,
    Ignored,
    Part,
    Template,
)
from wikiapi.wikitext.preprocess.preprocessor import Preprocessor
from wikiapi.wikitext.preprocess.xml import tree_xml

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


@pytest.fixture(scope="module")
def preprocessor():
    return Preprocessor(["nowiki", "pre", "ref"], 1 << 20)


def source(content):
    """The text a tree was made from."""
    out = []
    pending = list(reversed(content))
    while pending:
        node = pending.pop()
        match node:
            case str():
                assert node, "an empty text is no node"
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
def test_round_trip(preprocessor, text, inclusion):
    assert source(preprocessor.tree(text, inclusion=inclusion)) == text


@given(st.text(max_size=80), st.booleans())
@settings(max_examples=200, deadline=None)
def test_any_text_is_wikitext(preprocessor, text, inclusion):
    assert source(preprocessor.tree(text, inclusion=inclusion)) == text


@given(
    st.lists(st.sampled_from(["a", "|", "=", "\nb", " ", "[a", "[[x|y]]"]), max_size=12).map(
        "".join
    ),
    st.sampled_from([("{{", "}}"), ("{{{", "}}}")]),
    st.sampled_from(["", "\n", "x"]),
)
@settings(max_examples=400, deadline=None)
def test_a_call_with_text_alone_is_like_any_other(preprocessor, text, braces, before):
    """The parser reads it as one token; a comment at its end is a token of its own."""
    opening, closing = braces
    flat = preprocessor.tree(f"{before}{opening}{text}{closing}")
    other = preprocessor.tree(f"{before}{opening}{text}<!---->{closing}")
    assert repr(flat) == repr(without_comments(other))


def without_comments(content):
    """Return a tree without comments."""
    return tuple(
        replace(
            node,
            title=without_comments(node.title),
            parts=tuple(
                Part(part.name and without_comments(part.name), without_comments(part.value))
                for part in node.parts
            ),
        )
        if isinstance(node, Template | Argument)
        else node
        for node in content
        if not isinstance(node, Comment)
    )


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
    "calls-with-text": "{{a|b=c}}" * DEEP,
    "calls-in-a-call": "{{a|" + "{{b}}" * DEEP + "}}",
    "headings-in-calls": "{{a|\n" * DEEP + "== b ==\n" * DEEP,
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_text_round_trips(name, preprocessor):
    text = HOSTILE[name]
    assert source(preprocessor.tree(text)) == text


TREES = json.loads(Path(__file__).with_name("trees.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", TREES["page"])
def test_tree_of_a_page(name, preprocessor):
    text, xml = TREES["page"][name]
    tree = preprocessor.tree(text)
    assert tree_xml(tree) == f"<root>{xml}</root>"
    assert source(tree) == text


@pytest.mark.parametrize("name", TREES["transcluded"])
def test_tree_of_what_is_transcluded(name, preprocessor):
    text, xml = TREES["transcluded"][name]
    tree = preprocessor.tree(text, inclusion=True)
    assert tree_xml(tree) == f"<root>{xml}</root>"
    assert source(tree) == text


def test_where_headings_begin(preprocessor):
    text = "é\n== a ==\n{{b|\n=== c ===}}\n<nowiki>\n== d ==</nowiki>\n==== e ===="
    headings = [node for node in preprocessor.tree(text) if isinstance(node, Heading)]
    assert [(node.level, text[node.offset :].split()[1]) for node in headings] == [
        (2, "a"),
        (4, "e"),
    ]


def test_headings_in_calls_are_not_certain(preprocessor):
    call, _, heading = preprocessor.tree("{{a|\n== b ==\n}}\n== c ==")
    _, possible, _ = call.parts[0].value
    assert [node.certain for node in (possible, heading)] == [False, True]


def test_tags_have_the_given_names():
    text = "<a.b/><C/><acb/><d/><noinclude>x</noinclude>"
    preprocessor = Preprocessor(["c", "a.b"], 1 << 20)
    page, included = (preprocessor.tree(text, inclusion=inclusion) for inclusion in (False, True))
    for tree in (page, included):
        assert [node.name for node in tree if isinstance(node, Extension)] == ["a.b", "C"]
    ignored = [
        [node.text for node in tree if isinstance(node, Ignored)] for tree in (page, included)
    ]
    assert ignored == [["<noinclude>", "</noinclude>"], ["<noinclude>x</noinclude>"]]


def test_include_tags_need_no_extension_tags():
    tag, text = Preprocessor([], 1 << 20).tree("<noinclude/>< a>b</>")
    assert isinstance(tag, Ignored)
    assert text == "< a>b</>"


def test_what_begins_a_line(preprocessor):
    text = "a{{b}}{{{c}}}\n{{d}}\n{{{e}}}"
    calls = [node for node in preprocessor.tree(text) if isinstance(node, Template | Argument)]
    assert [call.at_line_start for call in calls] == [False, False, True, True]


@pytest.mark.parametrize(("opening", "method"), [("<ref ", "find"), ("<ref>", "search")])
def test_a_search_that_fails_is_not_repeated(opening, method, preprocessor):
    assert calls_of(method, preprocessor.tree, opening * 50) == calls_of(
        method, preprocessor.tree, opening
    )


def calls_of(method, function, *args):
    """How often a function calls a method that is written in C."""
    called = []

    def note(_frame, event, called_function):
        if event == "c_call":
            called.append(called_function.__name__)

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        function(*args)
    finally:
        sys.setprofile(before)
    assert method in called
    return called.count(method)


def test_a_text_is_read_once():
    preprocessor = Preprocessor([], 1 << 20)
    assert preprocessor.tree("{{a}}") is preprocessor.tree("{{a}}")


def test_the_cache_forgets_what_was_not_used():
    preprocessor = Preprocessor([], 1100)
    first = preprocessor.tree("{{a}}")
    preprocessor.tree("{{b}}")
    preprocessor.tree("{{c}}")
    assert preprocessor.tree("{{a}}") is not first


@pytest.mark.parametrize(
    "text",
    [
        "{{a}}" * 1000,
        "{{a|" + "|" * 1000 + "}}",
        "{{a" + "|b=c" * 1000 + "}}",
        "{{{a|}}}" * 1000,
        "<nowiki>a</nowiki>" * 1000,
        "<!--a-->" * 1000,
        "== a ==\n" * 1000,
        "{{a|" * 100 + "}}" * 100,
        "{{a|" + "text and more of it " * 1000 + "}}",
    ],
)
def test_the_size_of_a_tree_is_about_what_it_takes_in_memory(preprocessor, text):
    tree = preprocessor.read(text)
    assert 0.8 < tree.size / footprint((text, tree.content)) < 3.3


def test_a_text_without_markup_takes_no_more_memory(preprocessor):
    assert preprocessor.read("text " * 1000).size == 0


def test_reading_a_text_takes_steps_and_memory_that_is_given_back():
    budgets = Budgets()
    preprocessor = Preprocessor([], 0, budgets)
    text = "{{a|b}}" * 5000
    with budgets.begin(Allowance(steps=100_000, kept_bytes=10_000_000)) as budget:
        for _ in range(3):
            preprocessor.tree(text)
        assert 5000 < (1 - budget.shares_left()["steps"]) * 100_000 < 50_000
        assert budget.shares_left()["bytes"] == 1


@pytest.mark.parametrize(
    "allowance", [Allowance(steps=500), Allowance(kept_bytes=500_000)], ids=["steps", "bytes"]
)
def test_reading_a_text_ends_when_the_budget_does(allowance):
    budgets = Budgets()
    preprocessor = Preprocessor([], 1 << 20, budgets)
    with budgets.begin(allowance):
        preprocessor.tree("{{a|b}}" * 100)
        with pytest.raises(BudgetExceeded):
            preprocessor.tree("{{a|b}}" * 5000)


def test_parsing_a_long_text_ends_when_the_time_is_up():
    budgets = Budgets(itertools.count().__next__)
    with budgets.begin(Allowance(seconds=30)), pytest.raises(DeadlineExceeded):
        Preprocessor([], 1 << 20, budgets).tree("{{a|b}}" * 10_000)


def test_names_of_calls(preprocessor):
    text = "{{ a }}{{b|{{c}}|x={{{1|{{d}}}}}}}\n== {{e}} ==\n{{f{{g}}}}"
    names = preprocessor.template_names(text, inclusion=False)
    assert set(names) == {"a", "b", "c", "d", "e", "g"}


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("{{a}}{{b}}{{a}}", ("a", "b")),
        ("{{a <!-- b --> }}", ("a",)),
        ("{{ <!-- b -->}}", ()),
        ("{{a{{{1}}}}}", ()),
        ("{{\na\t\r}}", ("a",)),
        ("{{\xa0a}}", ("\xa0a",)),
        ("{{a|{{b}}={{c}}}}", ("a", "b", "c")),
        ("{{a|b={{c}}}}", ("a", "c")),
        ("{{{a|{{b}}}}}", ("b",)),
        ("a", ()),
        ("", ()),
    ],
)
def test_each_name_of_a_call_once(text, names, preprocessor):
    templates = preprocessor.template_names(text, inclusion=False)
    assert tuple(sorted(templates)) == names


def test_names_of_calls_on_a_page_and_where_it_is_transcluded(preprocessor):
    text = "<includeonly>{{a}}</includeonly>{{b}}<noinclude>{{c}}</noinclude>"
    assert preprocessor.template_names(text, inclusion=False) == ("b", "c")
    assert preprocessor.template_names(text, inclusion=True) == ("a", "b")
