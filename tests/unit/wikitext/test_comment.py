"""Summaries; the cases are what MediaWiki 1.45 makes of such texts."""

from __future__ import annotations

import pytest

from tests.cases import cases
from wikiapi.site import Site
from wikiapi.wikitext.comment import format_comments

pytestmark = pytest.mark.wiki(
    {"Home": "x", "Way": "#REDIRECT [[Home]]", "Category:X": "x"},
    files=["A.png"],
    interwiki={"de": "https://de.example/wiki/$1"},
)


@pytest.mark.parametrize("case", cases("wikitext/comments.json"))
def test_comment(case: list[str], site: Site) -> None:
    comment, html = case
    assert format_comments(site.parser, [(comment, site.titles.parse("Home"))]) == [html]


def test_without_page_a_section_is_text(site: Site) -> None:
    shown = format_comments(site.parser, [("/* Life */ x", None)])
    assert shown == ['<span class="autocomment">Life: </span> x']


def test_a_batch_takes_one_query_and_one_for_the_text_of_red_links(site: Site) -> None:
    home = site.titles.parse("Home")
    with site.db.recording() as queries:
        format_comments(site.parser, [(f"[[Page {n}]] /* S */", home) for n in range(50)])
    assert len(queries) == 2


@pytest.mark.parametrize(
    "hostile",
    ["[[" * 50_000, "[[a|" * 50_000, "/*" * 50_000, "[[a|" * 50_000 + "]]", "/**/" * 9999],
)
def test_hostile_texts_are_read_once(hostile: str, site: Site) -> None:
    html = format_comments(site.parser, [(hostile, site.titles.parse("Home"))])[0]
    assert "<script" not in html
