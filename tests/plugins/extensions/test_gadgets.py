"""``list=gadgets`` and ``list=gadgetcategories``."""

from __future__ import annotations

from collections.abc import Callable
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


pytestmark = pytest.mark.wiki(PAGES, config={"extensions": {"gadgets": {}}})


def query_list(site: Site, name: str, **params: str) -> list[dict[str, Any]]:
    answer = ask(site, {"action": "query", "list": name, **params})
    assert not answer.warned
    items = answer.data["query"][name]
    assert isinstance(items, list)
    return items


def test_metadata(site: Site) -> None:
    tint, shout, parcel = query_list(site, "gadgets")
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
    assert [item["id"] for item in query_list(site, "gadgets", gaprop="id", **params)] == names


def test_descriptions(site: Site) -> None:
    tint, shout, _ = query_list(site, "gadgets", gaprop="desc")
    assert tint == {"desc": "Colours <i>everything</i>"}
    assert shout == {"desc": ""}


def test_categories(site: Site) -> None:
    assert query_list(site, "gadgetcategories") == [{"name": "looks"}, {"name": "tools"}]
    whole = query_list(site, "gadgetcategories", gcprop="name|title|members")
    assert whole[0] == {"name": "looks", "desc": "Looks and feel", "members": 2}
    assert whole[1] == {"name": "tools", "desc": "tools", "members": 1}
    assert query_list(site, "gadgetcategories", gcnames="tools") == [{"name": "tools"}]


@pytest.mark.parametrize(
    ("module", "params"),
    [("gadgets", {"gaprop": "id|desc"}), ("gadgetcategories", {"gcprop": "name|title"})],
)
def test_number_of_queries_does_not_grow(module: str, params: dict[str, str]) -> None:
    assert statements(12, module, params) == statements(1, module, params)


def statements(count: int, module: str, params: dict[str, str]) -> int:
    """Return how many statements a list runs if there are so many gadgets and categories."""
    names = [f"g{number}" for number in range(count)]
    definition = "".join(f"== {name} ==\n* {name}[ResourceLoader]|{name}.css\n" for name in names)
    pages = {"MediaWiki:Gadgets-definition": definition}
    for name in names:
        text = f"{{{{T{name}}}}} [[Page {name}]] [[Missing {name}]]"
        pages |= {f"MediaWiki:Gadget-{name}": text, f"MediaWiki:Gadget-section-{name}": text}
        pages |= {f"Template:T{name}": f"<b>{name}</b> [[Other {name}]]", f"Page {name}": ""}
    site = make_site(pages, config={"extensions": {"gadgets": {}}})
    with site.db.recording() as log:
        items = query_list(site, module, **params)
    site.db.close()
    assert len(items) == count
    for part in (f"<b>{names[-1]}</b>", f'href="/wiki/Page_{names[-1]}"', "redlink=1"):
        assert part in items[-1]["desc"]
    return len(log)


def test_without_the_table_there_is_no_such_list(make_site: Callable[..., Site]) -> None:
    site = make_site(PAGES)
    answer = ask(site, {"action": "query", "list": "gadgets"})
    assert "gadgets" not in answer.data.get("query", {})
