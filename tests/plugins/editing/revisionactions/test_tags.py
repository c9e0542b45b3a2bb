"""Defining change tags and giving them."""

from __future__ import annotations

from typing import Any

import pytest

from tests.plugins.editing.pageactions.actors import Actors
from wikiapi.testing import ask


@pytest.fixture
def wiki() -> Actors:
    made = Actors({"Alpha": "a"})
    made.act("Admin", "managetags", operation="create", tag="ours", reason="why")
    return made


def tags_of(wiki: Actors, title: str) -> Any:
    page = wiki.query(titles=title, prop="revisions", rvprop="tags")["pages"][0]
    return page["revisions"][0]["tags"]


def defined_tags(wiki: Actors) -> list[str]:
    tags = wiki.query(list="tags", tgprop="defined", tglimit="max")["tags"]
    return [tag["name"] for tag in tags if tag["defined"] and not tag["name"].startswith("mw-")]


def test_a_tag_is_defined_used_and_deleted(wiki: Actors) -> None:
    assert defined_tags(wiki) == ["ours"]
    entry = wiki.log("managetags")[0]
    assert (entry["title"], entry["action"], entry["comment"]) == ("Special:Tags", "create", "why")
    assert entry["params"] == {"tag": "ours"}
    wiki.act("Ada", "edit", title="Alpha", text="b", tags="ours")
    assert tags_of(wiki, "Alpha") == ["ours"]
    done = wiki.act("Admin", "managetags", operation="delete", tag="ours").data["managetags"]
    assert done["success"] is True
    assert tags_of(wiki, "Alpha") == []
    assert defined_tags(wiki) == []
    assert wiki.log("managetags")[0]["params"] == {"tag": "ours", "count": 1}


def test_a_tag_that_is_deactivated_is_kept_where_it_is(wiki: Actors) -> None:
    wiki.act("Ada", "edit", title="Alpha", text="b", tags="ours")
    wiki.act("Admin", "managetags", operation="deactivate", tag="ours")
    assert wiki.act("Ada", "edit", title="Alpha", text="c", tags="ours").codes == "badtags"
    assert tags_of(wiki, "Alpha") == ["ours"]
    wiki.act("Admin", "managetags", operation="activate", tag="ours")
    assert wiki.act("Ada", "edit", title="Alpha", text="c", tags="ours").codes == ""


@pytest.mark.parametrize(
    ("user", "params", "code"),
    [
        ("Ada", {"operation": "create", "tag": "x"}, "permissiondenied"),
        ("Ada", {"operation": "delete", "tag": "ours"}, "permissiondenied"),
        ("Admin", {"operation": "create", "tag": "ours"}, "tags-create-already-exists"),
        ("Admin", {"operation": "create", "tag": "a,b"}, "tags-create-invalid-chars"),
        ("Admin", {"operation": "create", "tag": "a[b"}, "tags-create-invalid-title-chars"),
        ("Admin", {"operation": "create", "tag": "mw-x"}, "tags-create-reserved"),
        ("Admin", {"operation": "delete", "tag": "none"}, "tags-delete-not-found"),
        ("Admin", {"operation": "delete", "tag": "mw-undo"}, "tags-delete-not-allowed"),
        ("Admin", {"operation": "activate", "tag": "none"}, "tags-activate-not-found"),
        ("Admin", {"operation": "activate", "tag": "ours"}, "tags-activate-not-allowed"),
        ("Admin", {"operation": "deactivate", "tag": "none"}, "tags-deactivate-not-allowed"),
    ],
)
def test_what_is_refused(wiki: Actors, user: str, params: dict[str, str], code: str) -> None:
    assert wiki.act(user, "managetags", **params).codes == code


def test_an_edit_names_the_tags_it_may_not_have(wiki: Actors) -> None:
    answer = wiki.act("Ada", "edit", title="Alpha", text="b", tags="ours|mine|mw-undo")
    assert answer.data["error"]["code"] == "badtags"
    assert answer.data["error"]["disallowedtags"] == ["mine", "mw-undo"]
    assert wiki.act("", "edit", title="Alpha", text="b", tags="ours").codes == (
        "tags-apply-no-permission"
    )


def test_paraminfo_shows_the_tags_there_are(wiki: Actors) -> None:
    paraminfo = ask(wiki.site, {"action": "paraminfo", "modules": "edit"}).data["paraminfo"]
    params = paraminfo["modules"][0]["parameters"]
    (tags,) = [param for param in params if param["name"] == "tags"]
    assert tags["type"] == ["ours"]


