"""Moving pages."""

from __future__ import annotations

from typing import Any

import pytest

from tests.plugins.editing.pageactions.actors import Actors
from wikiapi.store.models import Watchlist
from wikiapi.testing import DeclaredUser

PAGES = {
    "Alpha": "text [[Beta]] [[Category:C]]",
    "Talk:Alpha": "talk",
    "Alpha/one": "sub",
    "Alpha/two": "sub",
    "Beta": "[[Alpha]] [[Gamma]]",
    "To alpha": "#REDIRECT [[Alpha]]",
    "Elsewhere": "#REDIRECT [[Beta]]",
    "Category:C": "c",
    "User:Ada": "me",
    "Module:M": "return {}",
    "Data": "plain",
}
MODULES = {"namespaces": [{"id": 828, "name": "Module"}, {"id": 829, "name": "Module talk"}]}


pytestmark = pytest.mark.wiki(
    PAGES, config={"site": {"writable": True, "main_subpages": True}, **MODULES}
)


def move_alpha(wiki: Actors, user: str, **params: Any) -> Any:
    params = {"from_": "Alpha", "to": "Gamma"} | params
    return wiki.act(user, "move", **params).data["move"]


def test_a_page_is_moved_and_leaves_a_redirect(wiki: Actors) -> None:
    before = wiki.statistics()
    assert move_alpha(wiki, "Ada", reason="better") == {
        "from": "Alpha",
        "to": "Gamma",
        "reason": "better",
        "redirectcreated": True,
        "moveoverredirect": False,
    }
    assert wiki.text("Alpha") == "#REDIRECT [[Gamma]]"
    page = wiki.query(titles="Gamma", prop="info|revisions|links", rvlimit=9)["pages"][0]
    assert page["pageid"] == 1
    assert [revision["comment"] for revision in page["revisions"]] == [
        "Ada moved page [[Alpha]] to [[Gamma]]: better",
        "",
    ]
    assert page["revisions"][0]["minor"]
    assert page["links"] == [{"ns": 0, "title": "Beta"}]
    members = wiki.query(list="categorymembers", cmtitle="Category:C")["categorymembers"]
    assert [member["title"] for member in members] == ["Gamma"]
    after = wiki.statistics()
    assert after["pages"] == before["pages"] + 1
    assert after["articles"] == before["articles"]
    assert after["edits"] == before["edits"] + 1, "only the redirect is an edit"
    assert wiki.query(list="search", srsearch="intitle:Gamma", srwhat="text")


def test_a_reason_keeps_the_space_at_its_ends_in_the_history(wiki: Actors) -> None:
    move_alpha(wiki, "Ada", reason=" better ")
    for title in ("Gamma", "Alpha"):
        page = wiki.query(titles=title, prop="revisions", rvprop="comment")["pages"][0]
        summary = "Ada moved page [[Alpha]] to [[Gamma]]:  better "
        assert page["revisions"][0]["comment"] == summary
    assert wiki.log("move")[0]["comment"] == "better"


def test_the_redirect_leads_to_the_fragment_of_the_new_title(wiki: Actors) -> None:
    assert move_alpha(wiki, "Ada", to="Gamma#part")["to"] == "Gamma"
    assert wiki.text("Alpha") == "#REDIRECT [[Gamma#part]]"
    assert wiki.log("move")[0]["params"]["target_title"] == "Gamma"


def test_the_log_says_where_to(wiki: Actors) -> None:
    move_alpha(wiki, "Admin", noredirect=1)
    entry = wiki.log("move")[0]
    assert (entry["title"], entry["action"], entry["logpage"]) == ("Alpha", "move", 1)
    assert entry["params"] == {"target_ns": 0, "target_title": "Gamma", "suppressredirect": True}
    assert wiki.text("Alpha") is None
    changes = wiki.query(list="recentchanges", rctype="log", rcprop="title|loginfo|ids")
    assert changes["recentchanges"][0]["revid"] == entry["revid"]
    page = wiki.query(titles="Gamma", prop="revisions")["pages"][0]
    assert page["revisions"][0]["comment"].endswith("to [[Gamma]] without leaving a redirect")


def test_log_entries_are_never_waiting_for_a_patrol(wiki: Actors) -> None:
    move_alpha(wiki, "Ada")
    changes = wiki.query("Admin", list="recentchanges", rctype="log", rcprop="patrolled|flags")
    assert changes["recentchanges"][0] == {
        "type": "log",
        "patrolled": True,
        "unpatrolled": False,
        "autopatrolled": True,
        "bot": False,
        "new": False,
        "minor": False,
    }


