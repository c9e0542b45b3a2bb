"""Sort keys are made by the wiki's collation, and again when it changes."""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from tests.icu import needs_icu
from wikiapi.config import Config, SiteConfig
from wikiapi.errors import CollationUnavailable
from wikiapi.factory import open_site
from wikiapi.languages.collation import collation
from wikiapi.pages.links import collation as links_collation
from wikiapi.pages.links.collation import (
    CollationChange,
    collation_change,
    follow_collation,
    names_of_keys,
    recorded_collation,
    wrong_keys,
)
from wikiapi.pages.links.update import LinksUpdate
from wikiapi.site import Site
from wikiapi.store.copying import copy_store
from wikiapi.store.database import Database
from wikiapi.store.models import CategoryLinks
from wikiapi.store.queries import categories
from wikiapi.store.queries.categories import SORT_KEY
from wikiapi.store.sql.bounds import ordered

PAGES = {f"Page {number}": "[[Category:X]][[Category:Y|ö]]" for number in (1, 2, 10)}
BY_VALUE = ["Page 1", "Page 2", "Page 10"]


def members(db: Database) -> list[str]:
    query = ordered(categories.members("X"), CategoryLinks.cl_sortkey)
    return [row[7].replace("_", " ") for row in db.execute(query)]


def in_order(site: Site, name: str) -> Site:
    return open_site(Config(site=SiteConfig(category_collation=name)), database=site.db)


@pytest.fixture
def site(make_site: Callable[..., Site]) -> Site:
    made = make_site(PAGES)
    LinksUpdate(made).run()
    return made


def test_keys_follow_the_setting_without_parsing(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(links_collation, "_BATCH", 2)
    assert recorded_collation(site.db) == "uppercase"
    assert members(site.db) == ["Page 1", "Page 10", "Page 2"]
    numeric = in_order(site, "numeric")
    assert collation_change(site.db, numeric.collation) == CollationChange("uppercase", "numeric")
    moves: list[int] = []
    before = site.db.execute_sql("SELECT * FROM categorylinks")
    follow_collation(site.db, numeric.collation, moves.append)
    assert moves == [2, 4, 6, 6]
    assert members(site.db) == BY_VALUE
    assert recorded_collation(site.db) == "numeric"
    assert names_of_keys(site.db) == ["numeric"]
    assert collation_change(site.db, numeric.collation) is None
    # Deriving the links makes the same keys.
    keys = site.db.execute(ordered(CategoryLinks.select(SORT_KEY), *links_collation._PLACE))
    site.db.execute_sql("UPDATE page SET page_links_updated = NULL")
    assert LinksUpdate(numeric).run() == len(PAGES)
    assert site.db.execute(ordered(CategoryLinks.select(SORT_KEY), *links_collation._PLACE)) == keys
    # What is not made by the collation stays.
    LinksUpdate(in_order(site, "uppercase")).run()
    assert site.db.execute_sql("SELECT * FROM categorylinks") == before


@needs_icu
def test_keys_of_icu(site: Site) -> None:
    swedish = in_order(site, "uca-sv-u-kn")
    LinksUpdate(swedish).run()
    assert members(site.db) == BY_VALUE
    assert not list(wrong_keys(site.db, swedish.collation, 10))
    older = "uca-sv-u-kn ICU 1.0"
    site.db.execute_sql(
        f"UPDATE updatelog SET ul_value = '{older}' WHERE ul_key = 'wikiapi-links-collation'"
    )
    change = collation_change(site.db, swedish.collation)
    assert change == CollationChange(older, swedish.collation.version)


def test_keys_that_the_collation_does_not_make(site: Site) -> None:
    assert not list(wrong_keys(site.db, collation("uppercase", "en"), 10))
    titles = {page.title for page in wrong_keys(site.db, collation("identity", "en"), 10)}
    assert titles == {"Page_1", "Page_2", "Page_10"}


def test_a_new_store_has_no_other_collation(make_site: Callable[..., Site]) -> None:
    empty = make_site()
    identity = collation("identity", "en")
    assert collation_change(empty.db, identity) is None
    follow_collation(empty.db, identity)
    assert recorded_collation(empty.db) == "identity"


def test_the_change_is_a_sentence() -> None:
    sentence = "Sort keys of categories are those of 'uppercase', and 'numeric' is set now."
    assert str(CollationChange("uppercase", "numeric")) == sentence


def test_the_extra_is_named_where_keys_must_be_made(
    site: Site, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setitem(sys.modules, "icu", None)
    config = Config(site=SiteConfig(category_collation="uca-fi"))
    with pytest.raises(CollationUnavailable, match=r"wikiapi-server\[icu\]"):
        open_site(config, database=site.db)
    url = f"sqlite:///{tmp_path}/copy.sqlite"
    with closing(Database(url)) as db:
        list(copy_store(site.db, db))
    with closing(Database(url, read_only=True)) as db:
        assert open_site(config, database=db).collation.heading("äiti") == "Ä"
