"""Tests of the plugin on a small wiki, run with ``pytest`` where wikiapi is installed.

The fixture ``make_wiki`` is part of wikiapi.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
import wikiapi_wordcount

from wikiapi.site import Site
from wikiapi.testing import Wiki, WikiMaker
from wikiapi.testing.conformance import CHECKS, modules_of

PAGES = {
    "Main Page": "It is hot.",
    "Tea": "A <term>hot drink</term> of <term>leaves</term>, with <term>bergamot</term>.",
    "Coffee": "A <term>hot  drink</term>, and again: <term>hot drink</term>.",
    "Water": "A drink, wet: <term>water</term>.",
    "Nothing": "",
}


def make(make_wiki: WikiMaker, pages: dict[str, str] = PAGES) -> Wiki:
    """Return a wiki with the plugin in this folder, whether or not it is also installed."""
    disabled = {"plugins": {"disabled": ["wordcount"]}}
    return make_wiki(pages, plugins=[wikiapi_wordcount], config=disabled)


@pytest.fixture
def wiki(make_wiki: WikiMaker) -> Wiki:
    """Return the wiki that most tests use."""
    return make(make_wiki)


def values(answer: dict[str, Any], name: str) -> dict[str, Any]:
    """Return the data of a module, by the title of the page."""
    pages = answer["query"]["pages"]
    return {page["title"]: page[name] for page in pages if name in page}


def test_pages_are_counted(wiki: Wiki) -> None:
    """A missing page has no count, and an empty page has the count 0."""
    titles = ["Main Page", "Nothing", "Missing"]
    answer = wiki.get(action="query", prop="wordcount", titles=titles)
    assert values(answer, "wordcount") == {"Main Page": 3, "Nothing": 0}


def test_terms_are_listed(wiki: Wiki) -> None:
    """Each term is listed once, with normalised white space."""
    answer = wiki.get(action="query", prop="terms", titles=list(PAGES))
    assert values(answer, "terms") == {
        "Tea": ["bergamot", "hot drink", "leaves"],
        "Coffee": ["hot drink"],
        "Water": ["water"],
    }
    answer = wiki.get(action="query", prop="terms", titles=["Tea", "Water"], tmterms="leaves|water")
    assert values(answer, "terms") == {"Tea": ["leaves"], "Water": ["water"]}


def test_terms_lead_to_other_pages(wiki: Wiki) -> None:
    """The generator finds pages that explain the same terms."""
    answer = wiki.get(action="query", generator="terms", titles="Coffee", prop="info")
    assert [page["title"] for page in answer["query"]["pages"]] == ["Tea", "Coffee"]
    parts = wiki.walk(action="query", generator="terms", titles="Coffee", gtmlimit=1)
    assert [page["title"] for part in parts for page in part["query"]["pages"]] == ["Tea", "Coffee"]


def test_terms_follow_the_text(wiki: Wiki) -> None:
    """The terms are stored again when a page changes."""
    wiki.edit("Tea", "Now of <term>mint</term>.")
    answer = wiki.get(action="query", prop="terms", titles="Tea")
    assert values(answer, "terms") == {"Tea": ["mint"]}


def test_a_walk_continues_within_a_page(wiki: Wiki) -> None:
    """The limit applies to lists and to generators."""
    parts = list(wiki.walk(action="query", prop="terms", titles="Tea|Water", tmlimit=1))
    all_terms = [
        term for part in parts for terms in values(part, "terms").values() for term in terms
    ]
    assert all_terms == ["bergamot", "hot drink", "leaves", "water"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("{{#wordcount: It's a well-known word.}}", "4"),
        ("{{#wordcount: It is a word. | 3 }}", "1"),
        ("{{#wordcount: It is | x }}", "2"),
        ("{{#wordcount:}}", "0"),
    ],
)
def test_function_counts(wiki: Wiki, text: str, expected: str) -> None:
    """The second argument is the minimum length of a word."""
    answer = wiki.get(action="expandtemplates", text=text, prop="wikitext")
    assert answer["expandtemplates"]["wikitext"] == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("<term> hot\n drink </term>", "<dfn>hot drink</dfn>"),
        ("<term>''x'' <b></term>", "<dfn>''x'' &lt;b&gt;</dfn>"),
        ("<term />", "a term has 1 to 255 characters"),
        (f"<term>{'x' * 256}</term>", "a term has 1 to 255 characters"),
    ],
)
def test_tag_shows_its_text(wiki: Wiki, text: str, expected: str) -> None:
    """Markup in the tag is text."""
    answer = wiki.get(action="parse", text=text, prop="text", contentmodel="wikitext")
    assert expected in answer["parse"]["text"]


def test_plugin_is_credited(wiki: Wiki) -> None:
    """Clients look up the extension by its name."""
    answer = wiki.get(action="query", meta="siteinfo", siprop="extensions")
    assert "WordCount" in {extension["name"] for extension in answer["query"]["extensions"]}


@pytest.fixture(scope="module")
def site(make_session_wiki: WikiMaker) -> Site:
    """Return a wiki for the conformance checks, which do not change it."""
    return make(make_session_wiki).site


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_conformance(check: Callable[..., Iterator[str]], site: Site) -> None:
    """The conformance suite reports no problems."""
    modules = modules_of(site, plugin="wikiapi_wordcount")
    assert [module.name for module in modules] == ["wordcount", "terms"]
    assert list(check(site, modules)) == []