def test_the_revision_of_a_move_has_the_mark_of_the_log_entry(wiki: Actors) -> None:
    wiki.act("Admin", "move", from_="Alpha", to="New")
    params = {"list": "usercontribs", "ucuser": "Admin", "ucprop": "title|patrolled"}
    edits = {edit.pop("title"): edit for edit in wiki.query("Admin", **params)["usercontribs"]}
    assert edits["New"]["patrolled"]
    assert edits["New"]["autopatrolled"]


@pytest.mark.wiki({"Alpha": "x"}, users=[DeclaredUser("Robot", ("bot",))])
@pytest.mark.parametrize(("params", "is_marked"), [({}, True), ({"bot": "0"}, False)])
def test_log_entries_of_a_bot_are_marked(
    wiki: Actors, params: dict[str, str], is_marked: bool
) -> None:
    move_alpha(wiki, "Robot", **params)
    changes = wiki.query(list="recentchanges", rctype="log", rcprop="flags")["recentchanges"]
    assert changes[0]["bot"] == is_marked


@pytest.mark.parametrize("noredirect", [{}, {"noredirect": 1}])
def test_a_move_is_one_edit_of_its_author(wiki: Actors, noredirect: dict[str, int]) -> None:
    move_alpha(wiki, "Admin", **noredirect)
    user = wiki.query(list="users", ususers="Admin", usprop="editcount")["users"][0]
    assert user["editcount"] == 1


def test_only_those_who_may_leave_no_redirect(wiki: Actors) -> None:
    assert move_alpha(wiki, "Ada", noredirect=1)["redirectcreated"]


def test_a_redirect_to_the_page_gives_way(wiki: Actors) -> None:
    done = move_alpha(wiki, "Ada", to="To alpha")
    assert done["moveoverredirect"]
    assert wiki.text("To alpha") == PAGES["Alpha"]
    assert wiki.log("move")[0]["action"] == "move_redir"
    entry = wiki.log("delete")[0]
    assert (entry["action"], entry["title"]) == ("delete_redir", "To alpha")
    assert entry["comment"] == 'Deleted to make way for move from "[[Alpha]]"'
    back = move_alpha(wiki, "Ada", from_="To alpha", to="Alpha")
    assert back["moveoverredirect"]


def test_the_talk_page_and_subpages_go_too(wiki: Actors) -> None:
    done = move_alpha(wiki, "Ada", movetalk=1, movesubpages=1)
    assert (done["talkfrom"], done["talkto"]) == ("Talk:Alpha", "Talk:Gamma")
    assert done["talkmoveoverredirect"] is False
    assert done["subpages"] == [
        {"from": "Alpha/one", "to": "Gamma/one"},
        {"from": "Alpha/two", "to": "Gamma/two"},
    ]
    assert done["subpages-talk"] == []
    assert wiki.text("Talk:Gamma") == "talk"


def test_a_talk_page_is_told_that_its_talk_page_has_no_subpages(wiki: Actors) -> None:
    done = move_alpha(wiki, "Ada", from_="Talk:Alpha", to="Delta", movetalk=1, movesubpages=1)
    assert (done["subpages"], done["subpages-talk"]) == ([], [])
    assert "talkfrom" not in done


def test_a_talk_page_in_the_way_is_an_error_beside_the_success(wiki: Actors) -> None:
    wiki.act("Ada", "edit", title="Talk:Gamma", text="in the way")
    done = move_alpha(wiki, "Ada", movetalk=1)
    (error,) = done["talkmove-errors"]
    assert (error["code"], error["params"]) == ("articleexists", ["Talk:Gamma"])
    assert wiki.text("Gamma") == PAGES["Alpha"]


def test_protection_goes_with_the_page_and_stays_with_the_redirect(wiki: Actors) -> None:
    wiki.act("Admin", "protect", title="Alpha", protections="edit=sysop")
    move_alpha(wiki, "Admin")
    pages = wiki.query(titles="Alpha|Gamma", prop="info", inprop="protection")["pages"]
    rows = [{"type": "edit", "level": "sysop", "expiry": "infinity"}]
    assert [page["protection"] for page in pages] == [rows, rows]
    entry = wiki.log("protect")[0]
    assert (entry["action"], entry["title"]) == ("move_prot", "Gamma")
    assert entry["params"] == {"oldtitle_ns": 0, "oldtitle_title": "Alpha"}


def test_who_watched_the_page_watches_both_titles(wiki: Actors) -> None:
    wiki.act("Bob", "edit", title="Alpha", appendtext="x", watchlist="watch")
    move_alpha(wiki, "Ada")
    query = Watchlist.select(Watchlist.wl_title).where(Watchlist.wl_user == 3)
    watched = {title for (title,) in wiki.site.db.execute(query)}
    assert watched == {"Alpha", "Gamma"}


