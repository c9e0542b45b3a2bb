from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.unit.importing.conftest import ImportBytes
from tests.unit.importing.xmldump import dump, page, redirect, revision
from wikiapi.errors import DumpError
from wikiapi.hookspecs import hookimpl
from wikiapi.importing.finish import finish_import
from wikiapi.site import Site

PAGES = "SELECT page_id, page_namespace, page_title, page_latest FROM page ORDER BY page_id"
TEXTS = (
    "SELECT slot_revision_id, role_name, slot_origin, model_name, content_size, content_sha1,"
    " old_text FROM slots JOIN slot_roles ON role_id = slot_role_id"
    " JOIN content ON content_id = slot_content_id"
    " JOIN content_models ON model_id = content_model"
    " JOIN text ON old_id = CAST(substr(content_address, 4) AS INTEGER)"
    " ORDER BY slot_revision_id, role_name"
)


def pages_with(site: Site, words: str) -> list[int]:
    rows = site.db.execute_sql("SELECT rowid FROM searchindex WHERE searchindex MATCH ?", (words,))
    return sorted(row[0] for row in rows)


def test_page_revision_and_text(site: Site, import_bytes: ImportBytes) -> None:
    import_bytes(dump(page("Template:Über uns", 5, revision(8, "é"), ns=10)))
    assert site.db.execute_sql(PAGES) == [(5, 10, "Über_uns", 8)]
    assert site.db.execute_sql(
        "SELECT rev_page, rev_timestamp, rev_len, rev_parent_id, rev_sha1, actor_user, actor_name"
        " FROM revision JOIN actor ON actor_id = rev_actor"
    ) == [(5, "20240101000008", 2, 0, "mbjtohs1ktyw7gssrnlvnpbszhhlflp", 7, "Ada")]
    assert site.db.execute_sql(TEXTS) == [
        (8, "main", 8, "wikitext", 2, "mbjtohs1ktyw7gssrnlvnpbszhhlflp", "é")
    ]
    assert site.db.execute_sql(
        "SELECT page_is_new, page_len, page_touched, page_content_model FROM page"
    ) == [(1, 2, "20240101000008", "wikitext")]


def test_newest_revision_is_the_current_one(site: Site, import_bytes: ImportBytes) -> None:
    history = (
        revision(3, "old", day=1),
        revision(2, "newest", parent=3, day=9),
        revision(4, "", day=5),
    )
    report = import_bytes(dump(page("A", 1, *history)))
    assert report.revisions == 3
    assert site.db.execute_sql(PAGES) == [(1, 0, "A", 2)]
    assert site.db.execute_sql("SELECT page_is_new FROM page") == [(0,)]
    assert pages_with(site, "newest") == [1]
    assert pages_with(site, "old") == []


def test_content_keeps_its_origin(site: Site, import_bytes: ImportBytes) -> None:
    null_edit = revision(2, "x", parent=1, day=2).replace("<origin>2<", "<origin>1<")
    import_bytes(dump(page("A", 1, revision(1, "x"), null_edit)))
    assert [row[:3] for row in site.db.execute_sql(TEXTS)] == [(1, "main", 1), (2, "main", 1)]


def test_further_slots(site: Site, import_bytes: ImportBytes) -> None:
    content = (
        "<content><role>data</role><origin>1</origin><model>json</model><text>{}</text></content>"
    )
    import_bytes(dump(page("A", 1, revision(1, "abc", more=content))))
    rows = site.db.execute_sql(TEXTS)
    assert [(row[1], row[3], row[6]) for row in rows] == [
        ("data", "json", "{}"),
        ("main", "wikitext", "abc"),
    ]
    assert site.db.execute_sql("SELECT rev_len FROM revision") == [(5,)]


def test_redirects(site: Site, import_bytes: ImportBytes) -> None:
    import_bytes(dump(page("A", 1, more=redirect("Template:B c"))))
    assert site.db.execute_sql("SELECT * FROM redirect") == [(1, 10, "B_c", "", "")]
    assert site.db.execute_sql("SELECT page_is_redirect FROM page") == [(1,)]


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ("edit=sysop:move=autoconfirmed", [("edit", "sysop"), ("move", "autoconfirmed")]),
        ("sysop", [("edit", "sysop"), ("move", "sysop")]),
        ("edit=:move=", []),
        ("", []),
    ],
)
def test_restrictions(
    site: Site, import_bytes: ImportBytes, text: str, rows: list[tuple[str, str]]
) -> None:
    import_bytes(dump(page("A", 1, more=f"<restrictions>{text}</restrictions>")))
    stored = site.db.execute_sql(
        "SELECT pr_type, pr_level, pr_expiry FROM page_restrictions ORDER BY 1"
    )
    assert stored == [(*row, "infinity") for row in rows]


