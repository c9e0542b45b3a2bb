"""Rolling edits back, and patrolling them."""

from __future__ import annotations

import pytest

from tests.plugins.editing.pageactions.actors import Actors
from wikiapi.testing import Edit

PAGES = {
    "Alpha": [Edit("one", user="Ada"), Edit("two", user="Bob"), Edit("three", user="Bob")],
    "Only": Edit("one", user="Bob"),
}


pytestmark = pytest.mark.wiki(PAGES)


def test_the_last_edits_of_a_user_are_undone(wiki: Actors) -> None:
    done = wiki.act("Admin", "rollback", title="Alpha", user="Bob").data["rollback"]
    assert done == {
        "title": "Alpha",
        "pageid": 1,
        "summary": (
            "Reverted edits by [[Special:Contributions/Bob|Bob]] ([[User talk:Bob|talk]]) "
            "to last revision by [[User:Ada|Ada]]"
        ),
        "revid": done["revid"],
        "old_revid": 3,
        "last_revid": 1,
    }
    assert wiki.text("Alpha") == "one"
    page = wiki.query(titles="Alpha", prop="revisions", rvprop="flags|tags|comment")["pages"][0]
    assert page["revisions"][0] == {
        "minor": True,
        "tags": ["mw-rollback"],
        "comment": done["summary"],
    }
    changes = wiki.query("Admin", list="recentchanges", rcprop="patrolled|ids", rctitle="Alpha")
    own, *undone = changes["recentchanges"][:3]
    assert own["autopatrolled"]
    assert [(change["patrolled"], change["autopatrolled"]) for change in undone] == [
        (True, False)
    ] * 2


def test_a_summary_has_placeholders_and_edits_can_be_a_bots(wiki: Actors) -> None:
    params = {"title": "Alpha", "user": "#3", "summary": "$2 to $1 ($3, $5)", "markbot": 1}
    done = wiki.act("Admin", "rollback", **params).data["rollback"]
    assert done["summary"] == "Bob to Ada (1, 3)"
    changes = wiki.query(list="recentchanges", rcprop="flags", rctitle="Alpha")["recentchanges"]
    assert [change["bot"] for change in changes] == [True, True, True, False]


@pytest.mark.parametrize(
    ("user", "params", "code"),
    [
        ("Admin", {"title": "Only", "user": "Bob"}, "onlyauthor"),
        ("Admin", {"title": "Alpha", "user": "Ada"}, "alreadyrolled"),
        ("Admin", {"title": "Nothing", "user": "Ada"}, "missingtitle"),
        ("Admin", {"pageid": "99", "user": "Ada"}, "nosuchpageid"),
        ("Admin", {"title": "Alpha", "pageid": "1", "user": "Bob"}, "invalidparammix"),
        ("Ada", {"title": "Alpha", "user": "Bob"}, "permissiondenied"),
    ],
)
def test_what_is_refused(wiki: Actors, user: str, params: dict[str, str], code: str) -> None:
    assert wiki.act(user, "rollback", **params).codes == code
    assert wiki.text("Alpha") == "three"


def test_a_rollback_that_changes_nothing_marks_the_edits(wiki: Actors) -> None:
    for text in ("four", "one"):
        wiki.act("Bob", "edit", title="Alpha", text=text)
    assert wiki.act("Admin", "rollback", title="Alpha", user="Bob").codes == "alreadyrolled"
    changes = wiki.query("Admin", list="recentchanges", rcprop="patrolled|user", rctitle="Alpha")
    marks = [(change["user"], change["patrolled"]) for change in changes["recentchanges"]]
    assert marks == [("Bob", True)] * 4 + [("Ada", False)]


def test_rolled_back_edits_that_were_patrolled_stay_as_they_are(wiki: Actors) -> None:
    wiki.act("Admin", "edit", title="Alpha", text="four")
    wiki.act("Admin", "rollback", title="Alpha", user="Admin", markbot=1)
    changes = wiki.query("Admin", list="recentchanges", rcprop="patrolled|flags", rctitle="Alpha")
    marks = [(change["autopatrolled"], change["bot"]) for change in changes["recentchanges"]]
    assert marks[:3] == [(True, True), (True, True), (False, False)]


