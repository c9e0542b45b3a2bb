from __future__ import annotations

from typing import Any

import pytest

from wikiapi.site import Site
from wikiapi.store.models import Page
from wikiapi.testing import ask

BASE = {"action": "query", "list": "random", "rnfilterredir": "all"}


def random_pages(site: Site, **params: str) -> dict[str, Any]:
    answer = ask(site, BASE | params)
    assert not answer.codes
    return answer.data


def everything(site: Site) -> list[int]:
    query = Page.select(Page.page_id).order_by(Page.page_random, Page.page_id)
    return [row[0] for row in site.db.execute(query)]


def test_one_page_unless_more_are_requested(link_site: Site) -> None:
    [page] = random_pages(link_site)["query"]["random"]
    assert page["id"] in everything(link_site)


@pytest.mark.parametrize("limit", ["1", "5", "max"])
def test_a_walk_finds_each_page_once(limit: str, link_site: Site) -> None:
    ids, position = [], dict[str, str]()
    for _ in range(100):
        answer = random_pages(link_site, rnlimit=limit, **position)
        ids += [page["id"] for page in answer["query"]["random"]]
        if "continue" not in answer:
            break
        position = {"rncontinue": answer["continue"]["rncontinue"]}
    order = everything(link_site)
    first = order.index(ids[0])
    assert ids == order[first:] + order[:first]


def test_the_place_to_begin_with_stays_while_the_pages_are_listed(link_site: Site) -> None:
    params = {
        "action": "query", "generator": "random", "grnlimit": "max", "grnfilterredir": "all",
        "prop": "links", "pllimit": "1",
    }  # fmt: skip
    seen, titles = {}, set()
    for _ in range(100):
        answer = ask(link_site, params | seen).data
        titles.add(tuple(sorted(page["title"] for page in answer["query"]["pages"])))
        seen = {name: str(value) for name, value in answer.get("continue", {}).items()}
        if not seen:
            break
    assert len(titles) == 1


@pytest.mark.parametrize(
    ("params", "titles"),
    [
        ({"rnnamespace": "10"}, {"Template:Nav"}),
        ({"rnfilterredir": "redirects"}, {"Gamma", "Gamma double"}),
        ({"rnredirect": ""}, {"Gamma", "Gamma double"}),
        ({"rnmaxsize": "10"}, {"Suppressed", "Template:Nav"}),
        ({"rncontentmodel": "css"}, set()),
        ({"rncontentmodel": "wikitext", "rnnamespace": "10"}, {"Template:Nav"}),
        ({"rnminsize": "100", "rnnamespace": "0"}, {"Alpha"}),
    ],
)
def test_kinds(params: dict[str, str], titles: set[str], link_site: Site) -> None:
    answer = random_pages(link_site, rnlimit="max", **params)
    assert {page["title"] for page in answer["query"]["random"]} == titles


@pytest.mark.parametrize(
    "position", ["", "x", "0.1|0.1|0|2", "1.1|0.1|0|0", "0.1|-0.1|0|0", "0.1|0.1|x|0", "0.1|0.1|0"]
)
def test_bad_positions(position: str, link_site: Site) -> None:
    assert ask(link_site, BASE | {"rncontinue": position}).codes == "badcontinue"
