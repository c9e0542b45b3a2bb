"""Tidying: whatever the tags, the HTML is sound and says what it said."""

from __future__ import annotations

import re
from collections import Counter

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from selectolax.lexbor import LexborHTMLParser

from tests.cases import counts
from wikiapi.wikitext.html.allowed import FORMATTING
from wikiapi.wikitext.html.tidy import (
    MAX_DEPTH,
    MAX_FORMATTING,
    MAX_REOPENED,
    balanced,
    capped,
    nesting_of,
    tag_names,
    tidy,
)

_TAG = re.compile(r"<[^<>]*>")
NAMES = ("p", "b", "i", "small", "span", "div", "ul", "li", "blockquote", "td", "tr", "table")
PIECES = st.sampled_from(
    [f"<{slash}{name}>" for name in NAMES for slash in ("", "/")]
    + [
        '<meta property="mw:PageProp/toc" />',
        "<style>s</style>",
        "<br />",
        "a",
        "b ",
        "\n",
        "&amp;",
    ]
)


def words(html):
    """Return the letters of a text. Content is moved out of tables, so their order is ignored."""
    return Counter(re.sub(r"\s", "", _TAG.sub("", html)))


@pytest.mark.parametrize("count", counts(500))
def test_tags_are_sound_and_the_text_stays(count):
    @given(st.lists(PIECES, max_size=30).map("".join))
    @settings(max_examples=count, deadline=None)
    @example("<b>\n<ul><li>a</b></li></ul>")
    @example("<table>a<b><tr><td></b>b<blockquote>a<div>b</table>")
    @example("<blockquote><b><div>a<blockquote>b</b>")
    def run(html):
        mended = tidy(html)
        assert nesting_of(mended).is_sound
        assert words(mended) == words(html)
        assert "\x7f" not in mended
        assert "<!--" not in mended

    run()


@pytest.mark.parametrize("count", counts(300))
def test_text_stands_in_paragraphs(count):
    @given(st.lists(PIECES, max_size=20).map("".join).filter(lambda html: "<t" not in html))
    @settings(max_examples=count, deadline=None)
    def run(html):
        body = LexborHTMLParser(tidy(html)).body
        for base in (body, *body.css("blockquote")):
            assert not any(text.strip() for text in own_texts(base))

    run()


def own_texts(node):
    child = node.child
    while child is not None:
        if child.tag == "-text":
            yield child.text_content
        child = child.next


@pytest.mark.parametrize(
    ("html", "mended"),
    [
        ("", ""),
        ("a", "<p>a</p>"),
        (" \n", " \n"),
        ("a<div>b</div>c", "<p>a</p><div>b</div><p>c</p>"),
        ("<b>a<div>b</div></b>", "<p><b>a</b></p><b><div>b</div></b>"),
        ("<b id=x> <div>b</div></b>", '<b id="x"><div>b</div></b>'),
        (
            "<b><i>a<div>b</div>c</i></b>",
            "<p><b><i>a</i></b></p><b><i><div>b</div></i></b><p><b><i>c</i></b></p>",
        ),
        ("<span>a<div>b</div></span>c", "<span>a<div>b</div></span><p>c</p>"),
        ("<s></s>", "<p><s></s></p>"),
        ("a<style>x</style>b", "<p>a<style>x</style>b</p>"),
        ("<style>x</style><div></div>", "<style>x</style><div></div>"),
        (
            "<table>a<tr><td>b</td></tr></table>",
            "a<table><tbody><tr><td>b</td></tr></tbody></table>",
        ),
        ("<p></p><li> </li>", '<p class="mw-empty-elt"></p><li class="mw-empty-elt"> </li>'),
        ("a&nbsp;&#62;&quot;<br>", "<p>a&nbsp;&#62;&quot;<br /></p>"),
        (
            "<blockquote>a<blockquote>b</blockquote></blockquote>",
            "<blockquote><p>a</p><blockquote><p>b</p></blockquote></blockquote>",
        ),
    ],
)
def test_paragraphs(html, mended):
    assert tidy(html) == mended


def test_depth_is_capped():
    assert nesting_of(tidy("<div>" * 5000)).depth <= MAX_DEPTH
    assert nesting_of(tidy("<b>" * 5000 + "a")).formatting <= MAX_FORMATTING