def test_addresses_and_accounts(site: Site, import_bytes: ImportBytes) -> None:
    history = (
        revision(1, "a", who="<ip>192.0.2.7</ip>"),
        revision(2, "b", who="<ip>2001:DB8::1</ip>", parent=1),
        revision(3, "c", who="<username>en&gt;Eve</username><id>0</id>", parent=2),
        revision(4, "d", parent=3),
    )
    import_bytes(dump(page("A", 1, *history)))
    finish_import(site)
    assert site.db.execute_sql("SELECT ipc_rev_id, ipc_hex FROM ip_changes ORDER BY 1") == [
        (1, "C0000207"),
        (2, "v6-20010DB8000000000000000000000001"),
    ]
    assert site.db.execute_sql("SELECT user_id, user_name, user_editcount FROM user") == [
        (7, "Ada", 1)
    ]
    assert site.db.execute_sql("SELECT actor_user, actor_name FROM actor ORDER BY actor_id") == [
        (None, "192.0.2.7"),
        (None, "2001:DB8::1"),
        (None, "en>Eve"),
        (7, "Ada"),
    ]


def test_suppressed_text_is_not_there(site: Site, import_bytes: ImportBytes) -> None:
    hidden = revision(1, "", attributes=' bytes="12" deleted="deleted"')
    import_bytes(dump(page("A", 1, hidden)))
    assert site.db.execute_sql("SELECT rev_deleted, rev_len FROM revision") == [(1, 12)]


def test_texts_that_a_dump_leaves_out_are_counted(site: Site, import_bytes: ImportBytes) -> None:
    stub = revision(1, "", attributes=' bytes="12" id="5"')
    empty = revision(2, "", attributes=' bytes="0"')
    hidden = revision(3, "", attributes=' bytes="12" deleted="deleted"')
    assert import_bytes(dump(page("A", 1, stub, empty, hidden))).without_text == 1


def test_log_entries(site: Site, import_bytes: ImportBytes) -> None:
    item = (
        "<logitem><id>3</id><timestamp>2024-01-01T00:00:00Z</timestamp>"
        "<contributor><username>Ada</username><id>7</id></contributor><comment>c</comment>"
        "<type>delete</type><action>delete</action><logtitle>Template:X y</logtitle>"
        "<params>a:0:{}</params></logitem>"
    )
    report = import_bytes(dump(item))
    assert report.log_entries == 1
    assert site.db.execute_sql(
        "SELECT log_id, log_type, log_action, log_namespace, log_title, log_params, actor_name"
        " FROM logging JOIN actor ON actor_id = log_actor"
    ) == [(3, "delete", "delete", 10, "X_y", "a:0:{}", "Ada")]


def test_uploads(site: Site, import_bytes: ImportBytes) -> None:
    upload = (
        "<upload><timestamp>2024-01-0{n}T00:00:00Z</timestamp>"
        "<contributor><username>Ada</username><id>7</id></contributor><comment>up</comment>"
        "<filename>A b.png</filename><src>http://x/</src><size>{n}</size>{more}</upload>"
    )
    old = upload.format(n=1, more="<archivename>20240102000000!A b.png</archivename>")
    new = upload.format(n=2, more="")
    import_bytes(dump(page("File:A b.png", 1, revision(1, ""), new, old, ns=6)))
    columns = "name, {p}_size, {p}_timestamp, {p}_media_type, {p}_minor_mime"
    assert site.db.execute_sql("SELECT img_" + columns.format(p="img") + " FROM image") == [
        ("A_b.png", 2, "20240102000000", "BITMAP", "png")
    ]
    assert site.db.execute_sql("SELECT oi_" + columns.format(p="oi") + " FROM oldimage") == [
        ("A_b.png", 1, "20240101000000", "BITMAP", "png")
    ]


