"""What generators and links by way of redirects find; the conformance suite walks the lists."""

from __future__ import annotations

import pytest

from tests.plugins.walking import walk
from wikiapi.site import Site


@pytest.mark.parametrize(
    ("module", "prefix"), [("allcategories", "ac"), ("trackingcategories", "tc")]
)
def test_generator_finds_the_categories(module: str, prefix: str, link_site: Site) -> None:
    listed = walk(link_site, {"list": module, f"{prefix}limit": "max"})[0]["query"][module]
    steps = walk(link_site, {"generator": module, f"g{prefix}limit": "1"})
    pages = {page["title"] for answer in steps for page in answer["query"]["pages"]}
    assert pages == {item.get("title") or f"Category:{item['category']}" for item in listed}


def test_links_by_way_of_redirects_in_steps_of_one(link_site: Site) -> None:
    params = {"list": "backlinks", "bltitle": "Beta", "blredirect": "", "bllimit": "1"}
    found = set()
    for answer in walk(link_site, params):
        for item in answer["query"]["backlinks"]:
            found |= {item["title"], *(link["title"] for link in item.get("redirlinks", ()))}
    assert found == {"Alpha", "Gamma", "Gamma double", "Delta", "Template:Nav"}
