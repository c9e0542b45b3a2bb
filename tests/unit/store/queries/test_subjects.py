"""Files, users, logs, the site's own numbers."""

from __future__ import annotations

import pytest

from wikiapi.store.database import Database
from wikiapi.store.models import (
    Block,
    BlockTarget,
    Interwiki,
    Logging,
    RecentChanges,
    SiteStats,
    User,
    UserGroups,
    UserProperties,
)
from wikiapi.store.queries import files, interwiki, logs, recentchanges, sitestats, users
from wikiapi.store.queries.interwiki import InterwikiRow
from wikiapi.store.queries.sitestats import Statistics
from wikiapi.store.queries.users import GroupRow
from wikiapi.store.queries.visibility import RESTRICTED, USER, not_hidden
from wikiapi.store.write.revisions import sha1_base36


def block(db: Database, *, hide: int) -> None:
    db.insert_many(BlockTarget, [(1, 1, "Ada")], ("bt_id", "bt_user", "bt_user_text"))
    columns = ("bl_id", "bl_target", "bl_by_actor", "bl_reason_id", "bl_timestamp", "bl_expiry")
    row = (1, 1, 1, 1, "20240101000000", "infinity", hide)
    db.insert_many(Block, [row], (*columns, "bl_deleted"))


def test_current_version_of_a_file(wiki: Database) -> None:
    version = files.by_names(wiki, ["Sun.png", "Moon.png"])["Sun.png"]
    assert (version.size, version.width, version.height) == (3, 10, 20)
    assert version.user_name == "Ada"
    assert version.metadata == b'{"data":{}}'
    assert files.existing(wiki, ["Sun.png", "sun.png"]) == {"Sun.png"}


def test_history_newest_first_without_hidden_parts(wiki: Database) -> None:
    hidden, open_ = files.history(wiki, ["Sun.png"])["Sun.png"]
    assert (hidden.timestamp, open_.timestamp) == ("20230102000000", "20230101000000")
    assert (hidden.user_name, hidden.comment, hidden.sha1, hidden.metadata) == (None,) * 4
    assert open_.user_name == "Ada"


def test_files_of_the_same_content(wiki: Database) -> None:
    digest = sha1_base36(b"new")
    assert [row.name for row in files.by_sha1(wiki, [digest])[digest]] == ["Sun.png"]


def test_users_with_groups_and_preferences(wiki: Database) -> None:
    wiki.insert_many(UserGroups, [(1, "sysop", None), (1, "bot", "20300101000000")])
    wiki.insert_many(UserProperties, [(1, "gender", "female"), (1, "skin", "x")])
    assert users.by_names(wiki, ["Ada", "ada"])["Ada"].user_id == 1
    assert users.by_ids(wiki, [1, 2])[1].name == "Ada"
    assert users.groups(wiki, [1]) == {
        1: [GroupRow("bot", "20300101000000"), GroupRow("sysop", None)]
    }
    assert users.properties(wiki, [1], "gender") == {1: "female"}


@pytest.mark.parametrize(("hide", "names"), [(0, {"Ada"}), (1, set())])
def test_a_hidden_user_is_not_found(wiki: Database, hide: int, names: set[str]) -> None:
    block(wiki, hide=hide)
    assert set(users.by_names(wiki, ["Ada"])) == names
    assert {row.name for row in users.by_ids(wiki, [1]).values()} == names


@pytest.mark.parametrize("hide", [0, 1])
def test_a_hidden_user_is_found_by_who_may_know_the_name(wiki: Database, hide: int) -> None:
    block(wiki, hide=hide)
    by_name, by_id = (
        users.by_names(wiki, ["Ada"], with_hidden=True)["Ada"],
        users.by_ids(wiki, [1], with_hidden=True)[1],
    )
    assert by_name == by_id
    assert (by_name.name, by_name.is_hidden) == ("Ada", hide)


@pytest.mark.parametrize(
    ("hide", "shows_hidden", "author"),
    [(0, False, ("Ada", 1)), (1, False, ("", 0)), (1, True, ("Ada", 1))],
)
def test_the_author_of_a_block_may_be_hidden(
    wiki: Database, hide: int, shows_hidden: bool, author: tuple[str, int]
) -> None:
    block(wiki, hide=hide)
    [row] = users.blocks(wiki, [1])[1]
    assert row.author(shows_hidden=shows_hidden) == author