@pytest.mark.parametrize(
    ("title", "ns"),
    [
        ("A\nB", 0), ("A|B", 0), ("../../etc/passwd", 0), ("A" * 256, 0), ("_A", 0), ("A__B", 0),
        ("A%20B", 0), ("A&amp;B", 0), ("Special:Log", -1), ("Other:X", 10), ("Template:", 10),
        ("~~~~", 0), ("A\u200eB", 0), ("<script>", 0),
    ],
)  # fmt: skip
def test_invalid_titles_are_left_out(
    site: Site, import_bytes: ImportBytes, title: str, ns: int
) -> None:
    report = import_bytes(dump(page(title, 1, ns=ns), page("Good", 2)))
    assert report.refused == [title]
    assert site.db.execute_sql(PAGES) == [(2, 0, "Good", 2)]
    assert site.db.execute_sql("SELECT rev_id FROM revision") == [(2,)]


def test_page_without_revisions_is_left_out(site: Site, import_bytes: ImportBytes) -> None:
    data = dump("<page><title>A</title><ns>0</ns><id>1</id></page>", page("B", 2))
    assert import_bytes(data).pages == 1
    assert site.db.execute_sql(PAGES) == [(2, 0, "B", 2)]


def test_same_dump_again_does_nothing(site: Site, import_bytes: ImportBytes) -> None:
    data = dump(page("A", 1), page("B", 2))
    assert import_bytes(data).pages == 2
    before = snapshot(site)
    assert import_bytes(data).already_done
    assert snapshot(site) == before


# Several dumps in one store


def test_later_dump_updates_and_keeps(site: Site, import_bytes: ImportBytes) -> None:
    first, second = revision(1, "first words"), revision(5, "second words", parent=1, day=2)
    import_bytes(dump(page("A", 1, first), page("Gone", 2, revision(2, "kept"))))
    report = import_bytes(dump(page("A", 1, first, second), page("C", 3, revision(3, "new"))))
    assert (report.pages, report.revisions) == (2, 2)
    assert site.db.execute_sql(PAGES) == [(1, 0, "A", 5), (2, 0, "Gone", 2), (3, 0, "C", 3)]
    assert pages_with(site, "first") == []
    assert pages_with(site, "second") == [1]
    assert site.db.execute_sql("SELECT count(*) FROM revision") == [(4,)]


def test_earlier_dump_adds_history_only(site: Site, import_bytes: ImportBytes) -> None:
    import_bytes(dump(page("A", 1, revision(5, "new", parent=1, day=2))))
    report = import_bytes(dump(page("Old name", 1, revision(1, "old"))))
    assert (report.pages, report.revisions) == (0, 1)
    assert site.db.execute_sql(PAGES) == [(1, 0, "A", 5)]
    assert pages_with(site, "old") == []


def test_moved_page_and_its_successor(site: Site, import_bytes: ImportBytes) -> None:
    import_bytes(dump(page("A", 1, revision(1, "one")), page("B", 2, revision(2, "two"))))
    moved = page("B", 1, revision(1, "one"), revision(8, "one moved", parent=1, day=3))
    swapped = page("A", 2, revision(2, "two"), revision(9, "two moved", parent=2, day=3))
    import_bytes(dump(moved, swapped))
    assert site.db.execute_sql(PAGES) == [(1, 0, "B", 8), (2, 0, "A", 9)]
    assert pages_with(site, "moved") == [1, 2]
    assert pages_with(site, "two") == [2]


def test_title_twice_in_one_dump_goes_to_the_newer(site: Site, import_bytes: ImportBytes) -> None:
    older = page("A", 1, revision(1, "older", day=1))
    newer = page("A", 2, revision(2, "newer", day=2))
    import_bytes(dump(newer, older))
    assert site.db.execute_sql(PAGES) == [(2, 0, "A", 2)]
    assert pages_with(site, "older") == []


def test_dump_of_another_wiki_is_refused(site: Site, import_bytes: ImportBytes) -> None:
    import_bytes(dump(page("A", 1)))
    before = snapshot(site)
    other = dump(page("B", 1), wiki_id="otherwiki")
    with pytest.raises(DumpError, match="'otherwiki', but the store has 'testwiki'"):
        import_bytes(other)
    assert snapshot(site) == before
    import_bytes(other, any_wiki=True)


