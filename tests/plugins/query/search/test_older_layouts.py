"""Lists for maintenance and trees on the database of a MediaWiki before 1.43."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from tests.unit.store.schema.test_older import aged, with_titles
from tests.unit.store.wiki import fill
from wikiapi.api.calling import call
from wikiapi.api.query.reports import query_pages
from wikiapi.config import Config
from wikiapi.factory import open_site
from wikiapi.site import Site
from wikiapi.store.database import Database
from wikiapi.store.schema import migrate


@pytest.fixture
def older(tmp_path: Path) -> Iterator[Site]:
    url = f"sqlite:///{tmp_path}/wiki.sqlite"
    with closing(Database(url)) as db:
        migrate.upgrade(db)
        fill(db)
    config = Config()
    rights = (*config.permissions.anonymous_rights, "unwatchedpages")
    config = replace(
        config,
        database=replace(config.database, url=url, read_only=True),
        permissions=replace(config.permissions, anonymous_rights=rights),
    )
    with closing(aged(url, with_titles)) as db:
        yield open_site(config, database=db)


def test_all_lists_for_maintenance(older: Site) -> None:
    for name in query_pages(older):
        answer = call(older, {"action": "query", "list": "querypage", "qppage": name})
        assert answer["query"]["querypage"]["name"] == name


def test_pages_without_links(older: Site) -> None:
    answer = call(older, {"action": "query", "list": "querypage", "qppage": "Lonelypages"})
    assert answer["query"]["querypage"]["results"] == []


def test_category_tree(older: Site) -> None:
    params = {"action": "parse", "contentmodel": "wikitext", "prop": "text"}
    text = "<categorytree mode=pages>Letters</categorytree>"
    html = call(older, {**params, "text": text})["parse"]["text"]
    assert ">Alpha</a>" in html
    assert ">Béta</a>" in html
