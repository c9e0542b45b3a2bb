"""Hidden parts of revisions, files and log entries: who learns of them, and that they stay hidden.

Bits that hide something survive everything that happens to its page.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.plugins.editing.files.uploadwiki import ADMIN, UploadWiki, png
from tests.plugins.editing.pageactions.actors import Actors
from wikiapi.testing import DeclaredUser, Edit

SECRET = "zweisecret"
PARTS = "content|comment|user"
SUPPRESSED = 15
"""All parts, from administrators as well."""


@pytest.fixture
def wiki() -> Iterator[Actors]:
    """``Hider`` may hide revisions and log entries, ``Over`` may suppress them as well."""
    pages = {
        "Alpha": [
            Edit("one", user="Zyname", comment="zycomment"),
            Edit(f"{SECRET} two", user="Ada"),
        ],
        "Beta": "[[Alpha]]",
    }
    rights = ["deleterevision", "deletelogentry", "changetags", "applychangetags"]
    users = [
        DeclaredUser("Hider", ("sysop", "hider")),
        DeclaredUser("Over", ("sysop", "suppress")),
        DeclaredUser("Limited", ("hider",)),
        DeclaredUser("Zyname"),
    ]
    config = {"site": {"writable": True}, "permissions": {"groups": {"hider": rights}}}
    made = Actors(pages, users=users, config=config)
    yield made
    made.site.db.close()


def bits(wiki: Actors, title: str) -> list[int]:
    """Return the bits of the revisions of a page, the oldest first."""
    query = (
        "SELECT rev_deleted FROM revision JOIN page ON page_id = rev_page"
        " WHERE page_title = ? ORDER BY rev_id"
    )
    return [number for (number,) in wiki.site.db.execute_sql(query, (title,))]


def set_bits(wiki: Actors, number: int, revision: int) -> None:
    wiki.site.db.execute_sql(
        "UPDATE revision SET rev_deleted = ? WHERE rev_id = ?", (number, revision)
    )


# revisiondelete


def delete(wiki: Actors, name: str, **params: Any) -> Any:
    """Return the items of an answer."""
    answer = wiki.act(name, "revisiondelete", **params)
    assert answer.codes == ""
    return answer.data["revisiondelete"]["items"]


@pytest.mark.parametrize(("name", "seen"), [("Hider", False), ("Limited", False), ("Over", True)])
@pytest.mark.parametrize("show", ["content", "user", "comment", PARTS])
def test_suppressed_parts_of_revisions_are_answered_to_who_may_see_them(
    wiki: Actors, name: str, seen: bool, show: str
) -> None:
    set_bits(wiki, SUPPRESSED, 1)
    (item,) = delete(wiki, name, type="revision", ids=1, show=show)
    assert ("user" in item, "userid" in item, "comment" in item) == (seen, seen, seen)
    assert ("zy" in json.dumps(item).lower()) == seen
    if not seen:
        assert [error["code"] for error in item["errors"]] == ["revdelete-modify-no-access"]
        assert bits(wiki, "Alpha")[0] == SUPPRESSED


def test_hidden_parts_are_answered_to_who_may_see_deleted_history(wiki: Actors) -> None:
    set_bits(wiki, 6, 1)
    (item,) = delete(wiki, "Limited", type="revision", ids=1, hide="content")
    assert {"user", "userid", "comment"}.isdisjoint(item)
    (item,) = delete(wiki, "Hider", type="revision", ids=1, show="content")
    assert (item["user"], item["comment"]) == ("Zyname", "zycomment")


def test_revisions_of_the_same_second_are_told_apart(wiki: Actors) -> None:
    wiki.act("Admin", "delete", title="Alpha", reason="r")
    moment, suppressed = "20250101000000", "CASE ar_rev_id WHEN 1 THEN 15 ELSE 0 END"
    wiki.site.db.execute_sql(
        f"UPDATE archive SET ar_timestamp = ?, ar_deleted = {suppressed}", (moment,)
    )
    items = delete(wiki, "Hider", type="archive", target="Alpha", ids=moment, hide="comment")
    assert sorted(bool(item.get("errors")) for item in items) == [False, True]
    stored = wiki.site.db.execute_sql("SELECT ar_deleted FROM archive ORDER BY ar_rev_id")
    assert stored == [(SUPPRESSED,), (2,)]


@pytest.fixture
def entry(wiki: Actors) -> int:
    """The id of an entry of the log of suppressions."""
    wiki.act("Over", "revisiondelete", type="revision", ids=1, hide="user", suppress="yes",
             reason="zyreason")  # fmt: skip
    entries = wiki.query("Over", list="logevents", letype="suppress")["logevents"]
    return int(entries[0]["logid"])


@pytest.mark.parametrize("name", ["Hider", "Limited"])
def test_entries_of_restricted_logs_are_missing(wiki: Actors, entry: int, name: str) -> None:
    before = wiki.site.db.execute_sql("SELECT * FROM logging")
    unknown = 999
    answers = []
    for number in (entry, unknown):
        done = wiki.act(name, "revisiondelete", type="logging", ids=number, hide=PARTS).data
        answers.append(json.dumps(done).replace(str(number), "N"))
    assert answers[0] == answers[1]
    assert "Special:Log/suppress" not in answers[0]
    assert wiki.site.db.execute_sql("SELECT * FROM logging") == before
    tagged = wiki.act(name, "tag", logid=f"{entry}|{unknown}", remove="x").data["tag"]
    assert [item["errors"][0]["code"] for item in tagged] == ["nosuchlogid", "nosuchlogid"]
    listed = wiki.query(name, list="logevents", leids=f"{entry}|{unknown}")["logevents"]
    assert listed == []


def test_who_may_see_a_restricted_log_changes_it(wiki: Actors, entry: int) -> None:
    (item,) = delete(wiki, "Over", type="logging", ids=entry, hide="comment")
    assert (item["type"], item["comment"]) == ("suppress", "zyreason")


@pytest.mark.parametrize(("name", "seen"), [("Hider", True), ("Limited", False), ("Over", True)])
def test_hidden_parts_of_log_entries(wiki: Actors, name: str, seen: bool) -> None:
    wiki.act("Admin", "protect", title="Alpha", protections="edit=sysop", reason="zyreason")
    number = wiki.log("protect")[0]["logid"]
    wiki.site.db.execute_sql("UPDATE logging SET log_deleted = 7 WHERE log_id = ?", (number,))
    (item,) = delete(wiki, name, type="logging", ids=number, hide=PARTS)
    parts = {"user", "userid", "comment", "params", "action"}
    assert (parts <= item.keys(), not parts.isdisjoint(item)) == (seen, seen)


def test_a_log_entry_stays_hidden_when_its_revision_is_shown(wiki: Actors) -> None:
    wiki.act("Admin", "move", **{"from": "Alpha", "to": "Gamma", "reason": "zyreason"})
    event = wiki.log("move")[0]
    delete(wiki, "Hider", type="logging", ids=event["logid"], hide=PARTS)
    delete(wiki, "Hider", type="revision", ids=event["revid"], hide="comment")
    delete(wiki, "Hider", type="revision", ids=event["revid"], show="comment")
    changes = wiki.query(list="recentchanges", rctype="log", rcprop="comment|user|title|loginfo")
    hidden = [change for change in changes["recentchanges"] if change.get("commenthidden")]
    assert len(hidden) == 1
    assert {"user", "title", "comment"}.isdisjoint(hidden[0])


# Pages whose current text is hidden


@pytest.mark.parametrize("hidden", [1, 9])
@pytest.mark.parametrize("step", ["move", "protect"])
def test_a_null_revision_shares_the_hidden_text(wiki: Actors, hidden: int, step: str) -> None:
    set_bits(wiki, hidden | 6, 2)
    texts = wiki.site.db.execute_sql("SELECT count(*) FROM text")
    if step == "move":
        wiki.act("Admin", "move", **{"from": "Alpha", "to": "Gamma", "noredirect": 1})
        title = "Gamma"
    else:
        wiki.act("Admin", "protect", title="Alpha", protections="edit=sysop")
        title = "Alpha"
    assert bits(wiki, title) == [0, hidden | 6, hidden]
    slots = "SELECT slot_content_id, slot_origin FROM slots WHERE slot_revision_id = ?"
    newest = wiki.site.db.execute_sql("SELECT max(rev_id) FROM revision")[0]
    assert wiki.site.db.execute_sql(slots, newest) == wiki.site.db.execute_sql(slots, (2,))
    assert wiki.site.db.execute_sql("SELECT count(*) FROM text") == texts
    columns = "SELECT rev_len, rev_sha1 FROM revision WHERE rev_id = ?"
    assert wiki.site.db.execute_sql(columns, newest) == wiki.site.db.execute_sql(columns, (2,))
    page = wiki.query(prop="revisions", titles=title, rvprop="content", rvslots="main")["pages"][0]
    assert page["revisions"][0]["slots"]["main"] == {"texthidden": True}


def test_an_open_text_stays_open(wiki: Actors) -> None:
    set_bits(wiki, 6, 2)
    wiki.act("Admin", "protect", title="Alpha", protections="edit=sysop")
    assert bits(wiki, "Alpha") == [0, 6, 0]
    assert wiki.text("Alpha") == f"{SECRET} two"


def test_deleting_keeps_text_and_bits(wiki: Actors) -> None:
    set_bits(wiki, 9, 2)
    done = wiki.act("Admin", "delete", title="Alpha").data["delete"]
    assert SECRET not in done["reason"]
    rows = "SELECT ar_deleted, ar_len FROM archive ORDER BY ar_rev_id"
    assert wiki.site.db.execute_sql(rows) == [(0, 3), (9, len(f"{SECRET} two"))]


def test_the_model_of_a_hidden_text_is_not_changed(wiki: Actors) -> None:
    set_bits(wiki, 9, 2)
    answer = wiki.act("Admin", "changecontentmodel", title="Alpha", model="text")
    assert answer.codes == "changecontentmodel-cannot-convert"
    assert bits(wiki, "Alpha") == [0, 9]


# Undeleting


def test_a_hidden_text_does_not_become_the_current_one(wiki: Actors) -> None:
    set_bits(wiki, SUPPRESSED, 2)
    wiki.act("Admin", "delete", title="Alpha", reason="r")
    assert wiki.act("Admin", "undelete", title="Alpha").codes == "undeleterevdel"
    assert wiki.text("Alpha") is None
    moment = wiki.site.db.execute_sql("SELECT ar_timestamp FROM archive WHERE ar_rev_id = 1")[0][0]
    assert wiki.act("Admin", "undelete", title="Alpha", timestamps=moment).codes == ""
    assert bits(wiki, "Alpha") == [0]


def test_restored_revisions_keep_their_bits(wiki: Actors) -> None:
    set_bits(wiki, SUPPRESSED, 1)
    set_bits(wiki, 14, 2)
    wiki.act("Admin", "delete", title="Alpha", reason="r")
    assert wiki.act("Admin", "undelete", title="Alpha").codes == ""
    assert bits(wiki, "Alpha") == [SUPPRESSED, 14]


def test_older_hidden_revisions_join_an_existing_page(wiki: Actors) -> None:
    set_bits(wiki, 9, 2)
    wiki.act("Admin", "delete", title="Alpha", reason="r")
    wiki.act("Ada", "edit", title="Alpha", text="new")
    assert wiki.act("Admin", "undelete", title="Alpha").codes == ""
    assert sorted(bits(wiki, "Alpha")) == [0, 0, 9]
    assert wiki.text("Alpha") == "new"


@pytest.fixture
def files(tmp_path: Path) -> Iterator[UploadWiki]:
    made = UploadWiki(tmp_path / "images", pages={"Home": "x"})
    with made.user("Ada", ADMIN):
        made.upload("A.png", png(), ignorewarnings=1)
        made.upload("A.png", png(colour=2), ignorewarnings=1)
        made.post("delete", title="File:A.png", reason="r")
    yield made
    made.site.db.close()


def archived(files: UploadWiki, current: int, old: int) -> None:
    """Set the bits of the deleted versions of the file."""
    files.site.db.execute_sql(
        "UPDATE filearchive SET fa_deleted = CASE WHEN fa_archive_name IS NULL THEN ? ELSE ? END",
        (current, old),
    )


@pytest.mark.parametrize("hidden", [1, 2, 4, 12, 15])
def test_a_version_that_is_hidden_in_part_does_not_become_current(
    files: UploadWiki, hidden: int
) -> None:
    archived(files, hidden, 0)
    with files.user("Ada", ADMIN):
        refused = files.post("undelete", title="File:A.png")
    assert refused["error"]["code"] == "undeleterevdel"
    assert files.site.db.execute_sql("SELECT count(*) FROM image") == [(0,)]
    assert files.site.db.execute_sql("SELECT count(*) FROM filearchive") == [(2,)]


@pytest.mark.parametrize("hidden", [2, 12, 15])
def test_earlier_versions_keep_their_bits(files: UploadWiki, hidden: int) -> None:
    archived(files, 0, hidden)
    with files.user("Ada", ADMIN):
        assert files.post("undelete", title="File:A.png")["undelete"]["fileversions"] == 2
    assert files.site.db.execute_sql("SELECT oi_deleted FROM oldimage") == [(hidden,)]


def test_a_version_of_a_hidden_user_stays_hidden_when_it_is_replaced(
    files: UploadWiki,
) -> None:
    with files.user("Bob"):
        files.upload("B.png", png(colour=3), ignorewarnings=1)
        files.upload("C.png", png(colour=4), ignorewarnings=1)
    with files.user("Ada", ADMIN | {"block", "hideuser"}):
        assert files.post("block", user="Bob", hidename=1)["block"]["hidename"]
        files.upload("B.png", png(colour=5), ignorewarnings=1)
        files.post("delete", title="File:C.png", reason="r")
    assert files.site.db.execute_sql("SELECT oi_deleted FROM oldimage") == [(12,)]
    query = "SELECT fa_deleted FROM filearchive WHERE fa_name = 'C.png'"
    assert files.site.db.execute_sql(query) == [(12,)]
    assert "user" not in files.image("B.png")[1]
    with files.user("Ada", ADMIN | {"block", "hideuser"}):
        files.post("unblock", user="Bob")
    assert files.image("B.png")[1]["user"] == "Bob"
    assert files.site.db.execute_sql(query) == [(0,)]
