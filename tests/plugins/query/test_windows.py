"""Miser mode: lists with filters read a part of a table for a request, and go on where it ended."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.cases import cases
from tests.plugins.historywiki import history_wiki
from tests.plugins.linkwiki import link_wiki
from tests.plugins.walking import walk
from wikiapi.api.query import module
from wikiapi.site import Site
from wikiapi.store.queries import rarity

MISER = {"limits": {"miser_pages": 1}}
WIKIS = {"history": history_wiki, "link": link_wiki}
WINDOW = 2


@pytest.fixture(scope="module")
def sites() -> Iterator[Callable[[str, bool], Site]]:
    """Return a function that creates a wiki by name, in miser mode or not."""
    made: dict[tuple[str, bool], Site] = {}

    def make(name: str, is_miser: bool) -> Site:
        if (name, is_miser) not in made:
            made[name, is_miser] = WIKIS[name](MISER if is_miser else None)
        return made[name, is_miser]

    yield make
    for site in made.values():
        site.db.close()


@pytest.fixture
def few_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "WINDOW", WINDOW)
    monkeypatch.setattr(rarity, "RARE", 0)


def items_of(answers: list[dict[str, Any]], name: str) -> list[Any]:
    items = [item for answer in answers for item in answer["query"][name]]
    if name == "allrevisions":
        return [revision["revid"] for page in items for revision in page["revisions"]]
    return items


@pytest.mark.usefixtures("few_rows")
@pytest.mark.parametrize("case", cases("query/windows.json"))
def test_windows_find_the_same(case: dict[str, Any], sites: Callable[[str, bool], Site]) -> None:
    params = {"limit": "max", **case["params"]}
    query = {"list": case["list"]} | {case["prefix"] + name: v for name, v in params.items()}
    whole = walk(sites(case["wiki"], False), query)
    parts = walk(sites(case["wiki"], True), query)
    assert len(whole) == 1
    assert items_of(parts, case["list"]) == items_of(whole, case["list"])
    assert len(items_of(whole, case["list"])) == case["items"]
    assert len(parts) == case["answers"]
    assert all(len(items_of([answer], case["list"])) <= WINDOW for answer in parts)


@pytest.mark.parametrize("case", cases("query/windows.json"))
def test_few_rows_need_no_window(case: dict[str, Any], sites: Callable[[str, bool], Site]) -> None:
    params = {"limit": "max", **case["params"]}
    query = {"list": case["list"]} | {case["prefix"] + name: v for name, v in params.items()}
    assert walk(sites(case["wiki"], True), query) == walk(sites(case["wiki"], False), query)


@pytest.mark.usefixtures("few_rows")
@pytest.mark.parametrize(
    "query",
    [
        {"list": "recentchanges", "rctitle": "Alpha", "rcshow": "!bot"},
        {"list": "logevents", "letitle": "Alpha", "letag": "good"},
    ],
    ids=str,
)
def test_what_is_about_one_page_needs_no_window(
    query: dict[str, str], sites: Callable[[str, bool], Site]
) -> None:
    assert len(walk(sites("history", True), query)) == 1


@pytest.mark.usefixtures("few_rows")
def test_random_pages_are_all_found(sites: Callable[[str, bool], Site]) -> None:
    site = sites("link", True)
    query = {"list": "random", "rnnamespace": "0", "rnlimit": "1", "rnfilterredir": "all"}
    titles = [item["title"] for item in items_of(walk(site, query), "random")]
    every = {"list": "allpages", "aplimit": "max"}
    assert sorted(titles) == [page["title"] for page in items_of(walk(site, every), "allpages")]


@pytest.mark.usefixtures("few_rows")
def test_a_generator_goes_on_without_pages(sites: Callable[[str, bool], Site]) -> None:
    query = {"generator": "recentchanges", "grcshow": "bot"}
    answers = walk(sites("history", True), query)
    assert len(answers) > 1
    assert all("query" not in answer for answer in answers)
