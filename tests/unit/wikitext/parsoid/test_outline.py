"""The nodes of a document: read from its HTML, changed, and written again."""

from __future__ import annotations

import random

import pytest
from selectolax.lexbor import LexborHTMLParser

from wikiapi.budget import Allowance, Budget
from wikiapi.wikitext.parsoid.outline import COMMENT, REMOVED, TEXT, Outline, Range

_NAMES = {"-text": TEXT, "-comment": COMMENT}
_PIECES = (
    "<p>", "</p>", "<b>", "</b>", "<div class=x>", "</div>", "<table>", "<tr>", "<td>", "</table>",
    "<ul>", "<li>", "</ul>", "<br>", "<img src='a>b'>", "<link>", "<pre>\n\n", "</pre>", "text",
    "&nbsp;", "&lt;", "\n", "<!--mwb1-->", "<!-- a > b - <c> -->", "<!--->", "<style>a<b>c</style>",
    "<script>'<b>' < 1</script>", "<svg><path/></svg>", "<a title='x id=' id=y>", "</a>",
    "<span title='\"<&amp;'>", "</span>", "<textarea>\n<b></textarea>", "<style-x>", "</style-x>",
)  # fmt: skip


def outline_of(html: str) -> Outline:
    return Outline(LexborHTMLParser(f"<body>{html}</body>").body.inner_html, Budget(Allowance()))


@pytest.mark.parametrize("seed", range(60))
def test_the_nodes_are_those_of_an_html_parser(seed):
    pieces = random.Random(seed).choices(_PIECES, k=seed)
    body = LexborHTMLParser(f"<body>{''.join(pieces)}</body>").body
    # What is written and read again has no texts side by side.
    body = LexborHTMLParser(f"<body>{body.inner_html}</body>").body
    outline = Outline(body.inner_html, Budget(Allowance()))
    nodes = list(body.traverse(include_text=True))
    places = {node.mem_id: place for place, node in enumerate(nodes)}
    expected = [(_NAMES.get(node.tag, node.tag), places[node.parent.mem_id]) for node in nodes[1:]]
    raw = {"style", "script"}
    read = list(zip(outline.tags, outline.parents, strict=True))[1:]
    if not raw & set(outline.tags):
        assert read == expected
    else:
        # The texts of these elements are no nodes of their own.
        kept = [node.tag for node in nodes[1:] if node.parent.tag not in raw]
        assert [tag for tag, _ in read] == [_NAMES.get(tag, tag) for tag in kept]
    assert outline.html({}) == body.inner_html.replace("&nbsp;", "\xa0")


@pytest.mark.parametrize(
    ("value", "written"),
    [("x", "x"), ('a"b', "a&quot;b"), ("<b>&amp;", "&lt;b&gt;&amp;amp;"), ("é\xa0", "é\xa0")],
)
def test_attributes_are_read_as_they_were_set(value, written):
    outline = outline_of("<p title='x id='>a</p>")
    assert outline.attribute(1, "id") is None
    outline.set(1, {"id": value})
    assert outline.attribute(1, "id") == value
    assert outline.html({}) == f'<p title="x id=" id="{written}">a</p>'


def test_an_attribute_is_replaced_where_it_is():
    outline = outline_of("<p id=a class=b>c</p>")
    outline.set(1, {"id": "d"})
    assert outline.html({}) == '<p id="d" class="b">c</p>'


def test_texts_are_wrapped_and_comments_become_elements():
    outline = outline_of("a<!--b--><!--c--><style>d</style>")
    outline.wrap(1)
    outline.set(1, {"about": "x"})
    outline.add(2, "meta", 2)
    outline.set(2, {"about": "y"})
    outline.set(4, {"about": "z"})
    outline.remove_comments([2, 3])
    assert outline.tags[2:4] == ["meta", REMOVED]
    assert list(outline.blocks()) == [1, 2, 4]
    html = '<span about="x">a</span><meta about="y" /><style about="z">d</style>'
    assert outline.html({}) == html


def test_elements_are_added_before_elements_around_their_comments():
    outline = outline_of("<table><!--a--><!--b--></table>")
    for place in (2, 3):
        outline.add(place, "meta", 1)
        outline.set(place, {"about": str(place)})
    outline.remove_comments([2, 3])
    assert outline.html({1: "x"}) == '<meta about="2" /><meta about="3" /><table>x</table>'


def test_an_attribute_is_found_and_removed():
    outline = outline_of("<p a=b c=d>e</p><p c=d></p>")
    assert list(outline.places_with("a")) == [1]
    outline.unset(1, "a")
    assert outline.html({}) == '<p c="d">e</p><p c="d"></p>'


def test_tags_are_inserted_around_added_elements():
    outline = outline_of("<div><!--a-->b</div>")
    outline.add(2, "span", 2)
    outline.remove_comments([2])
    inserted = {outline.start(2): "<i>", outline.closing(1): "</i>"}
    assert outline.html(inserted) == "<div><i><span></span>b</i></div>"


@pytest.mark.parametrize(
    ("html", "first", "last", "expected"),
    [
        ("<p>a</p><p>b</p>", 2, 4, (1, 3)),
        ("<p>a<b>c</b></p>", 2, 4, (2, 3)),
        ("<div><p>a</p></div>", 1, 3, (1, 1)),
        ("<p>a</p>", 2, 2, (2, 2)),
    ],
)
def test_nodes_are_in_a_range_of_siblings(html, first, last, expected):
    assert outline_of(html).side_by_side(first, last) == Range(*expected)


@pytest.mark.parametrize("html", ["<", "</", "<!", "<!--", "a<", "<b", "</b>", "<style>", "<b a='"])
def test_html_that_no_parser_writes_is_kept(html):
    assert Outline(html, Budget(Allowance())).html({}) == html


@pytest.mark.parametrize(
    ("html", "is_sound"),
    [
        ('<p>a<br />b</p><table><tbody><tr><td><link rel="c" /></td></tr></tbody></table>', True),
        ("<p>a</b></p>", False),
        ("<p>a", False),
        ("<p>a<div>b</div></p>", False),
        ("<table><!--a--><tbody><tr></tr></tbody></table>", True),
        ('<table><tbody><link rel="a" /><tr></tr></tbody></table>', False),
        ("<p>a<b>b<hr />c</b></p>", False),
        ("<h2>a</h2><hr /><ul><li>b<dl><dd>c</dd></dl></li></ul>", True),
        ("<h2>a<h3>b</h3></h2>", False),
        ("<dl><dd>a<b><dd>b</dd></b></dd></dl>", False),
        ("<ruby>a<rt>b<rt>c</rt></rt></ruby>", False),
    ],
)
def test_html_that_a_parser_would_change_is_noticed(html, is_sound):
    assert Outline(html, Budget(Allowance())).is_sound == is_sound


def test_void_elements_and_brackets_are_written_as_a_parser_writes_them():
    outline = Outline('<p>a > b<br /><meta property="c" /></p>', Budget(Allowance()))
    outline.set(3, {"id": "d"})
    assert outline.html({}) == '<p>a &gt; b<br id="d" /><meta property="c" /></p>'
