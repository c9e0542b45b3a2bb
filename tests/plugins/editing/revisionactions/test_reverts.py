"""What a revert takes back is tagged: at once, or when the revert is patrolled."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.plugins.editing.pageactions.actors import Actors
from wikiapi.store.models import ChangeTag, ChangeTagDef
from wikiapi.testing import DeclaredUser, Edit

PAGES = {
    "Alpha": [Edit("one", user="Admin"), Edit("two", user="Ada"), Edit("three", user="Ada")],
    "Beta": [
        Edit("a\n\nb\n\nc", user="Admin"),
        Edit("a2\n\nb\n\nc", user="Ada"),
        Edit("a2\n\nb\n\nc2", user="Admin"),
    ],
}


pytestmark = pytest.mark.wiki(PAGES)


def tags(wiki: Actors, title: str = "Alpha") -> list[list[str]]:
    """Return the tags of the revisions, the first one first."""
    query = {"titles": title, "prop": "revisions", "rvprop": "tags", "rvlimit": "max"}
    [page] = wiki.query("Admin", **query)["pages"]
    return [sorted(revision["tags"]) for revision in reversed(page["revisions"])]


def changes(wiki: Actors, tag: str) -> list[int]:
    """Return the revisions of the recent changes with a tag."""
    query = wiki.query(list="recentchanges", rctag=tag, rcprop="ids", rclimit="max")
    return sorted(change["revid"] for change in query["recentchanges"])


def hits(wiki: Actors) -> int:
    """Return how often the tag is used."""
    entries = wiki.query(list="tags", tgprop="hitcount", tglimit="max")["tags"]
    return next(tag["hitcount"] for tag in entries if tag["name"] == "mw-reverted")


@pytest.mark.parametrize(
    ("tag", "action", "params"),
    [
        ("mw-rollback", "rollback", {"user": "Ada"}),
        ("mw-undo", "edit", {"undo": 3, "undoafter": 1}),
        ("mw-manual-revert", "edit", {"text": "one"}),
    ],
)
def test_what_is_taken_back_is_tagged(
    wiki: Actors, tag: str, action: str, params: dict[str, Any]
) -> None:
    assert wiki.act("Admin", action, title="Alpha", **params).codes == ""
    assert tags(wiki) == [[], ["mw-reverted"], ["mw-reverted"], [tag]]
    assert changes(wiki, "mw-reverted") == [2, 3]
    assert hits(wiki) == 2


def params(wiki: Actors, revision: int, tag: str) -> Any:
    """Return what is stored with a tag of a revision."""
    query = (
        ChangeTag.select(ChangeTag.ct_params)
        .join_from(ChangeTag, ChangeTagDef, on=(ChangeTagDef.ctd_id == ChangeTag.ct_tag_id))
        .where(ChangeTag.ct_rev_id == revision, ChangeTagDef.ctd_name == tag)
    )
    return wiki.site.db.scalar(query)


def test_what_is_taken_back_is_stored_as_mediawiki_does(wiki: Actors) -> None:
    revert = wiki.act("Admin", "rollback", title="Alpha", user="Ada").data["rollback"]["revid"]
    facts = (
        '"isNew":false,"originalRevisionId":1,"revertMethod":2,"newestRevertedRevId":3,'
        '"oldestRevertedRevId":2,"isExactRevert":true,"isNullEdit":false,'
        '"revertTags":["mw-rollback"],"version":"1"}'
    )
    assert params(wiki, revert, "mw-rollback") == f"{{{facts}"
    for reverted in (2, 3):
        assert params(wiki, reverted, "mw-reverted") == f'{{"revertId":{revert},{facts}'


@pytest.mark.parametrize(
    ("tag", "method", "fields"),
    [
        ("mw-undo", 1, {"undo": 3, "undoafter": 1}),
        ("mw-manual-revert", 3, {"text": "one"}),
    ],
)
def test_the_kind_of_a_revert_is_stored(
    wiki: Actors, tag: str, method: int, fields: dict[str, Any]
) -> None:
    revert = wiki.act("Admin", "edit", title="Alpha", **fields).data["edit"]["newrevid"]
    facts = json.loads(params(wiki, revert, tag))
    assert (facts["revertMethod"], facts["revertTags"]) == (method, [tag])
    assert (facts["originalRevisionId"], facts["isExactRevert"]) == (1, True)


def test_an_undo_that_keeps_later_edits_restores_no_revision(wiki: Actors) -> None:
    revert = wiki.act("Admin", "edit", title="Beta", undo=5).data["edit"]["newrevid"]
    facts = json.loads(params(wiki, 5, "mw-reverted"))
    assert (facts["originalRevisionId"], facts["isExactRevert"]) == (False, False)
    assert (facts["oldestRevertedRevId"], facts["newestRevertedRevId"]) == (5, 5)
    assert facts["revertId"] == revert


def test_other_tags_store_nothing(wiki: Actors) -> None:
    blanked = wiki.act("Admin", "edit", title="Alpha", text="").data["edit"]["newrevid"]
    assert tags(wiki)[-1] == ["mw-blank"]
    assert params(wiki, blanked, "mw-blank") is None


def test_an_undo_goes_back_to_the_revision_before_in_a_merged_history(wiki: Actors) -> None:
    added = wiki.act("Ada", "edit", title="Later", text="z\n\nb").data["edit"]["newrevid"]
    wiki.act("Admin", "mergehistory", from_="Beta", to="Later")
    summary = f"Undo revision [[Special:Diff/{added}|{added}]]"
    assert wiki.act("Admin", "edit", title="Later", undo=added).codes == ""
    page = wiki.query(titles="Later", prop="revisions", rvprop="content|comment", rvslots="main")
    (revision,) = page["pages"][0]["revisions"]
    assert revision["slots"]["main"]["content"] == "a2\n\nb\n\nc2"
    assert revision["comment"].startswith(summary)


@pytest.mark.wiki(PAGES, users=[DeclaredUser("Hider", ("sysop", "suppress"))])
@pytest.mark.parametrize("hidden", [2, 3])
def test_a_hidden_revision_is_not_undone(wiki: Actors, hidden: int) -> None:
    wiki.act("Ada", "edit", title="Alpha", text="four")
    params = {"type": "revision", "ids": hidden, "hide": "content"}
    assert not wiki.act("Hider", "revisiondelete", **params).codes
    assert wiki.act("Admin", "edit", title="Alpha", undo=3).codes == "nosuchrevid"


def test_only_the_last_change_of_the_content_model_is_undone(wiki: Actors) -> None:
    answer = wiki.act("Admin", "changecontentmodel", title="Alpha", model="text")
    changed = answer.data["changecontentmodel"]["revid"]
    assert wiki.act("Admin", "edit", title="Alpha", undo=3).codes == "undofailure"
    assert wiki.act("Admin", "edit", title="Alpha", undo=changed).codes == ""


def test_an_undo_further_back_tags_nothing_else(wiki: Actors) -> None:
    assert wiki.act("Admin", "edit", title="Beta", undo=5).codes == ""
    assert tags(wiki, "Beta") == [[], ["mw-reverted"], [], ["mw-undo"]]


def test_reverts_to_patrol_tag_when_they_are_patrolled(wiki: Actors) -> None:
    revert = wiki.act("Ada", "edit", title="Alpha", text="one").data["edit"]["newrevid"]
    assert tags(wiki) == [[], [], [], ["mw-manual-revert"]]
    assert wiki.act("Admin", "patrol", revid=revert).codes == ""
    assert tags(wiki) == [[], ["mw-reverted"], ["mw-reverted"], ["mw-manual-revert"]]
    assert json.loads(params(wiki, 2, "mw-reverted"))["revertId"] == revert
    wiki.act("Admin", "edit", title="Alpha", text="three")
    assert tags(wiki)[3:] == [["mw-manual-revert", "mw-reverted"], ["mw-manual-revert"]]
    assert hits(wiki) == 3


def test_a_revert_that_was_taken_back_tags_nothing(wiki: Actors) -> None:
    revert = wiki.act("Ada", "edit", title="Alpha", text="one").data["edit"]["newrevid"]
    wiki.act("Admin", "rollback", title="Alpha", user="Ada")
    wiki.act("Admin", "edit", title="Alpha", undo=revert)
    before = tags(wiki)
    assert "mw-reverted" in before[3]
    wiki.act("Admin", "patrol", revid=revert)
    assert tags(wiki) == before


def test_no_edit_beyond_the_fifteenth_counts_as_a_revert() -> None:
    long = Actors({"Alpha": [Edit(str(n), user="Ada") for n in range(17)]})
    assert long.act("Admin", "edit", title="Alpha", text="0").codes == ""
    assert tags(long) == [[]] * 18
    assert long.act("Admin", "edit", title="Alpha", text="3").codes == ""
    assert tags(long)[4:] == [["mw-reverted"]] * 14 + [["mw-manual-revert"]]


def test_a_revert_of_many_edits_is_a_fixed_number_of_statements() -> None:
    counts = []
    for length in (4, 12):
        wiki = Actors({"Alpha": [Edit(str(n), user="Ada") for n in range(length)]})
        with wiki.site.db.recording() as statements:
            wiki.act("Admin", "edit", title="Alpha", text="0")
        assert hits(wiki) == length - 1
        counts.append(len(statements))
    assert counts[0] == counts[1]
