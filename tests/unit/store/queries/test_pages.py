"""Pages, redirects, properties, protection."""

from __future__ import annotations

from wikiapi.store.database import Database
from wikiapi.store.models import Archive, PageRestrictions
from wikiapi.store.queries import pages, protection, redirects
from wikiapi.store.queries.pages import PageRow
from wikiapi.store.queries.protection import CascadeSource, Restriction, TitleProtection
from wikiapi.store.queries.redirects import RedirectRow

ALPHA = PageRow(1, 0, "Alpha", 0, 1, "20240101000000", 2, 9, "wikitext", None)


def test_by_titles_of_several_namespaces(wiki: Database) -> None:
    keys = [(0, "Alpha"), (10, "Nav"), (0, "Béta"), (0, "Nowhere"), (4, "Alpha"), (0, "Alpha")]
    rows = pages.by_titles(wiki, keys)
    assert {key: row.page_id for key, row in rows.items()} == {
        (0, "Alpha"): 1,
        (10, "Nav"): 4,
        (0, "Béta"): 2,
    }
    assert rows[0, "Alpha"] == ALPHA
    assert ALPHA.key == (0, "Alpha")


def test_titles_are_compared_byte_by_byte(wiki: Database) -> None:
    assert pages.by_titles(wiki, [(0, "alpha"), (0, "ALPHA"), (0, "Alpha "), (0, "Al%")]) == {}


def test_by_ids(wiki: Database) -> None:
    assert pages.by_ids(wiki, [1, 1, 99]) == {1: ALPHA}


def test_by_revision_ids_knows_old_revisions_and_no_deleted_ones(wiki: Database) -> None:
    rows = pages.by_revision_ids(wiki, [1, 2, 3, 100, 9999])
    assert {rev_id: row.page_id for rev_id, row in rows.items()} == {1: 1, 2: 1, 3: 2}


def test_deleted_revisions_less_the_suppressed(wiki: Database) -> None:
    assert wiki.scalar(Archive.select(Archive.ar_deleted).where(Archive.ar_rev_id == 101)) == 1
    assert pages.archived_revision_ids(wiki, [1, 100, 101]) == {100: (0, "Gone")}


def test_existing(wiki: Database) -> None:
    assert pages.existing(wiki, [(0, "Alpha"), (10, "Alpha"), (10, "Nav")]) == {
        (0, "Alpha"),
        (10, "Nav"),
    }


def test_redirect_targets(wiki: Database) -> None:
    assert redirects.targets(wiki, [1, 3]) == {3: RedirectRow(3, 0, "Alpha", "", "Top")}


def test_a_property_of_a_page_or_of_the_page_it_redirects_to(wiki: Database) -> None:
    rows = pages.by_ids(wiki, [1, 2, 3])
    with wiki.recording() as log:
        display_titles = redirects.property_through_redirects(wiki, rows.values(), "displaytitle")
    assert display_titles == {rows[1].key: "<i>Alpha</i>", rows[3].key: "<i>Alpha</i>"}
    assert len(log) == 4
    assert redirects.property_through_redirects(wiki, [rows[2]], "displaytitle") == {}


def test_properties_all_and_named(wiki: Database) -> None:
    assert pages.page_props(wiki, [1, 2, 5]) == {
        1: {"displaytitle": "<i>Alpha</i>", "notoc": ""},
        5: {"hiddencat": ""},
    }
    assert pages.page_props(wiki, [1, 5], ["notoc"]) == {1: {"notoc": ""}}


def test_protection_of_pages_and_titles(wiki: Database) -> None:
    assert protection.of_pages(wiki, [1, 2]) == {1: [Restriction("edit", "sysop", "infinity", 1)]}
    assert protection.of_titles(wiki, [(0, "Missing"), (0, "Alpha")]) == {
        (0, "Missing"): TitleProtection("sysop", "infinity")
    }


def test_cascade_reaches_templates_and_files(wiki: Database) -> None:
    source = CascadeSource(1, 0, "Alpha", "edit", "sysop", "infinity")
    columns = ("pr_page", "pr_type", "pr_level", "pr_cascade")
    wiki.insert_many(PageRestrictions, [(2, "move", "sysop", 1)], columns)
    assert protection.cascade_sources(wiki, [(10, "Nav"), (6, "Sun.png"), (0, "Alpha")]) == {
        (10, "Nav"): [source],
        (6, "Sun.png"): [CascadeSource(2, 0, "Béta", "move", "sysop", "infinity", is_shown=True)],
    }


def test_protection_without_cascade_reaches_nothing(wiki: Database) -> None:
    wiki.execute_write(PageRestrictions.update(pr_cascade=0))
    assert protection.cascade_sources(wiki, [(10, "Nav")]) == {}
