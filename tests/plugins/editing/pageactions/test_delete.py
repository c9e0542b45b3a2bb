"""Deleting pages and restoring them."""

from __future__ import annotations

import pytest

from tests.plugins.editing.pageactions.actors import Actors
from wikiapi.testing import Edit

PAGES = {
    "Alpha": [Edit("one [[Beta]]", user="Ada"), Edit("two [[Beta]] [[Category:C]]", user="Bob")],
    "Talk:Alpha": "talk",
    "Beta": Edit("mine [[", user="Ada"),
    "Blanked": [Edit("was here", user="Ada"), Edit("", user="Bob")],
    "Empty": Edit("", user="Ada"),
    "Uses": "{{:Beta}}",
}


pytestmark = pytest.mark.wiki(PAGES)


def test_a_page_is_deleted_with_its_numbers_links_and_changes(wiki: Actors) -> None:
    before = wiki.statistics()
    done = wiki.act("Admin", "delete", title="Alpha", reason="why").data["delete"]
    assert done == {"title": "Alpha", "reason": "why", "logid": done["logid"]}
    assert wiki.text("Alpha") is None
    after = wiki.statistics()
    assert after["pages"] == before["pages"] - 1
    assert after["edits"] == before["edits"] + 1, "as in MediaWiki, a deletion counts as an edit"
    assert after["articles"] == before["articles"] - 1
    assert wiki.query(list="categorymembers", cmtitle="Category:C")["categorymembers"] == []
    changes = wiki.query(list="recentchanges", rctitle="Alpha")["recentchanges"]
    assert [change["type"] for change in changes] == ["log"]
    entry = wiki.log("delete")[0]
    assert (entry["action"], entry["title"], entry["params"]) == ("delete", "Alpha", {})
    assert entry["logpage"] == 1


def test_tags_of_a_deleted_change_do_not_pass_to_the_entry(wiki: Actors) -> None:
    wiki.act("Admin", "delete", title="Beta", reason="r")
    wiki.act("Ada", "edit", title="Beta", text="again")
    created = wiki.query(list="logevents", letype="create", leprop="title|tags")["logevents"][0]
    assert created == {"ns": 0, "title": "Beta", "tags": ["mw-recreated"]}
    wiki.act("Admin", "delete", title="Beta", reason="r")
    latest = wiki.query(list="recentchanges", rcprop="tags|loginfo")["recentchanges"][0]
    assert (latest["logaction"], latest["tags"]) == ("delete", [])


def test_ids_of_changes_are_not_given_out_again(wiki: Actors) -> None:
    wiki.act("Ada", "edit", title="New", text="x")
    last = wiki.query(list="recentchanges", rcprop="ids")["recentchanges"][0]["rcid"]
    wiki.act("Admin", "delete", title="New", reason="r")
    assert wiki.query(list="recentchanges", rcprop="ids")["recentchanges"][0]["rcid"] > last


def test_links_that_a_template_changes_do_not_count_articles(wiki: Actors) -> None:
    wiki.act("Ada", "edit", title="Uses missing", text="{{Later}}")
    before = wiki.statistics()
    wiki.act("Ada", "edit", title="Template:Later", text="no link")
    assert wiki.query(prop="links", titles="Uses missing")["pages"][0].get("links") is None
    assert wiki.statistics()["articles"] == before["articles"]


ONE_AUTHOR = (
    'content was: "mine ", and the only contributor was "[[Special:Contributions/Ada|Ada]]"'
    " ([[User talk:Ada|talk]])"
)


@pytest.mark.parametrize(
    ("title", "reason"),
    [
        ("Alpha", 'content was: "two [[Beta]] [[Category:C]]"'),
        ("Beta", ONE_AUTHOR),
        ("Blanked", 'content before blanking was: "was here"'),
        ("Empty", ONE_AUTHOR.replace("mine ", "")),
    ],
)
def test_without_a_reason_the_content_is_one(wiki: Actors, title: str, reason: str) -> None:
    assert wiki.act("Admin", "delete", title=title).data["delete"]["reason"] == reason


def test_a_page_that_was_empty_before_it_was_protected_was_blanked(wiki: Actors) -> None:
    wiki.act("Admin", "protect", title="Empty", protections="edit=sysop")
    reason = wiki.act("Admin", "delete", title="Empty").data["delete"]["reason"]
    assert reason == 'content before blanking was: ""'


def test_a_page_of_a_file_that_does_not_exist_is_a_page(wiki: Actors) -> None:
    wiki.act("Admin", "edit", title="File:None.png", text="about it")
    version = "20200101000000!None.png"
    answer = wiki.act("Admin", "delete", title="File:None.png", oldimage=version).data
    assert "about it" in answer["delete"]["reason"]
    assert wiki.text("File:None.png") is None


def test_a_version_of_a_file_is_meant_only_for_files(wiki: Actors) -> None:
    done = wiki.act("Admin", "delete", title="Alpha", reason="r", oldimage="x").data["delete"]
    assert done["title"] == "Alpha"
    assert wiki.text("Alpha") is None


def test_the_talk_page_goes_too(wiki: Actors) -> None:
    wiki.act("Admin", "delete", title="Alpha", reason="r", deletetalk=1)
    assert wiki.text("Talk:Alpha") is None
    assert wiki.log("delete")[0]["title"] == "Talk:Alpha"
    answer = wiki.act("Admin", "delete", title="Beta", deletetalk=1)
    assert answer.warned == ["delete-error-associated-doesnotexist"]
    wiki.act("Ada", "edit", title="Talk:Beta", text="x")
    answer = wiki.act("Admin", "delete", title="Talk:Beta", deletetalk=1)
    assert answer.warned == ["delete-error-associated-alreadytalk"]