def test_a_rollback_has_the_tags_of_what_it_does_to_the_text(wiki: Actors) -> None:
    wiki.act("Ada", "edit", title="Alpha", text="#REDIRECT [[Only]]")
    wiki.act("Bob", "edit", title="Alpha", text="x")
    wiki.act("Admin", "rollback", title="Alpha", user="Bob")
    page = wiki.query(titles="Alpha", prop="revisions", rvprop="tags")["pages"][0]
    assert set(page["revisions"][0]["tags"]) == {"mw-rollback", "mw-new-redirect"}


def test_a_rollback_to_another_content_model_is_logged(wiki: Actors) -> None:
    wiki.act("Ada", "edit", title="User:Ada/x.json", text="{}")
    model = {"contentmodel": "wikitext", "text": "x"}
    assert not wiki.act("Admin", "edit", title="User:Ada/x.json", **model).codes
    assert not wiki.act("Admin", "rollback", title="User:Ada/x.json", user="Admin").codes
    models = [entry["params"] for entry in wiki.log("contentmodel")]
    assert models[0] == {"oldmodel": "wikitext", "newmodel": "json"}


def test_a_change_is_patrolled_once(wiki: Actors) -> None:
    revision = wiki.act("Ada", "edit", title="New", text="x").data["edit"]["newrevid"]
    change = wiki.query(list="recentchanges", rcprop="ids", rclimit=1)["recentchanges"][0]["rcid"]
    done = wiki.act("Admin", "patrol", revid=revision).data["patrol"]
    assert done == {"rcid": change, "ns": 0, "title": "New"}
    wiki.act("Admin", "patrol", rcid=change)
    (entry,) = wiki.log("patrol")
    assert entry["params"] == {"curid": revision, "previd": 0, "auto": False}
    query = wiki.query("Admin", list="recentchanges", rcprop="patrolled", rclimit=1)
    assert query["recentchanges"][0]["patrolled"]


@pytest.mark.parametrize(
    ("user", "params", "code"),
    [
        ("Admin", {"rcid": "999"}, "nosuchrcid"),
        ("Admin", {"revid": "999"}, "nosuchrevid"),
        ("Admin", {}, "missingparam"),
        ("Admin", {"revid": "1", "rcid": "1"}, "invalidparammix"),
        ("Ada", {"revid": "3"}, "permissiondenied"),
    ],
)
def test_what_cannot_be_patrolled(
    wiki: Actors, user: str, params: dict[str, str], code: str
) -> None:
    assert wiki.act(user, "patrol", **params).codes == code


def test_nobody_patrols_own_changes_without_the_right(wiki: Actors) -> None:
    revision = wiki.act("Ada", "edit", title="New", text="x").data["edit"]["newrevid"]
    assert wiki.act("Ada", "patrol", revid=revision).codes == "noautopatrol, permissiondenied"


def test_the_revision_of_a_log_entry_is_patrolled_already(wiki: Actors) -> None:
    wiki.act("Admin", "move", **{"from": "Alpha", "to": "Moved"})
    [entry] = wiki.query(list="recentchanges", rctype="log", rcprop="ids")["recentchanges"]
    [page] = wiki.query(titles="Moved", prop="revisions", rvprop="ids")["pages"]
    answer = wiki.act("Admin", "patrol", revid=page["revisions"][0]["revid"])
    assert answer.data["patrol"]["rcid"] == entry["rcid"]


def test_there_is_no_revision_0_to_patrol(wiki: Actors) -> None:
    assert wiki.act("Admin", "protect", title="Salted", protections="create=sysop").codes == ""
    assert wiki.act("Admin", "patrol", revid=0).codes == "nosuchrevid"
