"""The reader's front door where the main page is not in the store."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.plugins.web.readers import Browser, attribute, links, texts
from wikiapi.importing.finish import finish_import
from wikiapi.pages.links.update import LinksUpdate, mark_all
from wikiapi.site import Site

PAGES = {
    **{f"Tea {n}": "[[Category:Drinks]] [[Category:Upkeep]]" for n in range(20)},
    "Cup": "[[Category:Things]] {{#nobody:x}}",
    "Old": "#REDIRECT [[Cup]]",
    "Template:Box": "[[Category:Things]]",
    "Category:Upkeep": "__HIDDENCAT__",
}


@pytest.fixture
def site(make_site: Callable[..., Site]) -> Site:
    made = make_site(PAGES, config={"site": {"name": "Teahouse", "main_page": "Start page"}})
    mark_all(made.db)
    LinksUpdate(made).run()
    finish_import(made)
    return made


def test_the_front_door_is_open(site: Site) -> None:
    browser = Browser(site)
    reply = browser.get("/")
    assert (reply.status, reply.headers["location"]) == (302, "/wiki/Start_page")
    tree = browser.page("/wiki/Start_page")
    assert texts(tree, "h1") == ["Teahouse"]
    said = tree.css_first(".reading").text()
    assert "Pages in this wiki: 24. “Start page” is not among them" in said
    assert attribute(tree, "#find-here", "name") == "search"


def test_large_categories_are_listed_but_not_those_for_upkeep(site: Site) -> None:
    tree = Browser(site).page("/wiki/Start_page")
    assert texts(tree, "ul.columns:nth-of-type(1) li") == [
        "Drinks (20 members)",
        "Things (2 members)",
    ]


def test_some_articles_are_listed(site: Site) -> None:
    tree = Browser(site).page("/wiki/Start_page")
    articles = [link for link in links(tree, ".reading ul li a") if "Category" not in str(link)]
    assert len(articles) == len(set(articles)) == 12
    assert not any("Template" in str(link) or "Old" in str(link) for link in articles)


def test_an_empty_wiki_has_a_front_door(make_site: Callable[..., Site]) -> None:
    tree = Browser(make_site()).page("/wiki/Main_Page")
    assert texts(tree, ".reading h2") == []
    assert "Pages in this wiki: 0." in tree.css_first(".reading").text()


def test_other_pages_and_views_are_missing_as_ever(site: Site) -> None:
    browser = Browser(site)
    assert browser.get("/wiki/Nothing").status == 404
    assert browser.index("title=Start_page&action=history").status == 404


def test_a_main_page_that_is_there_is_shown(make_site: Callable[..., Site]) -> None:
    tree = Browser(make_site({"Main Page": "Welcome"})).page("/wiki/Main_Page")
    assert "Welcome" in tree.css_first(".mw-parser-output").text()


def test_a_wiki_without_texts_in_its_language(make_site: Callable[..., Site]) -> None:
    config = {"site": {"language": "ar", "source": "https://ar.example/"}}
    browser = Browser(make_site(config=config))
    path = browser.get("/").headers["location"]
    said = browser.page(path).css_first(".reading").text()
    assert "There are no texts of the interface in the language of this wiki (ar)" in said
    assert "wikiapi fetch-messages https://ar.example/" in said
    english = Browser(make_site()).page("/wiki/Main_Page").css_first(".reading").text()
    assert "fetch-messages" not in english


@pytest.mark.parametrize(
    ("text", "is_empty"),
    [
        ("{{#widget:Home|a=b}}", True),
        ("{{Front page}}\n\n{{Front news}} <br />", True),
        ("[[File:Missing banner.png]]", True),
        ("<!-- nothing -->", True),
        ("{{#widget:Home}} Welcome.", False),
        ("[[Cup]]", False),
    ],
)
def test_a_main_page_of_placeholders_gives_way(
    make_site: Callable[..., Site], text: str, is_empty: bool
) -> None:
    tree = Browser(make_site({**PAGES, "Main Page": text})).page("/wiki/Main_Page")
    assert bool(tree.css("#find-here")) == is_empty
    assert "action=history" in str(links(tree, "nav.tabs a"))
    if is_empty:
        assert "What “Main Page” consists of is not available" in tree.css_first(".reading").text()


def test_the_source_and_other_empty_pages_are_shown(make_site: Callable[..., Site]) -> None:
    browser = Browser(make_site({**PAGES, "Main Page": "{{Front}}", "Empty": "{{Front}}"}))
    assert not browser.page("/wiki/Empty").css("#find-here")
    assert "{{Front}}" in browser.index("title=Main_Page&action=edit").text
