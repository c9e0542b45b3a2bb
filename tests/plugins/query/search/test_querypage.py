"""Special pages of a wiki in miser mode: expensive ones show what was kept of them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from tests.plugins.linkwiki import link_wiki
from wikiapi.api.query.reports import query_pages, update_cache, update_caches
from wikiapi.site import Site
from wikiapi.store.queries import querycache
from wikiapi.testing import ask

NOW = datetime(2026, 3, 4, 5, 6, 7, tzinfo=UTC)
MOST = 3


@pytest.fixture
def site() -> Any:
    """Return a wiki in miser mode whose lists have not been made."""
    made = link_wiki({"limits": {"miser_pages": 1, "query_cache_rows": MOST}})
    made.clock = lambda: NOW
    for table in ("querycache", "querycache_info"):
        made.db.execute_sql(f"DELETE FROM {table}")
    yield made
    made.db.close()


@pytest.fixture(scope="module")
def live() -> Any:
    """Return the same wiki, not in miser mode."""
    made = link_wiki()
    yield made
    made.db.close()


def query_page(site: Site, page: str, **more: str) -> dict[str, Any]:
    params = {"list": "querypage", "qppage": page, "qplimit": "max", **more}
    answer = ask(site, {"action": "query", **params})
    assert not answer.codes
    return dict(answer.data["query"]["querypage"])


def made(site: Site, page: str) -> int:
    return update_cache(site, query_pages(site)[page])


def test_a_list_that_was_not_made_is_empty(site: Site) -> None:
    assert query_page(site, "Lonelypages") == {
        "name": "Lonelypages", "cached": True, "maxresults": MOST, "results": [],
    }  # fmt: skip


def test_results_are_the_first_that_are_found(site: Site, live: Site) -> None:
    assert made(site, "Lonelypages") == MOST
    answer = query_page(site, "Lonelypages")
    assert answer["cachedtimestamp"] == "2026-03-04T05:06:07Z"
    whole = query_page(live, "Lonelypages")["results"]
    assert len(whole) > MOST
    # What has no value is numbered.
    numbered = [{"value": str(place), **item} for place, item in enumerate(whole[:MOST])]
    assert answer["results"] == numbered


def test_values_are_kept(site: Site, live: Site) -> None:
    made(site, "Mostlinked")
    assert (
        query_page(site, "Mostlinked")["results"]
        == query_page(live, "Mostlinked")["results"][:MOST]
    )


def test_moments_are_kept_in_seconds(site: Site, live: Site) -> None:
    made(site, "Ancientpages")
    for cached, item in zip(
        query_page(site, "Ancientpages")["results"],
        query_page(live, "Ancientpages")["results"],
        strict=False,
    ):
        moment = datetime.fromisoformat(item["timestamp"])
        assert cached == {**item, "value": str(int(moment.timestamp()))}


def test_an_offset_beyond_what_is_kept_finds_nothing(site: Site) -> None:
    made(site, "Lonelypages")
    first = ask(site, {"action": "query", "list": "querypage", "qppage": "Lonelypages",
                       "qplimit": "2"}).data  # fmt: skip
    assert first["continue"]["qpoffset"] == 2
    assert len(query_page(site, "Lonelypages", qpoffset="2")["results"]) == MOST - 2
    assert query_page(site, "Lonelypages", qpoffset="900000")["results"] == []


def test_generator(site: Site) -> None:
    made(site, "Lonelypages")
    answer = ask(site, {"action": "query", "generator": "querypage", "gqppage": "Lonelypages"})
    titles = {page["title"] for page in answer.data["query"]["pages"]}
    assert titles == {item["title"] for item in query_page(site, "Lonelypages")["results"]}


@pytest.mark.parametrize("page", ["Longpages", "Shortpages", "Mostlinkedcategories"])
def test_lists_with_an_index_are_made_at_once(page: str, site: Site, live: Site) -> None:
    assert query_page(site, page) == query_page(live, page)


def test_every_list_can_be_kept(site: Site, live: Site) -> None:
    for page in query_pages(site).values():
        number = update_cache(site, page)
        if page.right is None:
            assert number == min(MOST, len(query_page(live, page.name)["results"])), page.name


def test_changes_appear_with_the_next_update(site: Site) -> None:
    made(site, "Lonelypages")
    before = query_page(site, "Lonelypages")
    site.db.execute_sql("UPDATE page SET page_is_redirect = 1 WHERE page_title = ?",
                        (before["results"][0]["title"].replace(" ", "_"),))  # fmt: skip
    assert query_page(site, "Lonelypages") == before
    made(site, "Lonelypages")
    assert query_page(site, "Lonelypages")["results"][0] != before["results"][0]


def test_imports_make_lists_that_are_older_than_a_day(site: Site) -> None:
    update_caches(site)
    assert querycache.updated(site.db, "Wantedpages") == "20260304050607"
    site.clock = lambda: NOW + timedelta(hours=23)
    update_caches(site)
    assert querycache.updated(site.db, "Wantedpages") == "20260304050607"
    site.clock = lambda: NOW + timedelta(hours=25)
    update_caches(site)
    assert querycache.updated(site.db, "Wantedpages") == "20260305060607"
    assert querycache.updated(site.db, "Longpages") is None


def test_small_wikis_keep_nothing(live: Site) -> None:
    update_caches(live)
    assert querycache.updated(live.db, "Wantedpages") is None
    assert "cached" not in query_page(live, "Wantedpages")


@pytest.mark.parametrize(("pages", "is_miser"), [(1, True), (0, False), (100_000, False)])
def test_siteinfo_tells_the_mode(pages: int, is_miser: bool) -> None:
    site = link_wiki({"limits": {"miser_pages": pages}})
    answer = ask(site, {"action": "query", "meta": "siteinfo"})
    site.db.close()
    assert answer.data["query"]["general"]["misermode"] is is_miser
