from __future__ import annotations

from wikiapi.store.check import Severity
from wikiapi.store.check.contents import check_categories, check_site_stats, totals
from wikiapi.store.database import Database


def test_totals(db: Database) -> None:
    assert totals(db) == (3, 4, 0)


def test_counters_that_agree(db: Database) -> None:
    assert list(check_site_stats(db, [0])) == []
    assert list(check_categories(db)) == []


def test_counters_that_do_not(db: Database) -> None:
    db.execute_sql("UPDATE site_stats SET ss_total_pages = 9, ss_users = 0")
    findings = list(check_site_stats(db, [0]))
    assert [finding.problem for finding in findings] == [
        "site_stats counts 9 pages, there are 3",
        "site_stats counts 0 accounts, there are 2",
    ]
    assert {finding.severity for finding in findings} == {Severity.WARNING}


def test_articles_are_counted_in_the_content_namespaces(db: Database) -> None:
    (finding,) = check_site_stats(db, [12])
    assert finding.problem == "site_stats counts 1 articles, there are 0"


def test_a_category_that_counts_wrong(db: Database) -> None:
    db.execute_sql("UPDATE category SET cat_pages = 5")
    (finding,) = check_categories(db)
    assert finding.page == (14, "Letters")
    assert finding.problem == "the category counts 5 members, there are 1"