@pytest.mark.parametrize(("hide", "bits"), [(0, 0), (1, USER | RESTRICTED)])
def test_the_uploader_of_a_current_version_is_hidden_by_a_block(
    wiki: Database, hide: int, bits: int
) -> None:
    block(wiki, hide=hide)
    version = files.by_names(wiki, ["Sun.png"])["Sun.png"]
    assert version.deleted == bits
    assert version.user_name == (None if hide else "Ada")
    assert files.by_sha1(wiki, [version.sha1 or ""])[version.sha1 or ""] == [version]
    sun = files.by_names(wiki, ["Sun.png"], USER | RESTRICTED)["Sun.png"]
    assert (sun.user_name, sun.readable) == ("Ada", bits)
    assert files.by_names(wiki, ["Sun.png"], USER)["Sun.png"].user_name == version.user_name


def test_blocks(wiki: Database) -> None:
    block(wiki, hide=0)
    [row] = users.blocks(wiki, [1])[1]
    assert (row.user_name, row.by_name, row.reason) == ("Ada", "Ada", "start")
    assert (row.expiry, row.sitewide) == ("infinity", 1)


def test_no_secret_of_a_user_is_ever_selected() -> None:
    secrets = {"user_password", "user_newpassword", "user_token", "user_email"}
    assert not secrets & {column.column_name for column in users.USER_COLUMNS}


@pytest.mark.parametrize(
    ("bits", "hidden"),
    [
        (0, set()),
        (1, {"namespace", "title", "page_id", "params"}),
        (2, {"comment"}),
        (4, {"user_id", "user_name"}),
    ],
)
def test_log_entries_without_hidden_parts(wiki: Database, bits: int, hidden: set[str]) -> None:
    entry = (1, "delete", "delete", "20240101000000", 1, 0, "Gone", 7, 1, "a:0:{}", bits)
    wiki.insert_many(Logging, [entry])
    row = logs.by_ids(wiki, [1])[1]
    assert {name for name, value in row._asdict().items() if value is None} == hidden
    visible = wiki.execute(logs.SELECT_LOG_ENTRIES.where(not_hidden(Logging.log_deleted, 7)))
    assert len(visible) == (0 if bits else 1)


@pytest.mark.parametrize(
    ("source", "bits", "hidden"),
    [
        ("mw.edit", 0, {"log_type", "log_action", "params"}),
        ("mw.edit", 1, {"log_type", "log_action", "params"}),
        ("mw.edit", 6, {"log_type", "log_action", "params", "comment", "user_id", "user_name"}),
        ("mw.log", 1, {"log_type", "log_action", "params", "namespace", "title", "page_id"}),
    ],
)
def test_recent_changes_without_hidden_parts(
    wiki: Database, source: str, bits: int, hidden: set[str]
) -> None:
    columns = ("rc_timestamp", "rc_actor", "rc_comment_id", "rc_source", "rc_deleted", "rc_ip")
    more = ("rc_title", "rc_cur_id", "rc_old_len", "rc_new_len")
    row = ("20240101000000", 1, 1, source, bits, "192.0.2.99", "Alpha", 1, 2, 3)
    wiki.insert_many(RecentChanges, [row], (*columns, *more))
    [change] = [recentchanges.read(row) for row in wiki.execute(recentchanges.SELECT_CHANGES)]
    assert {name for name, value in change._asdict().items() if value is None} == hidden
    assert "192.0.2.99" not in change


def test_statistics_are_added_up_over_rows(db: Database) -> None:
    assert sitestats.statistics(db) == Statistics()
    db.insert_many(SiteStats, [(2, 5, 4, 3, 2, 1, None)])
    if db.dialect.name == "sqlite":  # the servers have unsigned numbers
        db.execute_write(SiteStats.update(ss_images=-1).where(SiteStats.ss_row_id == 1))
    assert sitestats.statistics(db) == Statistics(5, 4, 3, 2, 1, 0)


def test_a_database_without_statistics(db: Database) -> None:
    db.execute_write(SiteStats.delete())
    assert sitestats.statistics(db) == Statistics()


def test_interwiki_map(db: Database) -> None:
    rows = [("mw", "https://m/$1", "", "", 0, 1), ("commons", "https://c/$1", "a", "b", 1, 0)]
    db.insert_many(Interwiki, rows)
    assert interwiki.all_rows(db) == [InterwikiRow(*row) for row in reversed(rows)]


def test_accounts_are_created_once(wiki: Database) -> None:
    assert [row[1] for row in wiki.execute(User.select())] == ["Ada"]
