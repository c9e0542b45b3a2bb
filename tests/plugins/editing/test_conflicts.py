"""Edits that are based on a revision which is not the latest."""

from __future__ import annotations

from contextlib import AbstractContextManager

import pytest

from tests.plugins.editing.pageactions.actors import Actors
from wikiapi.testing import Edit

LINES = "one\n\ntwo\n\nthree"
TWO_SECTIONS = "== A ==\na\n\n== B ==\nb"


pytestmark = pytest.mark.wiki(
    {
        "Mine": [Edit("first", user="Ada"), Edit("second", user="Ada")],
        "Ours": [Edit(LINES, user="Ada"), Edit(LINES.replace("one", "ONE"), user="Bob")],
        "Sections": [
            Edit(TWO_SECTIONS, user="Ada"),
            Edit(f"== New ==\nnew\n\n{TWO_SECTIONS}", user="Bob"),
        ],
    }
)


def first_revision(wiki: Actors, title: str) -> int:
    page = wiki.query(titles=title, prop="revisions", rvdir="newer", rvlimit=1)["pages"][0]
    return page["revisions"][0]["revid"]


@pytest.mark.parametrize("base", ["revision", "time"])
def test_nobody_is_in_conflict_with_own_edits(wiki: Actors, base: str) -> None:
    params = (
        {"baserevid": first_revision(wiki, "Mine")}
        if base == "revision"
        else {"basetimestamp": "2001-01-01T00:00:00Z"}
    )
    assert wiki.act("Ada", "edit", title="Mine", text="third", **params).codes == ""
    assert wiki.text("Mine") == "third"


def test_a_revision_that_nobody_made_is_a_conflict(wiki: Actors) -> None:
    assert wiki.act("Ada", "edit", title="Mine", text="x", baserevid=99_999).codes == "editconflict"


@pytest.mark.parametrize(("user", "code"), [("Ada", ""), ("", "editconflict")])
def test_a_time_at_which_nobody_edited_is_a_conflict_for_visitors(
    wiki: Actors, user: str, code: str
) -> None:
    params = {"text": "x", "basetimestamp": "2100-01-01T00:00:00Z"}
    assert wiki.act(user, "edit", title="Mine", **params).codes == code


def test_lines_that_others_have_not_changed_are_merged(wiki: Actors) -> None:
    params = {"text": LINES.replace("three", "THREE"), "baserevid": first_revision(wiki, "Ours")}
    assert wiki.act("Ada", "edit", title="Ours", **params).codes == ""
    assert wiki.text("Ours") == "ONE\n\ntwo\n\nTHREE"


def test_nothing_is_newer_than_the_latest_revision_of_another_page(wiki: Actors) -> None:
    base = wiki.query(titles="Ours", prop="info")["pages"][0]["lastrevid"]
    wiki.act("Bob", "edit", title="Mine", text="third")
    assert wiki.act("Ada", "edit", title="Mine", text="fourth", baserevid=base).codes == ""
    assert wiki.text("Mine") == "fourth"


def test_an_earlier_revision_of_another_page_is_a_base_for_merging(wiki: Actors) -> None:
    base = first_revision(wiki, "Ours")
    wiki.act("Bob", "edit", title="Mine", text=LINES.replace("one", "ONE"))
    params = {"text": LINES.replace("three", "THREE"), "baserevid": base}
    assert wiki.act("Ada", "edit", title="Mine", **params).codes == ""
    assert wiki.text("Mine") == "ONE\n\ntwo\n\nTHREE"
    params = {"text": "unlike", "baserevid": base}
    assert wiki.act("Ada", "edit", title="Mine", **params).codes == "editconflict"


@pytest.mark.parametrize("params", [{}, {"baserevid": 99_999}])
def test_the_same_line_is_a_conflict(wiki: Actors, params: dict[str, int]) -> None:
    fields = {"baserevid": first_revision(wiki, "Ours"), **params}
    answer = wiki.act("Ada", "edit", title="Ours", text=LINES.replace("one", "One"), **fields)
    assert answer.codes == "editconflict"


def test_a_section_is_that_of_the_revision_that_was_seen(wiki: Actors) -> None:
    fields = {"section": 1, "text": "== A ==\nA", "baserevid": first_revision(wiki, "Sections")}
    assert wiki.act("Ada", "edit", title="Sections", **fields).codes == ""
    assert wiki.text("Sections") == "== New ==\nnew\n\n== A ==\nA\n\n== B ==\nb"


def test_a_new_section_conflicts_with_nothing(wiki: Actors) -> None:
    fields = {"section": "new", "text": "c", "baserevid": first_revision(wiki, "Ours")}
    assert wiki.act("Ada", "edit", title="Ours", sectiontitle="C", **fields).codes == ""
    assert wiki.text("Ours") == "ONE\n\ntwo\n\nthree\n\n== C ==\n\nc"


def test_a_new_section_that_is_sent_twice_is_a_conflict(wiki: Actors) -> None:
    section = {"title": "Sections", "section": "new", "sectiontitle": "More", "text": "x"}
    base = {"baserevid": first_revision(wiki, "Sections")}
    assert wiki.act("Ada", "edit", **section, **base).codes == ""
    assert wiki.act("Bob", "edit", **section, **base).codes == ""
    assert wiki.act("Bob", "edit", **section, **base).codes == "editconflict"
    assert wiki.act("Bob", "edit", **section, **base, summary="other").codes == ""
    assert wiki.act("Bob", "edit", **section).codes == ""


@pytest.mark.parametrize("section", [{}, {"section": "0"}])
def test_no_revision_is_the_latest_one(wiki: Actors, section: dict[str, str]) -> None:
    assert wiki.act("Ada", "edit", title="Ours", text="x", baserevid=0, **section).codes == ""


@pytest.mark.parametrize("moment", ["", "0"])
def test_no_time_is_that_of_the_latest_revision(wiki: Actors, moment: str) -> None:
    params = {"section": "1", "basetimestamp": moment, "starttimestamp": moment}
    assert wiki.act("Ada", "edit", title="Sections", text="x", **params).codes == ""


def test_a_page_without_an_earlier_revision_is_undone_nowhere(wiki: Actors) -> None:
    undo = first_revision(wiki, "Mine")
    assert wiki.act("Ada", "edit", title="Absent", undo=undo).codes == "nosuchrevid"
    assert wiki.act("Ada", "edit", title="Absent", undo=undo + 1).codes == "revwrongpage"


def test_an_edit_that_waited_for_others_is_not_older_than_theirs(
    wiki: Actors, monkeypatch: pytest.MonkeyPatch
) -> None:
    begin = wiki.site.db.atomic

    def begin_late(**options: bool) -> AbstractContextManager[None]:
        monkeypatch.undo()
        wiki.clock.advance(30)
        assert wiki.act("Bob", "edit", title="Mine", appendtext="of Bob").codes == ""
        return begin(**options)

    monkeypatch.setattr(wiki.site.db, "atomic", begin_late)
    assert wiki.act("Ada", "edit", title="Mine", appendtext="of Ada").codes == ""
    page = wiki.query(titles="Mine", prop="revisions", rvprop="user|timestamp", rvlimit=2)["pages"]
    assert [revision["user"] for revision in page[0]["revisions"]] == ["Ada", "Bob"]
