"""Pages in the variants of their language, as the reader shows them."""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import unquote

import pytest

from tests.plugins.web.readers import Browser, attribute, links, texts
from wikiapi.site import Site

PAGES = {"Main Page": "a", "Њива": "Њива је [[Ливада]].\n== Љубав ==\n", "Ливада": "b"}


@pytest.fixture
def wiki(make_site: Callable[..., Site]) -> Browser:
    config = {"site": {"language": "sr", "variant_article_path": "/$2/$1"}}
    return Browser(make_site(PAGES, config=config))


@pytest.mark.parametrize(
    ("path", "query"),
    [
        ("/sr-el/Њива", ""),
        ("/w/index.php", "title=Њива&variant=sr-el"),
        ("/wiki/Њива", "variant=sr-el"),
        ("/wiki/Њива", "uselang=sr-el"),
    ],
)
def test_page_in_a_variant(wiki: Browser, path: str, query: str) -> None:
    tree = wiki.page(path, query)
    assert texts(tree, "h1") == ["Njiva"]
    assert "Njiva je Livada." in tree.css_first(".mw-parser-output").text()
    assert attribute(tree, ".mw-parser-output", "lang") == "sr-Latn"
    assert links(tree, ".mw-parser-output a")[0] == "/wiki/%D0%9B%D0%B8%D0%B2%D0%B0%D0%B4%D0%B0"


def test_page_as_it_was_written(wiki: Browser) -> None:
    for path, query in (("/wiki/Њива", ""), ("/sr/Њива", ""), ("/wiki/Њива", "variant=xx")):
        assert texts(wiki.page(path, query), "h1") == ["Њива"]


def test_variants_are_offered(wiki: Browser) -> None:
    tree = wiki.page("/wiki/Њива")
    name = "%D0%8A%D0%B8%D0%B2%D0%B0"
    assert links(tree, "nav.variants a") == [f"/{code}/{name}" for code in ("sr", "sr-ec", "sr-el")]
    assert attribute(wiki.page("/sr-el/Њива"), "nav.variants a[aria-current]", "lang") == "sr-Latn"


def test_variants_without_paths_of_their_own(make_site: Callable[..., Site]) -> None:
    wiki = Browser(make_site(PAGES, config={"site": {"language": "sr"}}))
    addresses = links(wiki.page("/wiki/Њива"), "nav.variants a")
    assert addresses[2] == "/w/index.php?title=%D0%8A%D0%B8%D0%B2%D0%B0&variant=sr-el"
    assert wiki.get("/sr-el/Њива").status == 404


def test_language_without_variants_offers_none(make_site: Callable[..., Site]) -> None:
    wiki = Browser(make_site(PAGES, config={"site": {"variant_article_path": "/$2/$1"}}))
    assert not links(wiki.page("/wiki/Њива"), "nav.variants a")
    assert wiki.get("/sr-el/Њива").status == 404


def test_title_in_another_variant_is_redirected(wiki: Browser) -> None:
    reply = wiki.get("/wiki/Njiva")
    assert (reply.status, reply.headers["location"]) == (302, "/wiki/%D0%8A%D0%B8%D0%B2%D0%B0")
    assert wiki.get("/wiki/Nema").status == 404


def test_the_root_of_a_variant_leads_to_the_main_page(wiki: Browser) -> None:
    location = unquote(wiki.get("/sr-el/").headers["location"])
    assert location == "/sr-el/Главна_страна"
