"""Summaries; the cases are what MediaWiki 1.45 makes of such texts."""

from __future__ import annotations

import pytest

from tests.cases import cases
from wikiapi.site import Site
from wikiapi.testing import make_site
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
    (html,) = format_comments(site.parser, [("/* Life */ x", None)])
    assert html == '<span class="autocomment">Life: </span> x'


@pytest.mark.parametrize(
    ("ends", "arrow"), [("fr", '→<bdi dir="ltr">'), ("he", '←<bdi dir="rtl">'), ("", "→<bdi")]
)
def test_arrows_point_in_the_direction_of_the_reader(ends: str, arrow: str, site: Site) -> None:
    home = site.titles.parse("Home")
    assert arrow in format_comments(site.parser, [("/* Life */", home)], language=ends)[0]


def test_the_wiki_words_what_stands_around_a_section() -> None:
    texts = {"MediaWiki:Colon-separator": " &: ", "MediaWiki:Autocomment-prefix": "- "}
    site = make_site({"Home": "x", **texts}, language="he")
    home = site.titles.parse("Home")
    html = format_comments(site.parser, [("a /* Life */ b", home), ("a /**/", home)])
    link = '<a href="/wiki/Home#Life" title="Home">←<bdi dir="rtl">Life</bdi></a>'
    assert html == [f'a - <span class="autocomment">{link} &amp;: </span> b', "a - "]
    site.db.close()


def test_special_pages_have_their_names_in_the_language() -> None:
    site = make_site({"Home": "x"}, language="pt")
    html = format_comments(site.parser, [("[[Special:Contributions/A]]", None)])[0]
    assert 'title="Especial:Contribuições/A">Special:Contributions/A</a>' in html
    site.db.close()


def test_a_batch_takes_one_query_and_one_for_each_message(site: Site) -> None:
    home = site.titles.parse("Home")
    with site.db.recording() as queries:
        format_comments(site.parser, [(f"[[Page {n}]] /* S */ x", home) for n in range(50)])
    assert len(queries) == 4


@pytest.mark.parametrize(
    "hostile",
    ["[[" * 50_000, "[[a|" * 50_000, "/*" * 50_000, "[[a|" * 50_000 + "]]", "/**/" * 9999],
)
def test_hostile_texts_are_read_once(hostile: str, site: Site) -> None:
    html = format_comments(site.parser, [(hostile, site.titles.parse("Home"))])[0]
    assert "<script" not in html