def test_revisions_get_and_lose_tags(wiki: Actors) -> None:
    revision = wiki.act("Ada", "edit", title="Alpha", text="b").data["edit"]["newrevid"]
    (added,) = wiki.act("Ada", "tag", revid=revision, add="ours").data["tag"]
    entry = wiki.log("tag")[0]
    assert added == {
        "revid": revision,
        "status": "success",
        "actionlogid": entry["logid"],
        "added": ["ours"],
        "removed": [],
    }
    assert tags_of(wiki, "Alpha") == ["ours"]
    (again,) = wiki.act("Ada", "tag", revid=revision, add="ours").data["tag"]
    assert again == {"revid": revision, "status": "success", "noop": True}
    (removed,) = wiki.act("Ada", "tag", revid=revision, remove="ours", reason="r").data["tag"]
    assert removed["removed"] == ["ours"]
    assert tags_of(wiki, "Alpha") == []
    entry = wiki.log("tag")[0]
    assert entry["comment"] == "r"
    assert entry["params"]["revid"] == revision
    assert entry["params"]["tagsRemoved"] == ["ours"]
    assert entry["params"]["initialTags"] == ["ours"]


def test_log_entries_and_changes_have_tags_too(wiki: Actors) -> None:
    wiki.act("Admin", "protect", title="Alpha", protections="edit=sysop")
    entry = wiki.log("protect")[0]["logid"]
    changes = wiki.query(list="recentchanges", rcprop="ids", rctype="edit|new")["recentchanges"]
    answer = wiki.act("Ada", "tag", logid=entry, rcid=changes[0]["rcid"], add="ours").data["tag"]
    assert [item["status"] for item in answer] == ["success", "success"]
    entries = wiki.query(list="logevents", letype="protect", leprop="tags")["logevents"]
    assert entries == [{"tags": ["ours"]}]
    # The revision that the entry has made is tagged with it.
    assert tags_of(wiki, "Alpha") == ["ours"]


def test_tags_are_checked_in_the_order_of_the_parameters(wiki: Actors) -> None:
    late = {"title": "Alpha", "text": "b", "tags": "mine", "baserevid": "x", "token": ""}
    assert wiki.act("Ada", "edit", **late).codes == "badtags"
    assert wiki.act("Ada", "edit", **late, watchlist="x").codes == "badtags"


@pytest.mark.parametrize(
    ("user", "params", "code"),
    [
        ("", {"revid": "1", "add": "ours"}, "permissiondenied"),
        ("Ada", {"revid": "1", "add": "other"}, "badtags"),
        ("Ada", {"add": "ours"}, "missingparam"),
    ],
)
def test_what_cannot_be_tagged(wiki: Actors, user: str, params: dict[str, str], code: str) -> None:
    assert wiki.act(user, "tag", **params).codes == code


def test_what_does_not_exist_is_an_error_of_its_own(wiki: Actors) -> None:
    items = wiki.act("Ada", "tag", revid="1|99", add="ours").data["tag"]
    assert items[0]["status"] == "success"
    assert items[1]["status"] == "error"
    assert items[1]["errors"][0]["code"] == "nosuchrevid"


def test_tags_that_cannot_be_removed_are_an_error_of_each_change(wiki: Actors) -> None:
    items = wiki.act("Ada", "tag", revid="1|99", add="ours", remove="mw-undo").data["tag"]
    assert [item["status"] for item in items] == ["failure", "error"]
    assert items[0]["errors"][0]["code"] == "tags-update-remove-not-allowed-one"
    assert items[1]["errors"][0]["code"] == "nosuchrevid"
    assert tags_of(wiki, "Alpha") == []


def test_a_tag_that_is_added_and_removed_is_removed(wiki: Actors) -> None:
    both = {"revid": "1", "add": "ours", "remove": "ours"}
    assert wiki.act("Ada", "tag", **both).data["tag"][0]["noop"]
    wiki.act("Ada", "tag", revid="1", add="ours")
    (item,) = wiki.act("Ada", "tag", **both).data["tag"]
    assert (item["added"], item["removed"]) == ([], ["ours"])
    assert tags_of(wiki, "Alpha") == []


def test_the_log_of_tags_has_the_english_title_in_every_language() -> None:
    wiki = Actors({}, language="he")
    wiki.act("Admin", "managetags", operation="create", tag="ours")
    assert wiki.log("managetags")[0]["title"] == "מיוחד:Tags"
    wiki.site.db.close()