TAGS = st.sampled_from(
    [f"<{slash}{name}>" for name in (*NAMES, "a", "font", "th", "dd", "ol") for slash in ("", "/")]
)


@pytest.mark.parametrize("count", counts(60))
def test_no_tag_out_of_turn_gets_round_the_cap(count):
    @given(st.lists(TAGS, min_size=1, max_size=8), st.lists(TAGS, max_size=4))
    @settings(max_examples=count, deadline=None)
    @example(["<b>", "</i>"], [])
    @example(["<b>", "<table>", "<tr>", "<td>", "</b>", "</table>"], [])
    @example(["<a>", "</a>", "<b>", "<dd>", "</dd>"], [])
    @example(["<table>", "<table>", "</table>", "<div>", "</table>"], [])
    @example(["<span>", "<div>", "</span>", "</div>"], [])
    @example(["<ul>", "<li>", "<ul>", "</li>"], [])
    @example(["<b>", *["<div>"] * 9, "</b>", *["</div>"] * 9], [])
    def run(repeated, others):
        tags = [*others, *repeated * (6000 // len(repeated)), *others]
        # With attributes of their own, elements are not taken for the same.
        html = "".join(tag if "/" in tag else f"{tag[:-1]} id={i}>" for i, tag in enumerate(tags))
        depth, formatting = _measured(LexborHTMLParser(tidy(f"{html}x")).body)
        assert formatting <= MAX_FORMATTING
        # Rows and bodies of tables may be added.
        assert depth <= 3 * MAX_DEPTH

    run()


def _measured(body):
    """Return how deeply elements are nested, and formatting elements among them."""
    deepest = formatting = 0
    pending = [(body, 0, 0)]
    while pending:
        node, depth, around = pending.pop()
        deepest, formatting = max(deepest, depth), max(formatting, around)
        child = node.child
        while child is not None:
            if not child.tag.startswith("-"):
                pending.append((child, depth + 1, around + (child.tag in FORMATTING)))
            child = child.next
    return deepest, formatting


@pytest.mark.parametrize(
    ("html", "kept"),
    [
        ("<b>" * 30 + "a" + "</b>" * 30, 24),
        ("<b><i>a</b></i>" * 30, 30),
        ("<div><b>a</div></b>" * 30, 30),
        ("<b><i>a</b>b</i></b>" * 30, 30),
        ("<table><tr><td><b>a</b></td></tr></table>" * 30, 30),
        ("<b><ul><li>a</li></ul></b>" * 30, 30),
        ("<p><b>a<div>b</div></b></p>" * 30, 30),
    ],
)
def test_usual_disorder_is_no_depth(html, kept):
    """Tags that overlap, as authors write them, are counted when they end."""
    nesting = nesting_of(html)
    assert nesting.is_capped == (kept < 30)
    assert capped(html).count("<b>") == kept


def test_formatting_is_not_opened_again_without_end():
    title = "a" * 20_000
    html = f'<b title="{title}">' + "<p>x</p>" * 2000 + "</b>"
    assert title not in tidy(html)
    assert title in tidy(f'<b title="{title}">' + "<p>x</p>" * 20 + "</b>")
    long = "".join(f'<b title="{title}"><p>x</p>' for _ in range(20)) + "<p>x</p>" * 2000
    assert len(tidy(long)) < 2 * MAX_REOPENED


def test_deep_quotations_are_each_written_once():
    assert tidy("<blockquote>" * 900 + "a").count("<blockquote>") == 900


@given(st.lists(st.sampled_from([*"<>/ab ", "<a>", "</a>", "<!--", "<B c>"])).map("".join))
def test_names_of_tags_are_those_of_complete_tags(html):
    names = re.findall(r"<(/?[A-Za-z][A-Za-z0-9:]*)[^<>]*>", html)
    tags = [name for name in tag_names(html) if name != "!--"]
    assert tags == [name.lower() for name in names]


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<b>a", "<b>a</b>"),
        ("a</b>", "a"),
        ("<div><b>a</div>c", "<div><b>a</div>c</b>"),
        ("<ul><li>a<li>b</ul>", "<ul><li>a<li>b</ul>"),
        ("a<br>b<hr />", "a<br>b<hr />"),
    ],
)
def test_a_part_is_balanced(html, expected):
    assert balanced(html) == expected
