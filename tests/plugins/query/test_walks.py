"""Continuation of generators, of several modules at once and of links by way of redirects.

The conformance suite walks all others.
"""

from __future__ import annotations

from typing import Any

import pytest

from tests.plugins.walking import limited, of_pages, walk
from wikiapi.site import Site

TITLES = "Alpha|Beta|Gamma|Delta|Missing page|Template:Infobox|File:Photo.png|File:Absent.png"
PROPS = {
    "links": "pl",
    "templates": "tl",
    "images": "im",
    "categories": "cl",
    "linkshere": "lh",
    "transcludedin": "ti",
    "fileusage": "fu",
    "redirects": "rd",
}
LISTS = {
    "alltransclusions": "at",
    "alllinks": "al",
    "allfileusages": "af",
    "allredirects": "ar",
    "allpages": "ap",
}


@pytest.mark.parametrize("module", ["allfileusages", "allredirects", "allpages"])
def test_list_by_title_in_either_direction(module: str, query_site: Site) -> None:
    base = {"list": module, f"{LISTS[module]}limit": "max"}
    (up,) = walk(query_site, base)
    (down,) = walk(query_site, base | {f"{LISTS[module]}dir": "descending"})
    assert down["query"][module] == up["query"][module][::-1]


@pytest.mark.parametrize("module", [*PROPS, *LISTS])
def test_generator_finds_what_is_listed(module: str, query_site: Site) -> None:
    prefix = PROPS.get(module) or LISTS[module]
    titles = {"titles": TITLES} if module in PROPS else {}
    small = walk(query_site, {"generator": module, f"g{prefix}limit": "2", **titles})
    large = walk(query_site, {"generator": module, f"g{prefix}limit": "max", **titles})
    assert _titles(small) == _titles(large)
    assert len(_titles(large)) > 1


def _titles(answers: list[dict[str, Any]]) -> set[str]:
    return {page["title"] for answer in answers for page in answer["query"]["pages"]}


def test_several_modules_at_once(query_site: Site) -> None:
    base = {"prop": "links|categories|info", "titles": "Alpha|Beta"}
    steps = walk(query_site, base | {"pllimit": "1", "cllimit": "2"})
    whole = walk(query_site, base)
    for module in ("links", "categories"):
        assert of_pages(steps, module) == of_pages(whole, module)
    pages = [page for a in steps for page in a["query"]["pages"] if "lastrevid" in page]
    assert len(pages) == 2


def test_a_full_answer_continues(query_site: Site) -> None:
    params = {"prop": "revisions", "titles": "Alpha|Beta", "rvprop": "content"}
    whole = of_pages(walk(query_site, params), "revisions")
    first = limited(query_site, params, 250)
    assert "batchcomplete" not in first
    rest = limited(query_site, params | first["continue"], 250)
    assert of_pages([first, rest], "revisions") == whole
    assert "continue" not in rest


@pytest.mark.parametrize(
    ("module", "prefix"), [("allcategories", "ac"), ("trackingcategories", "tc")]
)
def test_generator_finds_the_categories(module: str, prefix: str, link_site: Site) -> None:
    listed = walk(link_site, {"list": module, f"{prefix}limit": "max"})[0]["query"][module]
    steps = walk(link_site, {"generator": module, f"g{prefix}limit": "1"})
    assert _titles(steps) == {
        item.get("title") or f"Category:{item['category']}" for item in listed
    }


def test_links_by_way_of_redirects_in_steps_of_one(link_site: Site) -> None:
    params = {"list": "backlinks", "bltitle": "Beta", "blredirect": "", "bllimit": "1"}
    titles = set()
    for answer in walk(link_site, params):
        for item in answer["query"]["backlinks"]:
            titles |= {item["title"], *(link["title"] for link in item.get("redirlinks", ()))}
    assert titles == {"Alpha", "Gamma", "Gamma double", "Delta", "Template:Nav"}


@pytest.mark.parametrize(("module", "prefix"), [("backlinks", "bl"), ("embeddedin", "ei")])
@pytest.mark.parametrize("title", ["Special:Log", "Special:None", "Media:Photo.png"])
def test_nothing_links_to_a_page_that_cannot_exist(
    module: str, prefix: str, title: str, link_site: Site
) -> None:
    params = {"list": module, f"{prefix}title": title}
    assert walk(link_site, params)[0]["query"][module] == []
