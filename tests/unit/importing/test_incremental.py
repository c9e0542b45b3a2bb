"""A later dump of the same wiki into the store of an earlier one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.unit.importing.xmldump import dump, page, revision
from wikiapi.errors import DumpError
from wikiapi.importing.deletion import prune, settle_displaced
from wikiapi.importing.finish import finish_import
from wikiapi.importing.importer import ImportReport
from wikiapi.pages.links.update import LinksUpdate
from wikiapi.site import Site
from wikiapi.store.check.references import check_references

ImportBytes = Callable[..., ImportReport]

BOX = page("Template:Box", 10, revision(10, "[[Category:Old]]"), ns=10)
USER = page("User of box", 11, revision(11, "{{Box}}"))
ASKER = page("Asker", 12, revision(12, "{{#ifexist:Late|[[Yes]]|[[No]]}}"))
PLAIN = page("Plain", 13, revision(13, "[[A]]"))


def links(site: Site, table: str = "pagelinks", prefix: str = "pl") -> list[Any]:
    return site.db.execute_sql(
        f"SELECT page_title, lt_title FROM {table} JOIN page ON page_id = {prefix}_from"
        f" JOIN linktarget ON lt_id = {prefix}_target_id ORDER BY 1, 2"
    )


def finished(site: Site) -> int:
    settle_displaced(site.db)
    derived = LinksUpdate(site).run()
    finish_import(site)
    assert list(check_references(site.db)) == []
    return derived


def titles(site: Site) -> list[str]:
    return [row[0] for row in site.db.execute_sql("SELECT page_title FROM page ORDER BY page_id")]


def archived(site: Site) -> list[Any]:
    return site.db.execute_sql(
        "SELECT ar_page_id, ar_title, ar_rev_id FROM archive ORDER BY ar_rev_id"
    )


def pages_with(site: Site, word: str) -> list[int]:
    query = "SELECT rowid FROM searchindex WHERE searchindex MATCH ? ORDER BY 1"
    return [row[0] for row in site.db.execute_sql(query, (word,))]


def test_users_of_a_changed_template_are_derived_again(
    site: Site, import_bytes: ImportBytes
) -> None:
    import_bytes(dump(BOX, USER, PLAIN))
    assert finished(site) == 3
    changed = page(
        "Template:Box", 10, revision(10, "x"), revision(20, "[[Category:New]]", day=2), ns=10
    )
    report = import_bytes(dump(changed, USER, PLAIN))
    assert report.pages == 1
    # The template and the page that transcludes it; the third is left alone.
    assert finished(site) == 2
    assert ("User_of_box", "New") in links(site, "categorylinks", "cl")
    assert ("User_of_box", "Old") not in links(site, "categorylinks", "cl")


def test_pages_that_requested_a_new_page_are_derived_again(
    site: Site, import_bytes: ImportBytes
) -> None:
    import_bytes(dump(ASKER, PLAIN, USER, BOX))
    finished(site)
    assert ("Asker", "No") in links(site)
    import_bytes(dump(page("Late", 30, revision(30, "here", day=3))))
    assert finished(site) == 2
    assert ("Asker", "Yes") in links(site)


def test_moved_page_keeps_its_history_and_leaves_its_title(
    site: Site, import_bytes: ImportBytes
) -> None:
    import_bytes(dump(page("A", 1, revision(1, "first")), page("B", 2)))
    finished(site)
    moved = page("C", 1, revision(1, "first"), revision(5, "first", day=2, parent=1))
    import_bytes(dump(moved, page("B", 2)))
    finished(site)
    assert titles(site) == ["C", "B"]
    assert site.db.execute_sql("SELECT rev_id FROM revision WHERE rev_page = 1") == [(1,), (5,)]
    assert archived(site) == []
    assert pages_with(site, "first") == [1]


@pytest.mark.parametrize("one_transaction", [True, False])
@pytest.mark.parametrize("with_history", [True, False])
def test_title_that_went_to_a_page_of_lower_id(
    site: Site, import_bytes: ImportBytes, *, one_transaction: bool, with_history: bool
) -> None:
    """The page that had it is displaced before it comes up under its new title."""
    import_bytes(dump(page("Low", 3), page("A", 5, revision(5, "of five"))))
    finished(site)
    history = (revision(5, "of five"),) if with_history else ()
    items = (
        page("A", 3, revision(8, "of three", day=2)),
        page("B", 5, *history, revision(9, "of five again", day=2)),
    )
    import_bytes(dump(*items), items_per_transaction=100 if one_transaction else 1)
    finished(site)
    assert titles(site) == ["A", "B"]
    assert site.db.execute_sql("SELECT rev_id FROM revision WHERE rev_page = 5") == [(5,), (9,)]
    assert archived(site) == []


def test_page_whose_title_another_has_now_is_archived(
    site: Site, import_bytes: ImportBytes
) -> None:
    import_bytes(dump(page("A", 1, revision(1, "old", who="<ip>192.0.2.7</ip>"))))
    finished(site)
    import_bytes(dump(page("A", 2, revision(2, "new", day=2))))
    finished(site)
    assert archived(site) == [(1, "A", 1)]
    assert site.db.execute_sql("SELECT count(*) FROM ip_changes") == [(0,)]
    assert site.db.execute_sql("SELECT rev_id FROM revision") == [(2,)]


def test_page_that_was_restored_gets_its_revisions_back(
    site: Site, import_bytes: ImportBytes
) -> None:
    test_page_whose_title_another_has_now_is_archived(site, import_bytes)
    back = page("Back", 7, revision(1, "old", who="<ip>192.0.2.7</ip>"), revision(3, "x", day=3))
    import_bytes(dump(back))
    finished(site)
    assert archived(site) == []
    assert site.db.execute_sql("SELECT rev_id FROM revision WHERE rev_page = 7") == [(1,), (3,)]
    assert site.db.execute_sql("SELECT ipc_rev_id, ipc_hex FROM ip_changes") == [(1, "C0000207")]


def pruned(site: Site, import_bytes: ImportBytes, data: bytes) -> int:
    import_bytes(data, for_pruning=True)
    count = prune(site.db)
    finished(site)
    return count


def test_pruning_removes_what_a_full_dump_no_longer_has(
    site: Site, import_bytes: ImportBytes
) -> None:
    import_bytes(dump(BOX, USER, PLAIN, ASKER))
    import_bytes(dump(page("User:Ada", 40, ns=2), page("Late", 41, revision(41, "x", day=9))))
    finished(site)
    newer = dump(BOX, PLAIN, page("Other", 14, revision(14, "x", day=4)))
    # Neither the only page of its namespace nor one that is newer than the dump.
    assert pruned(site, import_bytes, newer) == 2
    assert titles(site) == ["Box", "Plain", "Other", "User:Ada", "Late"]
    assert archived(site) == [(11, "User_of_box", 11), (12, "Asker", 12)]
    assert links(site, "templatelinks", "tl") == []
    # Given again, the command finds everything done.
    assert pruned(site, import_bytes, newer) == 0


def test_pruning_with_a_dump_that_was_imported_before(
    site: Site, import_bytes: ImportBytes
) -> None:
    data = dump(PLAIN, BOX, USER)
    import_bytes(data)
    import_bytes(dump(ASKER))
    finished(site)
    assert pruned(site, import_bytes, data) == 1
    assert titles(site) == ["Box", "User_of_box", "Plain"]


def test_pruning_with_a_partial_dump_is_refused(site: Site, import_bytes: ImportBytes) -> None:
    import_bytes(dump(PLAIN, USER, ASKER))
    finished(site)
    import_bytes(dump(PLAIN, page("New", 50, revision(50, "x", day=2))), for_pruning=True)
    assert prune(site.db) == 2
    import_bytes(dump(page("New", 50, revision(50, "x", day=2))), for_pruning=True)
    import_bytes(dump(*(page(f"P{n}", n) for n in range(60, 64))))
    with pytest.raises(DumpError, match="not a full dump"):
        prune(site.db)
    assert len(titles(site)) == 6
    assert prune(site.db) == 0