def test_a_category_keeps_its_redirect_out_of_itself(wiki: Actors) -> None:
    move_alpha(wiki, "Ada", from_="Category:C", to="Category:D")
    assert wiki.text("Category:C") == "#REDIRECT [[:Category:D]]"
    info = wiki.query(titles="Category:C", prop="categoryinfo")["pages"][0]["categoryinfo"]
    assert info["pages"] == 1


def test_a_category_counts_a_moved_page_as_the_kind_of_member_that_it_was(wiki: Actors) -> None:
    def counts() -> list[int]:
        page = wiki.query(titles="Category:C", prop="categoryinfo")["pages"][0]
        return [page["categoryinfo"][kind] for kind in ("size", "pages", "subcats")]

    move_alpha(wiki, "Ada", to="Category:Gamma")
    members = wiki.query(list="categorymembers", cmtitle="Category:C", cmtype="subcat")
    assert [member["title"] for member in members["categorymembers"]] == ["Category:Gamma"]
    assert counts() == [1, 1, 0]
    wiki.act("Ada", "edit", title="Other", text="[[Category:C]]")
    assert counts() == [2, 1, 1], "it is counted again when its members change"


def test_modules_redirect_in_their_own_way(wiki: Actors) -> None:
    move_alpha(wiki, "Ada", from_="Module:M", to="Module:N")
    assert wiki.text("Module:M") == "return require [[Module:N]]"


@pytest.mark.parametrize(
    ("user", "params", "code"),
    [
        ("", {}, "cantmove, cantmove-anon"),
        ("Ada", {"to": "Beta"}, "articleexists"),
        ("Ada", {"to": "Elsewhere"}, "redirectexists"),
        ("Ada", {"to": "Alpha"}, "selfmove"),
        ("Ada", {"to": "Special:Version"}, "immobile-target-namespace, unsupportednamespace"),
        ("Ada", {"to": "File:X.png"}, "nonfile-cannot-move-to-file"),
        ("Ada", {"to": "a[b"}, "invalidtitle"),
        ("Ada", {"from_": "Nothing"}, "missingtitle"),
        ("Ada", {"fromid": "1"}, "invalidparammix"),
        ("Ada", {"tags": "nobody"}, "badtags"),
    ],
)
def test_what_is_refused(wiki: Actors, user: str, params: dict[str, str], code: str) -> None:
    answer = wiki.act(user, "move", **({"from_": "Alpha", "to": "Gamma"} | params))
    assert answer.codes == code
    assert wiki.log("move") == []


def test_protected_pages_are_moved_by_those_who_may(wiki: Actors) -> None:
    wiki.act("Admin", "protect", title="Alpha", protections="move=sysop")
    wiki.act("Admin", "protect", title="Salted", protections="create=sysop")
    answer = wiki.act("Ada", "move", from_="Alpha", to="Gamma")
    assert answer.codes == "protectedpage"
    answer = wiki.act("Ada", "move", from_="Beta", to="Salted")
    assert answer.codes == "protectedpage, protectedtitle"
    assert move_alpha(wiki, "Admin", from_="Beta", to="Salted")["redirectcreated"]
    titles = wiki.query(list="protectedtitles")["protectedtitles"]
    assert titles == []


@pytest.mark.parametrize("name", ["Shared.js", "Shared.css"])
def test_a_moved_script_or_style_sheet_leaves_a_redirect(wiki: Actors, name: str) -> None:
    old, new = f"User:Ada/{name}", f"User:Ada/New {name}"
    assert wiki.act("Ada", "edit", title=old, text="a").codes == ""
    assert move_alpha(wiki, "Ada", from_=old, to=new)["redirectcreated"]
    [page] = wiki.query(titles=old, prop="revisions|info", rvprop="content", rvslots="main")[
        "pages"
    ]
    text = page["revisions"][0]["slots"]["main"]["content"]
    assert page["redirect"] is True
    assert wiki.site.config.site.server + "/" in text


def test_namespaces_without_subpages_are_named_in_english() -> None:
    wiki = Actors({"Alpha": "1", "Alpha/x": "2"}, language="fr")
    move = {"from": "Alpha", "to": "Catégorie:A", "movesubpages": "1", "errorformat": "raw"}
    errors = wiki.act("Admin", "move", **move).data["move"]["subpages"]["errors"]
    assert errors[0]["params"] == ["Category"]
    wiki.site.db.close()
