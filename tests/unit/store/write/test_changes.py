"""Recent changes that are made from revisions and the log."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from wikiapi.importing.finish import finish_import
from wikiapi.site import Site
from wikiapi.store.database import Database
from wikiapi.store.models import (
    Actor,
    ChangeTag,
    ChangeTagDef,
    Comment,
    Logging,
    Page,
    RecentChanges,
)
from wikiapi.store.write import changes
from wikiapi.store.write.changes import newest, rebuild_recent_changes
from wikiapi.store.write.ids import Comments
from wikiapi.testing import DeclaredUser, Edit, ask, make_site

UPLOAD = 'a:2:{s:8:"img_sha1";s:1:"x";s:17:"associated_rev_id";i:5;}'
LOG = (
    (11, "upload", "upload", "20260103000000", UPLOAD),
    (12, "delete", "delete", "20260104000000", "a:0:{}"),
    (13, "create", "create", "20260104000000", "a:0:{}"),
    (14, "patrol", "patrol", "20260104000000", "a:0:{}"),
    (15, "suppress", "delete", "20260104000000", "a:0:{}"),
    (16, "newusers", "autocreate", "20260104000000", "a:0:{}"),
    (17, "newusers", "create", "20260105000000", 'O:3:"Bad":0:{}associated_rev_id'),
    (18, "block", "block", "20200101000000", "a:0:{}"),
)


@pytest.fixture
def site(make_site: Callable[..., Site]) -> Site:
    made = make_site(
        {
            "Page": [
                Edit("1", user="Ada", timestamp="20250101000000"),
                Edit("two", user="Ada", timestamp="20260101000000", comment="why", minor=True),
                Edit("three", user="Robot", timestamp="20260102000000"),
            ],
            "Talk:Page": Edit("new", user="192.0.2.9", timestamp="20260101000000"),
            "File:A.png": Edit("file", user="Ada", timestamp="20260103000000"),
        },
        users=["Ada", DeclaredUser("Robot", groups=("bot",))],
    )
    comment = Comments(made.db).ids(["log"])["log"]
    columns = (
        *("log_id", "log_type", "log_action", "log_timestamp", "log_params"),
        *("log_actor", "log_title", "log_comment_id"),
    )
    rows = ((*entry, 1, "A.png", comment) for entry in LOG)
    made.db.insert_many(Logging, rows, columns)
    return made


def recent_changes(db: Database, *columns: Any) -> list[Any]:
    return db.execute(RecentChanges.select(*columns).order_by(RecentChanges.rc_id))


def test_edits_and_entries_by_time(site: Site) -> None:
    table = RecentChanges
    assert rebuild_recent_changes(site.db, "20250601000000") == 6
    assert recent_changes(
        site.db, table.rc_timestamp, table.rc_source, table.rc_type, table.rc_logid
    ) == [
        ("20260101000000", "mw.edit", 0, 0),
        ("20260101000000", "mw.new", 1, 0),
        ("20260102000000", "mw.edit", 0, 0),
        ("20260103000000", "mw.log", 3, 11),
        ("20260104000000", "mw.log", 3, 12),
        ("20260105000000", "mw.log", 3, 17),
    ]


def test_fields_of_an_edit(site: Site) -> None:
    rebuild_recent_changes(site.db, "20250601000000")
    table = RecentChanges
    query = (
        table.select(
            table.rc_namespace, table.rc_title, Actor.actor_name, Comment.comment_text,
            table.rc_minor, table.rc_bot, Page.page_title, table.rc_this_oldid,
            table.rc_last_oldid, table.rc_old_len, table.rc_new_len,
        )
        .join_from(table, Actor, on=(Actor.actor_id == table.rc_actor))
        .join_from(table, Comment, on=(Comment.comment_id == table.rc_comment_id))
        .join_from(table, Page, on=(Page.page_id == table.rc_cur_id))
        .where(table.rc_source != "mw.log")
        .order_by(table.rc_id)
    )  # fmt: skip
    assert site.db.execute(query) == [
        (0, "Page", "Ada", "why", 1, 0, "Page", 2, 1, 1, 3),
        (1, "Page", "192.0.2.9", "", 0, 0, "Page", 4, 0, 0, 3),
        (0, "Page", "Robot", "", 0, 1, "Page", 3, 2, 3, 5),
    ]


def test_an_entry_replaces_the_edit_that_belongs_to_it(site: Site) -> None:
    rebuild_recent_changes(site.db, "20250601000000")
    table = RecentChanges
    rows = recent_changes(site.db, table.rc_logid, table.rc_this_oldid, table.rc_source)
    assert [row for row in rows if row[1] == 5] == [(11, 5, "mw.log")]


def test_a_revision_that_changes_nothing_is_not_a_change() -> None:
    site = make_site({"Page": [Edit("one"), Edit("one", comment="moved"), Edit("two")]})
    assert recent_changes(site.db, RecentChanges.rc_this_oldid) == [(1,), (3,)]
    site.db.close()


def test_batches_meet(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    columns = RecentChanges._meta.sorted_fields[1:]
    rebuild_recent_changes(site.db, "20200101000000")
    whole = recent_changes(site.db, *columns)
    monkeypatch.setattr(changes, "_BATCH", 1)
    assert rebuild_recent_changes(site.db, "20200101000000") == len(whole) == 8
    assert recent_changes(site.db, *columns) == whole


def test_a_change_keeps_its_id(site: Site) -> None:
    table = RecentChanges
    site.db.execute_write(table.delete())
    rebuild_recent_changes(site.db, "20200101000000")
    before = recent_changes(site.db, *table._meta.sorted_fields)
    rebuild_recent_changes(site.db, "20200101000000")
    assert recent_changes(site.db, *table._meta.sorted_fields) == before
    rebuild_recent_changes(site.db, "20250601000000")
    assert recent_changes(site.db, *table._meta.sorted_fields) == before[2:]
    rebuild_recent_changes(site.db, "20200101000000")
    after = recent_changes(site.db, *table._meta.sorted_fields)
    assert after[:-2] == before[2:]
    assert {row[1:] for row in after} == {row[1:] for row in before}
    assert min(row[0] for row in after[-2:]) > before[-1][0], "an id is never given again"


def test_a_change_with_other_fields_keeps_its_id(site: Site) -> None:
    table = RecentChanges
    rebuild_recent_changes(site.db, "20250601000000")
    before = recent_changes(site.db, table.rc_id, table.rc_this_oldid)
    site.db.execute_write(Page.update(page_title="Moved").where(Page.page_title == "Page"))
    site.db.execute_write(Logging.delete().where(Logging.log_id == 12))
    rebuild_recent_changes(site.db, "20250601000000")
    titles = {title for (title,) in recent_changes(site.db, table.rc_title)}
    assert titles == {"Moved", "A.png"}
    after = recent_changes(site.db, table.rc_id, table.rc_this_oldid)
    assert after == [*before[:4], *before[5:]], "but that of the entry that is gone"


@pytest.mark.parametrize("batch", [1, 2, 3])
def test_ids_stay_across_batches(site: Site, batch: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("wikiapi.store.write.changes.BATCH", batch)
    table = RecentChanges
    site.db.execute_write(table.delete())
    rebuild_recent_changes(site.db, "20200101000000")
    whole = recent_changes(site.db, *table._meta.sorted_fields)
    site.db.execute_write(table.delete().where(table.rc_id.bin_and(1) == 0))
    site.db.execute_write(table.update(rc_title="Wrong").where(table.rc_id.bin_and(3) == 3))
    rebuild_recent_changes(site.db, "20200101000000")
    again = recent_changes(site.db, *table._meta.sorted_fields)
    assert sorted(row[1:] for row in again) == sorted(row[1:] for row in whole)
    kept = {row for row in whole if row[0] % 2}
    assert len(again) == len(whole)
    assert {row for row in again if row[0] <= whole[-1][0]} == kept


def test_tags_go_with_what_they_mark(site: Site) -> None:
    site.db.insert_many(ChangeTagDef, [(1, "good", 1, 3)])
    columns = ("ct_rc_id", "ct_log_id", "ct_rev_id", "ct_tag_id")
    marks = [(1, None, 3, 1), (2, 12, None, 1), (3, None, 1, 1)]
    site.db.insert_many(ChangeTag, marks, columns)
    rebuild_recent_changes(site.db, "20250601000000")
    answer = ask(
        site,
        {"action": "query", "list": "recentchanges", "rctag": "good", "rcprop": "ids|loginfo"},
    )
    items = answer.data["query"]["recentchanges"]
    assert [(item["revid"], item.get("logid")) for item in items] == [(0, 12), (3, None)]


def test_the_newest_change_ends_the_window(site: Site) -> None:
    assert newest(site.db) == "20260105000000"
    finish_import(site, recent_days=3)
    table = RecentChanges
    assert (
        next(moment for (moment,) in recent_changes(site.db, table.rc_timestamp))
        == "20260102000000"
    )
    finish_import(site, recent_days=0)
    assert len(recent_changes(site.db, table.rc_id)) == 4


def test_an_empty_store_has_no_changes() -> None:
    site = make_site()
    assert newest(site.db) is None
    assert recent_changes(site.db, RecentChanges.rc_id) == []
    site.db.close()


@pytest.mark.parametrize(
    "params",
    [{"action": "feedrecentchanges"}, {"action": "query", "list": "recentchanges"}],
    ids=lambda params: params["action"],
)
def test_declared_wikis_have_recent_changes(site: Site, params: dict[str, str]) -> None:
    answer = ask(site, params)
    assert not answer.codes
    raw = answer.context.result.raw
    text = raw.body.decode() if raw else str(answer.data)
    assert "Talk:Page" in text