# Broken dumps


def test_dump_malformed_at_its_head_writes_nothing(site: Site, import_bytes: ImportBytes) -> None:
    before = snapshot(site)
    with pytest.raises(DumpError, match=r"line 7: .*; nothing was imported") as caught:
        import_bytes(dump(page("A", 1), "<page><b></page>"))
    assert caught.value.line == 7
    assert snapshot(site) == before


def test_complete_transactions_before_the_place_stay(site: Site, import_bytes: ImportBytes) -> None:
    pages = [page(f"P{n}", n) for n in range(1, 11)]
    broken = dump(*pages, "<page><b></page>")
    with pytest.raises(DumpError, match="; 8 pages were imported before"):
        import_bytes(broken, items_per_transaction=4)
    assert site.db.execute_sql("SELECT count(*) FROM page") == [(8,)]
    assert site.db.execute_sql("SELECT count(*) FROM revision") == [(8,)]
    assert pages_with(site, "text") == list(range(1, 9))
    assert import_bytes(dump(*pages)).pages == 2


def test_page_of_any_length_is_one_transaction(
    site: Site, import_bytes: ImportBytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("wikiapi.importing.sink._PENDING_REVISIONS", 3)
    history = [revision(n, f"text {n}", parent=n - 1) for n in range(1, 20)]
    before = snapshot(site)
    with pytest.raises(DumpError):
        import_bytes(dump(page("A", 1, *history, more="")[:-8] + "<b></page>"))
    assert snapshot(site) == before
    import_bytes(dump(page("A", 1, *history)))
    assert site.db.execute_sql("SELECT count(*) FROM revision") == [(19,)]


# Around it


def test_hooks_are_called(make_site: Callable[..., Site], import_bytes: ImportBytes) -> None:
    events: list[Any] = []

    class Listener:
        @hookimpl
        def on_import_page(self, site: Site, page: Any, revision: Any) -> None:
            events.append((page.title, revision.id, revision.main.text))

        @hookimpl
        def on_import_finished(self, site: Site) -> None:
            events.append("finished")

    site = make_site(plugins=[Listener()])
    events.clear()
    import_bytes(dump(page("A", 1, revision(3, "x"), revision(4, "y"))), into=site)
    finish_import(site)
    assert events == [("A", 4, "y"), "finished"]


def test_head_is_shown_before_anything_is_written(site: Site, import_bytes: ImportBytes) -> None:
    before = snapshot(site)

    def refuse(info: Any) -> None:
        raise DumpError(f"not {info.name}")

    with pytest.raises(DumpError, match="not Tests; nothing was imported"):
        import_bytes(dump(page("A", 1)), on_site_info=refuse)
    assert snapshot(site) == before


def test_statistics(site: Site, import_bytes: ImportBytes) -> None:
    import_bytes(
        dump(
            page("A", 1, revision(1, "a"), revision(2, "b", parent=1)),
            page("B", 2, revision(3, "")),
        )
    )
    finish_import(site)
    assert site.db.execute_sql(
        "SELECT ss_total_edits, ss_total_pages, ss_users FROM site_stats"
    ) == [(3, 2, 1)]


def test_search_index_agrees_with_the_texts(site: Site, import_bytes: ImportBytes) -> None:
    import_bytes(dump(*(page(f"P{n}", n) for n in range(1, 40))), items_per_transaction=7)
    import_bytes(
        dump(*(page(f"P{n}", n, revision(n + 100, "changed", day=2)) for n in range(1, 20)))
    )
    site.db.execute_sql("INSERT INTO searchindex (searchindex, rank) VALUES ('integrity-check', 1)")
    assert pages_with(site, "changed") == list(range(1, 20))


def snapshot(site: Site) -> dict[str, list[Any]]:
    """Return every row of every table, but for the words of the search index."""
    names = site.db.execute_sql(
        "SELECT name FROM sqlite_master WHERE type = 'table'"
        " AND name NOT LIKE 'searchindex%' AND name NOT LIKE 'sqlite%'"
    )
    return {
        name: sorted(site.db.execute_sql(f'SELECT * FROM "{name}"'), key=repr) for (name,) in names
    }
