"""Continuation: a walk in the smallest steps finds what one large answer finds."""

from __future__ import annotations

import pytest

from tests.plugins.query.walked import WALKED, Walked
from tests.plugins.walking import of_pages, walk, walk_within
from wikiapi.site import Site

COUNTED = ("search", "prefixsearch")
"""Lists that go on by the number of results asked for, not by what has found room."""
PROPS = {"extlinks": "el", "iwlinks": "iw", "langlinks": "ll", "contributors": "pc"}
TITLES = "Main Page|Alpha|Beta|Delta|Talk:Alpha|Missing page"


def ids(case: Walked) -> str:
    return f"{case.name} {case.params}"


@pytest.mark.parametrize("case", WALKED, ids=ids)
def test_list_in_steps_of_one(case: Walked, link_site: Site) -> None:
    whole = walk(link_site, case.query(limit="max"))
    steps = walk(link_site, case.query(limit="1"))
    found = [item for answer in steps for item in answer["query"][case.name]]
    assert found == whole[0]["query"][case.name]
    assert len(whole) == 1
    assert len(found) >= case.at_least


@pytest.mark.parametrize("case", [case for case in WALKED if case.generates], ids=ids)
def test_generator_finds_what_is_listed(case: Walked, link_site: Site) -> None:
    listed = walk(link_site, case.query(limit="max"))[0]["query"][case.name]
    steps = walk(link_site, case.generator(limit="1"))
    pages = {page["title"] for answer in steps for page in answer["query"]["pages"]}
    titles = {item.get("title") or f"Category:{item['category']}" for item in listed}
    assert pages == titles


@pytest.mark.parametrize("module", PROPS)
def test_prop_in_steps_of_one(module: str, link_site: Site) -> None:
    base, limit = {"prop": module, "titles": TITLES}, f"{PROPS[module]}limit"
    whole = of_pages(walk(link_site, base | {limit: "max"}), module)
    assert of_pages(walk(link_site, base | {limit: "1"}), module) == whole
    assert sum(map(len, whole.values())) > 1


@pytest.mark.parametrize("page", ["Ancientpages", "Wantedpages", "Mostlinked", "Longpages"])
def test_querypage_in_steps_of_two(page: str, link_site: Site) -> None:
    base = {"list": "querypage", "qppage": page}
    whole = walk(link_site, base | {"qplimit": "max"})[0]["query"]["querypage"]["results"]
    steps = walk(link_site, base | {"qplimit": "2"})
    assert [r for a in steps for r in a["query"]["querypage"]["results"]] == whole
    assert len(whole) > 1


def test_links_by_way_of_redirects_in_steps_of_one(link_site: Site) -> None:
    params = {"list": "backlinks", "bltitle": "Beta", "blredirect": "", "bllimit": "1"}
    found = set()
    for answer in walk(link_site, params):
        for item in answer["query"]["backlinks"]:
            found |= {item["title"], *(link["title"] for link in item.get("redirlinks", ()))}
    assert found == {"Alpha", "Gamma", "Gamma double", "Delta", "Template:Nav"}


@pytest.mark.parametrize("case", [case for case in WALKED if case.name not in COUNTED], ids=ids)
def test_a_full_answer_continues(case: Walked, link_site: Site) -> None:
    whole = walk(link_site, case.query(limit="max"))[0]["query"][case.name]
    steps = walk_within(link_site, case.query(limit="max"), max(len(str(item)) for item in whole))
    assert [item for answer in steps for item in answer["query"].get(case.name, ())] == whole
