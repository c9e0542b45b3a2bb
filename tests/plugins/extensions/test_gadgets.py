"""``list=gadgets`` and ``list=gadgetcategories``."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from wikiapi.site import Site
from wikiapi.testing import ask, make_site

PAGES = {
    "MediaWiki:Gadgets-definition": (
        "== looks ==\n"
        "* tint[ResourceLoader|default|type=styles|skins=vector|namespaces=0,4]|tint.css\n"
        "* shout[ResourceLoader|rights=delete|dependencies=mediawiki.util]|shout.js|shout.css\n"
        "== tools ==\n"
        "* parcel[ResourceLoader|package|hidden]|parcel.js|data.json\n"
    ),
    "MediaWiki:Gadget-tint": "Colours ''everything''",
    "MediaWiki:Gadget-section-looks": "Looks and feel",
}


@pytest.fixture(scope="module")
def site() -> Iterator[Site]:
    made = make_site(PAGES, config={"extensions": {"gadgets": {}}})
    yield made
    made.db.close()


def listed(site: Site, name: str, **params: str) -> list[dict[str, Any]]:
    answer = ask(site, {"action": "query", "list": name, **params})
    assert not answer.warned
    found = answer.data["query"][name]
    assert isinstance(found, list)
    return found


def test_metadata(site: Site) -> None:
    tint, shout, parcel = listed(site, "gadgets")
    assert tint == {
        "id": "tint",
        "metadata": {
            "settings": {
                "rights": [],
                "skins": ["vector"],
                "actions": [],
                "categories": [],
                "namespaces": [0, 4],
                "contentModels": [],
                "default": True,
                "hidden": False,
                "package": False,
                "shared": False,
                "category": "looks",
                "legacyscripts": True,
                "requiresES6": False,
                "supportsUrlLoad": False,
            },
            "module": {
                "scripts": [],
                "styles": ["MediaWiki:Gadget-tint.css"],
                "datas": [],
                "dependencies": [],
                "peers": [],
                "messages": [],
            },
        },
    }
    assert shout["metadata"]["settings"]["rights"] == ["delete"]
    assert shout["metadata"]["module"]["dependencies"] == ["mediawiki.util"]
    assert parcel["metadata"]["settings"]["package"] is True
    assert parcel["metadata"]["module"]["datas"] == ["MediaWiki:Gadget-data.json"]


@pytest.mark.parametrize(
    ("params", "names"),
    [
        ({}, ["tint", "shout", "parcel"]),
        ({"gacategories": "tools"}, ["parcel"]),
        ({"gaids": "shout|nothing"}, ["shout"]),
        ({"gaallowedonly": "1"}, ["tint", "parcel"]),
        ({"gaenabledonly": "1"}, ["tint"]),
    ],
)
def test_choice(params: dict[str, str], names: list[str], site: Site) -> None:
    assert [item["id"] for item in listed(site, "gadgets", gaprop="id", **params)] == names


def test_descriptions(site: Site) -> None:
    tint, shout, _ = listed(site, "gadgets", gaprop="desc")
    assert tint == {"desc": "Colours <i>everything</i>"}
    assert shout == {"desc": ""}


def test_categories(site: Site) -> None:
    assert listed(site, "gadgetcategories") == [{"name": "looks"}, {"name": "tools"}]
    whole = listed(site, "gadgetcategories", gcprop="name|title|members")
    assert whole[0] == {"name": "looks", "desc": "Looks and feel", "members": 2}
    assert whole[1] == {"name": "tools", "desc": "tools", "members": 1}
    assert listed(site, "gadgetcategories", gcnames="tools") == [{"name": "tools"}]


def test_without_the_table_there_is_no_such_list() -> None:
    site = make_site(PAGES)
    answer = ask(site, {"action": "query", "list": "gadgets"})
    assert "gadgets" not in answer.data.get("query", {})
    site.db.close()
