"""What the API answers on a wiki whose language has variants."""

from __future__ import annotations

from typing import Any

import pytest

from wikiapi.site import Site
from wikiapi.testing import ask

PAGES = {
    "Њива": "Њива је -{sr-ec:овде;sr-el:tamo}-.\n== Љубав ==\n",
    "Разговор:Њива": "a",
    "Main Page": "b",
    "Правило": "-{H|А=>sr-el:B;Б=>sr-el:C}-\n== А Б -{sr-ec:овде;sr-el:tamo}- ==\n",
    "MediaWiki:Editsection": "уреди",
    "MediaWiki:Editsection/sr-el": "uredi",
    "MediaWiki:Editsection/sr-ec": "уреди",
    "MediaWiki:Editsectionhint": "$1",
    "MediaWiki:Editsectionhint/sr-ec": "$1",
    "MediaWiki:Editsectionhint/sr-el": "$1",
}


pytestmark = pytest.mark.wiki(
    PAGES,
    config={
        "site": {"language": "sr", "variant_article_path": "/$2/$1"},
        "namespaces": [{"id": 1, "name": "Разговор"}],
    },
)


def data_of(site: Site, **params: str) -> Any:
    answer = ask(site, params)
    assert not answer.codes
    assert not answer.warned
    return answer.data


@pytest.mark.parametrize(
    ("params", "text"),
    [
        ({}, "Њива је овде."),
        ({"variant": "sr-el"}, "Njiva je tamo."),
        ({"variant": "sr-Latn"}, "Njiva je tamo."),
        ({"uselang": "sr-el"}, "Njiva je tamo."),
        ({"uselang": "sr-el", "variant": "sr-ec"}, "Њива је овде."),
        ({"variant": "xx"}, "Њива је овде."),
        ({"variant": "xx", "uselang": "sr-el"}, "Њива је овде."),
    ],
)
def test_text_of_a_page(site: Site, params: dict[str, str], text: str) -> None:
    answer = data_of(site, action="parse", page="Њива", prop="text", **params)
    assert text in answer["parse"]["text"]


def test_facts_of_a_page(site: Site) -> None:
    page = data_of(
        site, action="parse", page="Разговор:Њива", prop="displaytitle|text", variant="sr-el"
    )["parse"]
    assert page["title"] == "Разговор:Њива"
    assert page["displaytitle"] == (
        '<span class="mw-page-title-namespace">Razgovor</span>'
        '<span class="mw-page-title-separator">:</span>'
        '<span class="mw-page-title-main">Njiva</span>'
    )
    assert 'lang="sr-Latn"' in page["text"]


def test_sections(site: Site) -> None:
    answer = data_of(site, action="parse", page="Њива", prop="sections", variant="sr-el")
    section = answer["parse"]["sections"][0]
    assert (section["line"], section["anchor"]) == ("Ljubav", "Љубав")


@pytest.mark.parametrize(
    ("params", "hint", "link"),
    [
        ({"variant": "sr-el"}, "B C tamo", "uredi"),
        ({"variant": "sr-ec"}, "А Б овде", "уреди"),
        ({"variant": "sr-el", "uselang": "content"}, "B C tamo", "уреди"),
        ({}, "А Б овде", "уреди"),
    ],
)
def test_edit_links(site: Site, params: dict[str, str], hint: str, link: str) -> None:
    html = data_of(site, action="parse", page="Правило", prop="text", **params)["parse"]["text"]
    assert f'title="{hint}"><span>{link}</span>' in html


def test_variant_of_a_visitor_is_the_language_of_the_interface(site: Site) -> None:
    answer = data_of(
        site, action="query", meta="allmessages", ammessages="editsection", variant="sr-el"
    )
    assert answer["query"]["allmessages"][0]["content"] == "uredi"


def test_titles_in_all_variants(site: Site) -> None:
    answer = data_of(
        site, action="query", prop="info", inprop="varianttitles", titles="Разговор:Њива|Nema"
    )
    titles = {page["title"]: page.get("varianttitles") for page in answer["query"]["pages"]}
    assert titles == {
        "Разговор:Њива": {
            "sr": "Разговор:Њива",
            "sr-ec": "Разговор:Њива",
            "sr-el": "Razgovor:Njiva",
        },
        "Nema": None,
    }


def test_variants_of_the_content_language(site: Site) -> None:
    general = data_of(site, action="query", meta="siteinfo")["query"]["general"]
    assert general["variants"] == [
        {"code": "sr", "name": "српски / srpski"},
        {"code": "sr-ec", "name": "српски (ћирилица)"},
        {"code": "sr-el", "name": "srpski (latinica)"},
    ]
    assert general["langconversion"] is True
    assert general["variantarticlepath"] == "/$2/$1"


def test_extracts(site: Site) -> None:
    params = {"action": "query", "prop": "extracts", "titles": "Њива", "explaintext": "1"}
    texts = [
        data_of(site, **params, **variant)["query"]["pages"][0]["extract"]
        for variant in ({"variant": "sr-el"}, {"variant": "sr-ec"}, {"uselang": "sr-el"})
    ]
    assert [text.partition("\n")[0] for text in texts] == [
        "Njiva je tamo.",
        "Њива је овде.",
        "Njiva je tamo.",
    ]


@pytest.mark.parametrize("text", ["Njiva", "njiva", "Њива", "Razgovor:Njiva"])
def test_search_for_a_title(site: Site, text: str) -> None:
    params = {"action": "query", "list": "search", "srwhat": "nearmatch", "srsearch": text}
    pages = data_of(site, **params)["query"]["search"]
    assert [page["title"].rpartition(":")[2] for page in pages] == ["Њива"]


@pytest.mark.parametrize(("text", "title"), [("Nji", "Њива"), ("Њ", "Њива"), ("Ma", "Main Page")])
def test_titles_that_begin_with_a_text(site: Site, text: str, title: str) -> None:
    answer = data_of(site, action="query", list="prefixsearch", pssearch=text)
    assert [page["title"] for page in answer["query"]["prefixsearch"]] == [title]
