"""Hiding revisions and log entries."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from tests.plugins.editing.pageactions.actors import Actors
from wikiapi.testing import DeclaredUser, Edit

PAGES = {
    "Alpha": [
        Edit("one", user="Ada", comment="secret"),
        Edit("two", user="Bob"),
        Edit("three", user="Bob"),
    ]
}
RIGHTS = ["deleterevision", "deletelogentry"]
GROUPS = {"hider": RIGHTS, "reader": ["deletedhistory"]}


pytestmark = pytest.mark.wiki(
    PAGES,
    users=[
        DeclaredUser("Hider", ("sysop", "hider")),
        DeclaredUser("Over", ("sysop", "suppress")),
        DeclaredUser("Reader", ("reader",)),
    ],
    config={"site": {"writable": True}, "permissions": {"groups": GROUPS}},
)


def revision(wiki: Actors, number: int, user: str = "") -> Any:
    props = "ids|user|comment|sha1|content"
    page = wiki.query(user, prop="revisions", revids=number, rvprop=props, rvslots="main")
    item = page["pages"][0]["revisions"][0]
    item.pop("parentid")
    return item


def test_a_revision_is_hidden_from_those_who_may_not_see_it(wiki: Actors) -> None:
    params = {"type": "revision", "ids": 1, "hide": "content|comment|user", "reason": "r"}
    done = wiki.act("Hider", "revisiondelete", **params).data["revisiondelete"]
    assert (done["status"], done["target"]) == ("Success", "Alpha")
    assert done["items"] == [
        {
            "status": "Success",
            "id": 1,
            "timestamp": done["items"][0]["timestamp"],
            "userhidden": True,
            "commenthidden": True,
            "texthidden": True,
            "userid": 2,
            "user": "Ada",
            "comment": "secret",
        }
    ]
    slot: dict[str, Any] = {"texthidden": True}
    hidden = {"revid": 1, "userhidden": True, "commenthidden": True, "sha1hidden": True}
    assert revision(wiki, 1) == hidden | {"slots": {"main": slot}}
    seen = revision(wiki, 1, "Hider")
    assert seen["user"] == "Ada"
    assert seen["comment"] == "secret"
    assert seen["slots"]["main"]["content"] == "one"
    assert seen["userhidden"]
    assert seen["commenthidden"]
    assert seen["sha1hidden"]
    only_history = revision(wiki, 1, "Reader")
    assert only_history["user"] == "Ada"
    assert only_history["slots"] == {"main": slot}
    entry = wiki.log("delete")[0]
    assert entry["action"] == "revision"
    no_bits = {"content": False, "comment": False, "user": False, "restricted": False}
    assert entry["params"] == {
        "type": "revision",
        "ids": [1],
        "old": {"bitmask": 0, **no_bits},
        "new": {"bitmask": 7, "content": True, "comment": True, "user": True, "restricted": False},
    }


def test_a_version_that_does_not_exist_is_told_by_its_name(wiki: Actors) -> None:
    params = {"type": "oldimage", "ids": "20190101000000", "target": "File:X.png"}
    items = wiki.act("Hider", "revisiondelete", **params, hide="content").data["revisiondelete"]
    assert items["items"][0]["errors"][0]["params"] == [20190101000000]
    params["ids"] = "20190101000000!X.png"
    items = wiki.act("Hider", "revisiondelete", **params, hide="content").data["revisiondelete"]
    assert items["items"][0]["errors"][0]["params"] == ["20190101000000!X.png"]


def test_parts_are_shown_again_and_changes_follow(wiki: Actors) -> None:
    new = wiki.act("Ada", "edit", title="Alpha", text="x", summary="s").data["edit"]["newrevid"]
    wiki.act("Hider", "revisiondelete", type="revision", ids=new, hide="comment|user")
    change = wiki.query(list="recentchanges", rcprop="comment|user", rclimit=3, rctype="edit")
    assert change["recentchanges"][0].get("commenthidden")
    wiki.act("Hider", "revisiondelete", type="revision", ids=new, show="comment|user")
    assert revision(wiki, new)["comment"] == "s"


def test_what_cannot_be_hidden_is_said_of_each(wiki: Actors) -> None:
    params = {"type": "revision", "ids": "1|3|99", "hide": "content"}
    items = wiki.act("Hider", "revisiondelete", **params).data["revisiondelete"]["items"]
    codes = {item["id"]: [error["code"] for error in item.get("errors", ())] for item in items}
    assert codes == {1: [], 3: ["revdelete-hide-current"], 99: ["revdelete-modify-missing"]}
    assert items[0]["texthidden"] is False
    params = {"type": "revision", "ids": "1", "hide": "content"}
    (again,) = wiki.act("Hider", "revisiondelete", **params).data["revisiondelete"]["items"]
    assert [warning["code"] for warning in again["warnings"]] == ["revdelete-no-change"]
    assert again["errors"] == []
    answer = wiki.act("Hider", "revisiondelete", **params, errorformat="none").data
    (again,) = answer["revisiondelete"]["items"]
    assert again["warnings"] == [{"code": "revdelete-no-change"}]
    assert "errors" not in again


@pytest.mark.parametrize(
    ("suppress", "readers", "more"),
    [
        ("no", ("Hider", "Over"), {"textdeleted": True}),
        ("yes", ("Over",), {"textdeleted": True, "textsuppressed": True}),
    ],
)
def test_hidden_texts_are_parsed_and_compared_for_those_who_may_see_them(
    suppress: str, readers: tuple[str, ...], more: dict[str, bool], wiki: Actors
) -> None:
    params = {"type": "revision", "ids": 1, "hide": "content", "suppress": suppress}
    assert wiki.act("Over", "revisiondelete", **params).data["revisiondelete"]["items"]
    compared = {"fromrev": 1, "torelative": "next", "prop": "diff"}
    for user in ("Ada", "Hider", "Over"):
        parse = wiki.act(user, "parse", oldid=1, prop="wikitext")
        compare = wiki.act(user, "compare", **compared)
        if user not in readers:
            assert (parse.codes, compare.codes) == ("permissiondenied", "missingcontent")
            continue
        data = {"title": "Alpha", "pageid": 1, "wikitext": "one"}
        assert parse.data["parse"] == data | more
        assert compare.data["compare"]["fromtexthidden"] is True
        assert compare.data["compare"].get("fromsuppressed", False) is ("textsuppressed" in more)
        assert "one" in compare.data["compare"]["body"]
    assert wiki.act("Ada", "parse", oldid=1, prop="text").codes == "permissiondenied"


def test_an_entry_tells_the_bits_that_changed(wiki: Actors) -> None:
    params = {"type": "revision", "ids": 1}
    wiki.act("Hider", "revisiondelete", hide="content|user", **params)
    wiki.act("Hider", "revisiondelete", show="user", **params)
    logged = [entry["params"] for entry in wiki.log("delete")]
    bits = [(values["old"]["bitmask"], values["new"]["bitmask"]) for values in logged]
    assert bits == [(4, 0), (0, 5)]


def test_what_is_suppressed_is_hidden_from_administrators_too(wiki: Actors) -> None:
    params = {"type": "revision", "ids": 1, "hide": "user", "suppress": "yes"}
    wiki.act("Over", "revisiondelete", **params)
    assert "user" not in revision(wiki, 1, "Hider")
    assert revision(wiki, 1, "Over")["user"] == "Ada"
    assert wiki.log("delete") == []
    log = wiki.query("Over", list="logevents", letype="suppress")["logevents"]
    assert [entry["action"] for entry in log] == ["revision"]


def test_a_log_entry_is_hidden(wiki: Actors) -> None:
    wiki.act("Admin", "protect", title="Alpha", protections="edit=sysop", reason="why")
    number = wiki.log("protect")[0]["logid"]
    done = wiki.act("Hider", "revisiondelete", type="logging", ids=number, hide="comment").data
    data = done["revisiondelete"]
    assert data["target"] == "Special:Log/protect"
    assert data["items"][0]["commenthidden"] is True
    assert data["items"][0]["actionhidden"] is False
    assert wiki.log("protect")[0]["commenthidden"]
    assert wiki.log("delete")[0]["action"] == "event"


def test_the_id_of_an_account_is_a_text_for_log_entries(wiki: Actors) -> None:
    for name, user_id in [("", 0), ("Ada", str(wiki.users["Ada"].id))]:
        wiki.act(name, "edit", title=f"By {name or 'a visitor'}", text="x")
        params = {"letype": "create", "lelimit": 1}
        number = wiki.query(list="logevents", **params)["logevents"][0]["logid"]
        hidden = {"type": "logging", "ids": number, "hide": "comment"}
        answer = wiki.act("Hider", "revisiondelete", **hidden).data["revisiondelete"]
        assert answer["items"][0]["userid"] == user_id


ALL_PARTS = "content|comment|user"


@pytest.mark.parametrize(
    ("by", "suppress", "sees"),
    [("Hider", "no", {"Reader", "Admin", "Over"}), ("Over", "yes", {"Over"})],
)
def test_hidden_parts_of_logs_and_changes_are_seen_by_who_may(
    wiki: Actors, by: str, suppress: str, sees: set[str]
) -> None:
    wiki.act("Admin", "protect", title="Alpha", protections="edit=sysop", reason="why")
    number = wiki.log("protect")[0]["logid"]
    hidden = {"type": "logging", "ids": number, "hide": ALL_PARTS, "suppress": suppress}
    rights = [*RIGHTS, "suppressrevision"]
    user = replace(wiki.users[by], rights=wiki.users[by].rights | set(rights))
    wiki.users[by] = user
    assert wiki.act(by, "revisiondelete", **hidden).codes == ""
    notes = {"actionhidden", "userhidden", "commenthidden"}
    for name in ("", "Ada", "Reader", "Admin", "Over"):
        query = {"list": "logevents", "letype": "protect"}
        [entry] = wiki.query(name, **query)["logevents"]
        assert notes <= entry.keys()
        assert ("suppressed" in entry) == (suppress == "yes")
        of_page = wiki.query(name, **query, letitle="Alpha")["logevents"]
        of_user = wiki.query(name, **query, leuser="Admin")["logevents"]
        changes = wiki.query(name, list="recentchanges", rctype="log", rcuser="Admin")
        hidden_changes = [change for change in changes["recentchanges"] if notes & change.keys()]
        if name in sees:
            assert (entry["title"], entry["user"], entry["comment"]) == ("Alpha", "Admin", "why")
            assert of_page == of_user == [entry]
        else:
            assert {"title", "user", "comment", "params"}.isdisjoint(entry)
            assert of_page == of_user == hidden_changes == []


@pytest.mark.parametrize("props", ["ids", "title", "loginfo"])
def test_a_hidden_log_entry_is_marked_in_the_watchlist_of_who_sees_it(
    wiki: Actors, props: str
) -> None:
    wiki.act("Admin", "protect", title="Alpha", protections="edit=sysop", reason="why")
    number = wiki.log("protect")[0]["logid"]
    wiki.act("Hider", "revisiondelete", type="logging", ids=number, hide=ALL_PARTS)
    listed = {"list": "watchlist", "wlallrev": 1, "wltype": "log"}
    for name, marks in [("Ada", []), ("Reader", [True])]:
        wiki.act(name, "watch", titles="Alpha")
        items = wiki.query(name, **listed, wlprop=props)["watchlist"]
        assert [item["actionhidden"] for item in items] == marks
        items = wiki.query(name, **listed, wlprop="user|comment")["watchlist"]
        assert all("actionhidden" not in item for item in items)


@pytest.mark.parametrize(("name", "sees"), [("", False), ("Reader", True), ("Over", True)])
def test_hidden_parts_of_changes_are_seen_by_who_may(wiki: Actors, name: str, sees: bool) -> None:
    edit = wiki.act("Bob", "edit", title="Alpha", text="four", summary="why").data["edit"]
    wiki.act("Bob", "edit", title="Alpha", text="five")
    number = edit["newrevid"]
    wiki.act("Hider", "revisiondelete", type="revision", ids=number, hide=ALL_PARTS)
    query = {"list": "recentchanges", "rcprop": "user|comment|ids|sha1", "rclimit": "max"}
    changes = wiki.query(name, **query)["recentchanges"]
    [change] = [change for change in changes if change["revid"] == number]
    assert {"userhidden", "commenthidden", "sha1hidden"} <= change.keys()
    assert ("user" in change, "comment" in change) == (sees, sees)
    assert ("sha1" in change) == (name == "Over")
    by_bob = wiki.query(name, **query, rcuser="Bob")["recentchanges"]
    assert (number in [change["revid"] for change in by_bob]) == sees


def test_a_revision_of_a_deleted_page_is_hidden(wiki: Actors) -> None:
    wiki.act("Admin", "delete", title="Alpha")
    query = wiki.query("Admin", prop="deletedrevisions", titles="Alpha", drvlimit=9)
    moment = query["pages"][0]["deletedrevisions"][-1]["timestamp"]
    stamp = "".join(digit for digit in moment if digit.isdigit())
    params = {"type": "archive", "target": "Alpha", "ids": stamp, "hide": "comment"}
    done = wiki.act("Hider", "revisiondelete", **params).data["revisiondelete"]
    assert done["items"][0]["commenthidden"] is True
    wiki.act("Admin", "undelete", title="Alpha")
    assert revision(wiki, 1)["commenthidden"]


def test_the_first_id_in_the_archive_is_taken_for_a_revision(wiki: Actors) -> None:
    params = {"type": "archive", "target": "Elsewhere", "ids": "1", "hide": "comment"}
    done = wiki.act("Hider", "revisiondelete", **params).data["revisiondelete"]
    assert (done["target"], done["items"][0]["status"]) == ("Alpha", "Fail")


@pytest.mark.parametrize(
    ("user", "params", "code"),
    [
        ("Ada", {"type": "revision", "ids": "", "hide": "content"}, "permissiondenied"),
        ("Ada", {"type": "revision", "ids": "1", "hide": "content"}, "permissiondenied"),
        ("Hider", {"type": "revision", "ids": "1"}, "badparams"),
        ("Hider", {"type": "revision", "ids": "1", "hide": "user", "show": "user"}, "badparams"),
        ("Hider", {"type": "revision", "ids": "", "hide": "user"}, "paramempty_ids"),
        ("Hider", {"type": "revision", "ids": "1", "suppress": "no"}, "badparams"),
        ("Hider", {"type": "archive", "ids": "20190304050607", "hide": "user"}, "needtarget"),
        ("Hider", {"type": "revision", "ids": "99", "hide": "user", "target": "a[b"}, "needtarget"),
        (
            "Hider",
            {"type": "revision", "ids": "1", "hide": "user", "suppress": "yes"},
            "permissiondenied",
        ),
    ],
)
def test_what_is_refused(wiki: Actors, user: str, params: dict[str, str], code: str) -> None:
    assert wiki.act(user, "revisiondelete", **params).codes == code
