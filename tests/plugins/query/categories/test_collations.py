"""Members of a category in the orders of the wiki's collation."""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from tests.icu import needs_icu
from tests.plugins.walking import walk
from wikiapi.factory import open_site
from wikiapi.site import Site
from wikiapi.store.copying import copy_store
from wikiapi.store.database import Database
from wikiapi.testing import ask

TITLES = ["Zebra", "Ñandú", "Nube", "Page 10", "Page 9", "Öl"]
PAGES = dict.fromkeys(TITLES, "[[Category:All]]")
LIST = {"action": "query", "list": "categorymembers", "cmtitle": "Category:All", "cmprop": "title"}
ORDERS = {
    "identity": ["Nube", "Page 10", "Page 9", "Zebra", "Ñandú", "Öl"],
    "numeric": ["Nube", "Page 9", "Page 10", "Zebra", "Ñandú", "Öl"],
    "uca-es": ["Nube", "Ñandú", "Öl", "Page 10", "Page 9", "Zebra"],
    "uca-sv-u-kn": ["Ñandú", "Nube", "Page 9", "Page 10", "Zebra", "Öl"],
}

MakeSite = Callable[..., Site]


@pytest.fixture(params=[
    "identity", "numeric", pytest.param("uca-es", marks=needs_icu),
    pytest.param("uca-sv-u-kn", marks=needs_icu),
])  # fmt: skip
def order(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def with_order(make_site: MakeSite, name: str) -> Site:
    return make_site(PAGES, config={"site": {"category_collation": name}})


def titles(site: Site, **params: str) -> list[str]:
    """Return the titles of all members, by default asked for two at a time."""
    answers = walk(site, {**LIST, "cmlimit": "2"} | params)
    return [item["title"] for answer in answers for item in answer["query"]["categorymembers"]]


def test_order_and_continuation(make_site: MakeSite, order: str) -> None:
    site = with_order(make_site, order)
    assert titles(site) == ORDERS[order]
    assert titles(site, cmdir="desc") == ORDERS[order][::-1]


def test_ranges(make_site: MakeSite, order: str) -> None:
    site = with_order(make_site, order)
    first, last = ORDERS[order][1], ORDERS[order][4]
    some = ORDERS[order][1:5]
    ends = {"cmstartsortkeyprefix": first, "cmendsortkeyprefix": last}
    assert titles(site, **ends, cmlimit="9") == some
    keys = {f"cm{end}hexsortkey": site.collation.key(title).hex()
            for end, title in (("start", first), ("end", last))}  # fmt: skip
    assert titles(site, **keys, cmlimit="9") == some
    asked = {"action": "query", "prop": "categories", "titles": first, "clprop": "sortkey"}
    (page,) = ask(site, asked).data["query"]["pages"]
    assert page["categories"][0]["sortkey"] == keys["cmstarthexsortkey"]


@needs_icu
def test_a_prefix_needs_what_makes_the_keys(
    make_site: MakeSite, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    site = with_order(make_site, "uca-es")
    url = f"sqlite:///{tmp_path}/copy.sqlite"
    with closing(Database(url)) as db:
        list(copy_store(site.db, db))
    monkeypatch.setitem(sys.modules, "icu", None)
    # Not one of the collations that other tests have used.
    config = replace(site.config, site=replace(site.config.site, category_collation="uca-es-AR"))
    with closing(Database(url, read_only=True)) as db:
        copied = open_site(config, database=db)
        assert titles(copied) == ORDERS["uca-es"]
        answer = ask(copied, {**LIST, "cmstartsortkeyprefix": "A"})
        assert answer.codes == "collationunavailable"
