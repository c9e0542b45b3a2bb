"""Link tables against links that are derived anew."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pytest

from wikiapi.errors import StoreError
from wikiapi.pages.links.check import TABLES, check_links, pages_to_check, skipping_unreadable
from wikiapi.pages.links.deriver import LinkDeriver
from wikiapi.site import Site
from wikiapi.store.check import Finding, Severity

PAGES = {
    "Alpha": "[[Beta]] [[File:F.png]] [[Category:C|key]] [https://example.org/x y] [[xx:Page]]"
    " [[:ww:Other]] {{DEFAULTSORT:zz}} {{T}}",
    "Beta": "#REDIRECT [[Alpha#part]]",
    "Template:T": "t",
}


@pytest.fixture
def site(make_site: Callable[..., Site]) -> Site:
    interwiki = {"xx": "https://xx.example/$1", "ww": "https://ww.example/$1"}
    # Texts are taken away below, which must be seen.
    made = make_site(PAGES, interwiki=interwiki, config={"limits": {"text_cache_bytes": 0}})
    made.db.execute_sql("UPDATE page SET page_links_updated = page_touched")
    return made


def check(site: Site, sample: int | None = None) -> list[Finding]:
    derive = skipping_unreadable(LinkDeriver(site).derive)
    return list(check_links(site.db, derive, sample, lambda _: None))


def test_tables_that_agree(site: Site) -> None:
    assert check(site) == []


@pytest.mark.parametrize(
    "table", [t.name for t in TABLES if t.name not in {"langlinks", "existencelinks"}]
)
def test_a_row_that_is_missing(site: Site, table: str) -> None:
    site.db.execute_sql(f"DELETE FROM {table}")
    findings = check(site)
    assert findings
    assert all(finding.problem.startswith(f"{table} lacks ") for finding in findings)
    assert {finding.page for finding in findings} <= {(0, "Alpha"), (0, "Beta")}


def test_tables_that_an_older_mediawiki_lacks_are_passed_by(site: Site) -> None:
    site.db.execute_sql("DROP TABLE existencelinks")
    assert check(site) == []


def test_a_row_too_many(site: Site) -> None:
    site.db.execute_sql("INSERT INTO langlinks VALUES (1, 'yy', 'Seite')")
    (finding,) = check(site)
    assert finding.problem == "langlinks has yy:Seite, which the text does not have"


def test_a_long_list_is_cut(site: Site) -> None:
    for number in range(5):
        site.db.execute_sql(f"INSERT INTO iwlinks VALUES (1, 'ww', 'P{number}')")
    (finding,) = check(site)
    assert (
        finding.problem
        == "iwlinks has ww:P0, ww:P1, ww:P2 and 2 more, which the text does not have"
    )


def test_pages_that_wait_are_counted_and_passed_by(site: Site) -> None:
    site.db.execute_sql("UPDATE page SET page_links_updated = NULL")
    site.db.execute_sql("DELETE FROM pagelinks")
    (finding,) = check(site)
    assert finding.problem == "the links of 3 pages have not been derived yet"
    assert finding.severity is Severity.WARNING


def test_a_sample(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("wikiapi.pages.links.check.PAGES_PER_BATCH", 1)
    assert pages_to_check(site.db, None) == 3
    assert pages_to_check(site.db, 2) == 2
    seen: list[int] = []
    list(check_links(site.db, skipping_unreadable(LinkDeriver(site).derive), 2, seen.append))
    assert seen == [1, 2]
    assert check(site, 0) == []


def test_a_page_that_cannot_be_read_does_not_hide_the_others(site: Site) -> None:
    site.db.execute_sql("DELETE FROM text WHERE old_text = 't'")
    site.db.execute_sql("UPDATE page SET page_latest = 3 WHERE page_id = 3")
    site.db.execute_sql("DELETE FROM pagelinks")
    assert [finding.page for finding in check(site)] in ([], [(0, "Beta")])


def test_a_worker_that_fails_is_a_finding(site: Site) -> None:
    def broken(_: object) -> list[object]:
        raise StoreError("a process that derives links has died")

    (finding,) = check_links(site.db, partial(map, broken), None, lambda _: None)
    assert finding.problem == ("the links cannot be derived: a process that derives links has died")
