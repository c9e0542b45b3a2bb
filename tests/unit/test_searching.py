"""Finding pages by their words."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from wikiapi.errors import SearchRefused
from wikiapi.searching import Part, parts, search
from wikiapi.site import Site

PAGES = {
    "Tea": "A hot drink of leaves.",
    "Hot spring": "Water, not tea & leaves <b>.",
    "Help:Leaves": "What trees lose.",
}


@pytest.fixture
def site(make_site: Callable[..., Site]) -> Site:
    return make_site(PAGES)


def titles(site: Site, words: str, **options: object) -> list[str]:
    chosen = {"titles": False, "limit": 10, "namespaces": None, **options}
    return [hit.title for hit in search(site, words, **chosen).hits]  # type: ignore[arg-type]


def test_titles_come_before_texts(site: Site) -> None:
    assert titles(site, "leaves") == ["Help:Leaves", "Tea", "Hot spring"]
    assert titles(site, "tea") == ["Tea", "Hot spring"]


def test_titles_alone(site: Site) -> None:
    assert titles(site, "tea", titles=True) == ["Tea"]


def test_one_namespace(site: Site) -> None:
    assert titles(site, "leaves", namespaces=[0]) == ["Tea", "Hot spring"]


def test_limit_leaves_the_number_of_all(site: Site) -> None:
    found = search(site, "leaves", titles=False, limit=1, namespaces=None)
    assert len(found.hits) == 1
    assert found.total == 3


def test_a_hit_has_the_data_of_the_page(site: Site) -> None:
    hit = search(site, "water", titles=False, limit=10, namespaces=None).hits[0]
    assert (hit.title, hit.size, hit.words) == ("Hot spring", 28, 5)
    assert hit.snippet[0] == Part("Water", match=True)
    assert hit.as_json()["snippet"] == "Water, not tea & leaves <b>."


def test_snippet_becomes_plain_text() -> None:
    html = 'a &lt;<span class="searchmatch">b&amp;</span>c'
    assert list(parts(html)) == [Part("a <", False), Part("b&", True), Part("c", False)]


def test_a_store_without_an_index(site: Site) -> None:
    site.db.execute_sql("DROP TABLE searchindex")
    with pytest.raises(SearchRefused, match="no full-text index"):
        titles(site, "tea")