def test_a_missing_talk_page_is_told_before_the_right(wiki: Actors) -> None:
    answer = wiki.act("Ada", "delete", title="Beta", deletetalk=1)
    assert answer.codes == "permissiondenied"
    assert answer.warned == ["delete-error-associated-doesnotexist"]


@pytest.mark.parametrize(
    ("user", "params", "code"),
    [
        ("Ada", {"title": "Alpha"}, "permissiondenied"),
        ("", {"title": "Alpha"}, "permissiondenied"),
        ("Admin", {"title": "No such page"}, "missingtitle"),
        ("Admin", {"pageid": "99"}, "nosuchpageid"),
        ("Admin", {"title": "Alpha", "tags": "nobody"}, "badtags"),
    ],
)
def test_what_is_refused(wiki: Actors, user: str, params: dict[str, str], code: str) -> None:
    assert wiki.act(user, "delete", **params).codes == code


def test_a_deleted_page_comes_back_as_it_was(wiki: Actors) -> None:
    before = wiki.statistics()
    wiki.act("Admin", "delete", title="Alpha")
    done = wiki.act("Admin", "undelete", title="Alpha", reason="back").data["undelete"]
    assert done == {"title": "Alpha", "revisions": 2, "fileversions": 0, "reason": "back"}
    page = wiki.query(prop="info|revisions|links", titles="Alpha", rvlimit=9)["pages"][0]
    assert page["pageid"] == 1
    assert [revision["parentid"] for revision in page["revisions"]] == [1, 0]
    assert page["links"] == [{"ns": 0, "title": "Beta"}]
    after = wiki.statistics()
    assert after["articles"] == before["articles"]
    assert after["edits"] == before["edits"] + 2, "deleting and restoring count as edits"
    assert wiki.query(list="search", srsearch="two", srwhat="text")["search"]
    entry = wiki.log("delete")[0]
    assert (entry["action"], entry["params"]) == (
        "restore",
        {"count": {"revisions": 2, "files": 0}},
    )


def test_deleted_revisions_are_not_of_a_page_that_has_the_title_now(wiki: Actors) -> None:
    wiki.act("Admin", "delete", title="Alpha")
    wiki.act("Ada", "edit", title="Alpha", text="another")
    query = {"list": "alldeletedrevisions", "adrprop": "ids"}
    (page,) = wiki.query("Admin", **query)["alldeletedrevisions"]
    assert (page["title"], page["pageid"]) == ("Alpha", 0)


def test_a_restored_page_is_new(wiki: Actors) -> None:
    wiki.act("Ada", "edit", title="Alpha", text="again")
    wiki.act("Admin", "delete", title="Alpha")
    wiki.act("Admin", "undelete", title="Alpha")
    page = wiki.query(titles="Alpha", prop="info|revisions", rvprop="timestamp")["pages"][0]
    assert page["new"] is True
    assert page["touched"] == page["revisions"][0]["timestamp"]


def test_a_file_that_is_nowhere_is_counted_when_it_is_restored(wiki: Actors) -> None:
    before = wiki.statistics()["images"]
    answer = wiki.act("Admin", "undelete", title="File:Nothing.png")
    assert answer.codes == "cantundelete"
    assert wiki.statistics()["images"] == before + 1
    wiki.act("Admin", "undelete", title="File:Nothing.png", timestamps="2019-01-01T00:00:00Z")
    assert wiki.statistics()["images"] == before + 1


def test_some_revisions_come_back(wiki: Actors) -> None:
    wiki.act("Admin", "delete", title="Alpha", deletetalk=1)
    times = "20250101000000"
    done = wiki.act("Admin", "undelete", title="Alpha", timestamps=times, undeletetalk=1)
    assert done.data["undelete"]["revisions"] == 1
    assert wiki.text("Alpha") == "one [[Beta]]"
    assert wiki.text("Talk:Alpha") == "talk"
    again = wiki.act("Admin", "undelete", title="Alpha").data["undelete"]
    assert again["revisions"] == 1
    assert wiki.text("Alpha") == "two [[Beta]] [[Category:C]]"


def test_a_page_made_in_the_meantime_stays_the_latest(wiki: Actors) -> None:
    wiki.act("Admin", "delete", title="Alpha")
    wiki.act("Ada", "edit", title="Alpha", text="new")
    wiki.act("Admin", "undelete", title="Alpha")
    assert wiki.text("Alpha") == "new"
    page = wiki.query(prop="revisions", titles="Alpha", rvlimit=9)["pages"][0]
    assert len(page["revisions"]) == 3


@pytest.mark.parametrize(
    ("user", "params", "code"),
    [
        ("Ada", {"title": "Alpha"}, "permissiondenied"),
        ("Admin", {"title": "Beta"}, "cantundelete"),
        ("Admin", {"title": "a[b"}, "invalidtitle"),
        ("Admin", {"title": "Special:Version"}, "pagecannotexist"),
        ("Admin", {"title": "Alpha", "timestamps": "20010101000000"}, "cantundelete"),
    ],
)
def test_what_cannot_be_restored(
    wiki: Actors, user: str, params: dict[str, str], code: str
) -> None:
    wiki.act("Admin", "delete", title="Alpha")
    assert wiki.act(user, "undelete", **params).codes == code


def test_a_tag_that_does_not_exist_leaves_everything_as_it_is(wiki: Actors) -> None:
    assert wiki.act("Admin", "delete", title="Alpha", tags="nobody").codes == "badtags"
    assert wiki.text("Alpha") is not None
    assert wiki.log("delete") == []
