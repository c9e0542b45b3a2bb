from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.request import urlopen

import pytest

from tests.sites import SHARED
from wikiapi.errors import InvalidTitle
from wikiapi.hookspecs import hookimpl
from wikiapi.testing import Declaration, DeclaredUser, Edit, Wiki
from wikiapi.testing.clock import Clock
from wikiapi.testing.shared import SharedParts

PAGES = {
    "Tea": "{{Drink|hot}} See [[Coffee]].",
    "Template:Drink": "A {{{1}}} drink. [[Category:Drinks]]",
    "Coffee": [Edit("Black.", user="Ada"), Edit("Black and hot.", user="Bob", comment="taste")],
}
DECLARED = Declaration(
    pages=PAGES, users=[DeclaredUser("Ada", groups=("sysop",)), DeclaredUser("Bob", ("bot",))]
)


@pytest.fixture
def wiki() -> Iterator[Wiki]:
    with Wiki(DECLARED, SHARED) as made:
        yield made


def members(wiki: Wiki, category: str) -> list[str]:
    answer = wiki.get(action="query", list="categorymembers", cmtitle=category, cmlimit="max")
    return [page["title"] for page in answer["query"]["categorymembers"]]


def changes(wiki: Wiki) -> list[tuple[str, str, str]]:
    answer = wiki.get(
        action="query", list="recentchanges", rcprop="title|user|loginfo|flags", rclimit="max"
    )
    return [(c["type"], c["title"], c["user"]) for c in answer["query"]["recentchanges"]]


def revisions(wiki: Wiki, title: str) -> list[dict[str, Any]]:
    answer = wiki.get(
        action="query", titles=title, prop="revisions", rvprop="ids|user|comment|size", rvlimit=9
    )
    return answer["query"]["pages"][0]["revisions"]


def test_declared_pages_are_there(wiki: Wiki) -> None:
    assert wiki.text("coffee") == "Black and hot."
    assert wiki.text("Water") is None
    assert members(wiki, "Category:Drinks") == ["Template:Drink", "Tea"]


def test_an_edit_is_a_revision_of_its_user_at_the_time_of_the_clock(wiki: Wiki) -> None:
    wiki.clock.set("2026-03-04T05:06:07Z")
    latest = wiki.edit("Coffee", "Cold.", user="Ada", comment="cooled", minor=True)
    answer = wiki.get(
        action="query",
        titles="Coffee",
        prop="info|revisions",
        rvprop="ids|user|timestamp|comment|flags|size",
    )
    (page,) = answer["query"]["pages"]
    assert page["lastrevid"] == latest
    assert page["length"] == 5
    (revision,) = page["revisions"]
    assert revision == {
        "revid": latest,
        "parentid": latest - 1,
        "minor": True,
        "user": "Ada",
        "timestamp": "2026-03-04T05:06:07Z",
        "comment": "cooled",
        "size": 5,
    }


def test_an_edit_makes_a_page(wiki: Wiki) -> None:
    wiki.edit("Water", "Wet. [[Category:Drinks]]")
    assert "Water" in members(wiki, "Category:Drinks")
    answer = wiki.get(action="query", list="search", srsearch="wet", srwhat="text")
    assert [page["title"] for page in answer["query"]["search"]] == ["Water"]


def test_saving_the_same_text_makes_no_revision(wiki: Wiki) -> None:
    assert wiki.edit("Coffee", "Black and hot.") == revisions(wiki, "Coffee")[0]["revid"]
    assert len(revisions(wiki, "Coffee")) == 2


def test_an_edited_template_changes_the_pages_that_use_it(wiki: Wiki) -> None:
    wiki.edit("Template:Drink", "{{{1}}}! [[Category:Hot drinks]]")
    assert members(wiki, "Category:Drinks") == []
    assert members(wiki, "Category:Hot drinks") == ["Template:Drink", "Tea"]
    html = wiki.get(action="parse", page="Tea", prop="text")["parse"]["text"]
    assert "hot! " in html


def test_pages_that_test_for_a_page_follow_its_changes(wiki: Wiki) -> None:
    def category() -> str:
        (page,) = wiki.get(action="query", prop="categories", titles="Asking")["query"]["pages"]
        return str(page["categories"][0]["title"])

    wiki.edit("Asking", "[[Category:{{#ifexist:Ice|Frost|Thaw}}]]")
    assert category() == "Category:Thaw"
    wiki.edit("Ice", "Cold.")
    assert category() == "Category:Frost"
    wiki.delete("Ice")
    assert category() == "Category:Thaw"


def test_edits_are_counted_and_contributed(wiki: Wiki) -> None:
    wiki.edit("Water", "Wet.", user="Ada")
    answer = wiki.get(
        action="query", list="users|usercontribs", ususers="Ada", usprop="editcount", ucuser="Ada"
    )
    assert answer["query"]["users"][0]["editcount"] == 2
    assert [c["title"] for c in answer["query"]["usercontribs"]] == ["Water", "Coffee"]


def test_an_edit_with_a_time_of_its_own(wiki: Wiki) -> None:
    wiki.edit("Coffee", Edit("Later.", timestamp="20300101000000"))
    wiki.edit("Coffee", "Not before that.")
    answer = wiki.get(
        action="query",
        titles="Coffee",
        prop="revisions",
        rvprop="timestamp|content",
        rvslots="main",
    )
    (revision,) = answer["query"]["pages"][0]["revisions"]
    assert revision["timestamp"] == "2030-01-01T00:00:00Z"
    assert revision["slots"]["main"]["content"] == "Not before that."


def test_a_redirect_can_be_made_and_unmade(wiki: Wiki) -> None:
    wiki.edit("Chai", "#REDIRECT [[Tea]]")
    assert wiki.get(action="query", titles="Chai", redirects=True)["query"]["redirects"] == [
        {"from": "Chai", "to": "Tea"}
    ]
    wiki.edit("Chai", "Spiced.")
    assert "redirects" not in wiki.get(action="query", titles="Chai", redirects=True)["query"]


def test_changes_are_recent(wiki: Wiki) -> None:
    wiki.clock.advance(minutes=1)
    wiki.edit("Water", "Wet.", user="Ada")
    wiki.clock.advance(minutes=1)
    wiki.edit("Water", "Wetter.", user="Bob")
    assert changes(wiki)[:2] == [("edit", "Water", "Bob"), ("new", "Water", "Ada")]


def test_a_deleted_page_is_in_the_log_and_nowhere_else(wiki: Wiki) -> None:
    wiki.edit("Template:Drink", "{{{1}}}!")
    wiki.clock.advance(days=1)
    wiki.delete("template:drink", user="Ada", reason="unused")
    (page,) = wiki.get(action="query", titles="Template:Drink")["query"]["pages"]
    assert page["missing"] is True
    answer = wiki.get(
        action="query", list="logevents|search", srsearch="drink", srnamespace="10", srwhat="title"
    )
    assert answer["query"]["search"] == []
    (entry,) = answer["query"]["logevents"]
    assert (entry["type"], entry["action"], entry["title"], entry["user"], entry["comment"]) == (
        "delete", "delete", "Template:Drink", "Ada", "unused",
    )  # fmt: skip
    assert changes(wiki)[0] == ("log", "Template:Drink", "Ada")
    assert all(kind == "log" for kind, title, _ in changes(wiki) if title == "Template:Drink")


def test_a_page_made_again_has_a_new_id(wiki: Wiki) -> None:
    before = wiki.edit("Water", "Wet.")
    wiki.delete("Water")
    assert wiki.edit("Water", "Wet again.") > before
    assert len(revisions(wiki, "Water")) == 1


def test_a_moved_page_keeps_its_history(wiki: Wiki) -> None:
    wiki.move("Coffee", "Café", user="Ada", reason="French")
    assert [revision["user"] for revision in revisions(wiki, "Café")] == ["Ada", "Bob", "Ada"]
    assert wiki.text("Coffee") == "#REDIRECT [[Café]]"
    (entry,) = wiki.get(action="query", list="logevents", letype="move")["query"]["logevents"]
    assert entry["params"] == {"target_ns": 0, "target_title": "Café", "suppressredirect": False}
    assert ("log", "Coffee", "Ada") in changes(wiki)
    assert ("edit", "Café", "Ada") not in changes(wiki)


def test_a_page_is_moved_without_a_redirect(wiki: Wiki) -> None:
    wiki.move("Coffee", "Talk:Coffee", redirect=False)
    assert wiki.text("Coffee") is None
    (entry,) = wiki.get(action="query", list="logevents")["query"]["logevents"]
    assert entry["params"]["suppressredirect"] is True


def test_impossible_changes_raise_errors(wiki: Wiki) -> None:
    with pytest.raises(LookupError, match="Water"):
        wiki.delete("Water")
    with pytest.raises(LookupError, match="Water"):
        wiki.move("Water", "Ice")
    with pytest.raises(FileExistsError, match="Tea"):
        wiki.move("Coffee", "Tea")
    with pytest.raises(InvalidTitle):
        wiki.edit("[", "")


def test_wikis_of_one_declaration_do_not_share_a_store() -> None:
    shared = SharedParts()
    with Wiki(DECLARED, shared) as first, Wiki(DECLARED, shared) as second:
        first.edit("Coffee", "Cold.")
        assert second.text("Coffee") == "Black and hot."
        assert second.edit("Coffee", "Iced.") == first.edit("Coffee", "Warm.") - 1
        assert first.text("Coffee") == "Warm."


def test_a_copied_wiki_answers_like_the_first() -> None:
    shared = SharedParts()
    query = {"action": "query", "generator": "allpages", "prop": "info|categories|revisions|links"}
    with Wiki(DECLARED, shared) as first, Wiki(DECLARED, shared) as second:
        assert first.get(query) == second.get(query)
        assert second.site.db.dialect.name == "sqlite"


class Counting:
    """A plugin with a state of its own."""

    @hookimpl
    def register_params(self) -> list[Any]:
        return []


def test_other_plugins_or_settings_make_another_store() -> None:
    plugins = Counting(), Counting()
    declared = [
        DECLARED,
        DECLARED.with_more(plugins=[plugins[0]]),
        DECLARED.with_more(plugins=[plugins[1]]),
        DECLARED.with_more(config={"site": {"language": "de"}}),
        DECLARED.with_more(clock="2020-01-01T00:00:00Z"),
    ]
    assert len({one.same_content() for one in declared}) == len(declared)
    assert DECLARED.same_content() == Declaration(**vars(DECLARED)).same_content()


def test_later_declarations_add_to_earlier_ones() -> None:
    config = {"site": {"language": "de", "name": "Eins"}}
    first = Declaration(pages={"A": "1", "B": "1"}, users=["Ada"], config=config)
    both = first.with_more(
        pages={"B": "2"}, users=["Bob"], config={"site": {"name": "Zwei"}}, clock="2020-01-01"
    )
    assert both.pages == {"A": "1", "B": "2"}
    assert list(both.users) == ["Ada", "Bob"]
    assert both.config == {"site": {"language": "de", "name": "Zwei"}}
    assert both.clock == "2020-01-01"
    again = both.with_more(users=[DeclaredUser("Bob", ("bot",)), "Eve"])
    assert list(again.users) == ["Ada", DeclaredUser("Bob", ("bot",)), "Eve"]
    with pytest.raises(TypeError, match="a wiki has no page; it has pages, users"):
        first.with_more(page={})


def fetch(url: str) -> Any:
    with urlopen(url) as reply:
        return json.load(reply)


def test_a_served_wiki_writes_addresses_that_lead_to_it(wiki: Wiki) -> None:
    query = "?action=query&titles=Tea&prop=info&inprop=url&format=json&formatversion=2"
    answer = fetch(wiki.api_url + query)
    assert answer["query"]["pages"][0]["canonicalurl"] == f"{wiki.url}/wiki/Tea"
    assert wiki.url == f"http://{wiki.host}"
    wiki.edit("Tea", "Cold.")
    assert fetch(wiki.api_url + query)["query"]["pages"][0]["length"] == 5
    assert wiki.get(action="query", titles="Tea", prop="info")["query"]["pages"][0]["length"] == 5


def test_a_declared_server_stays() -> None:
    config = {"site": {"server": "https://wiki.example", "script_path": ""}}
    with Wiki(Declaration(pages=PAGES, config=config)) as wiki:
        assert wiki.api_url == f"{wiki.url}/api.php"
        answer = fetch(wiki.api_url + "?action=query&meta=siteinfo&format=json")
        assert answer["query"]["general"]["server"] == "https://wiki.example"


def test_a_closed_wiki_is_served_no_longer() -> None:
    before = threading.active_count()
    wiki = Wiki(DECLARED)
    url = wiki.url
    wiki.close()
    wiki.close()
    with pytest.raises(OSError, match="refused"):
        urlopen(url)
    assert threading.active_count() == before


def test_answers_are_the_same_in_any_place(wiki: Wiki) -> None:
    wiki.url  # noqa: B018
    assert "debuginfo" not in fetch(wiki.api_url + "?action=query&titles=Tea&format=json")


def test_the_client_keeps_its_cookies(wiki: Wiki) -> None:
    reply = wiki.reply("GET", action="query", meta="tokens")
    token = json.loads(reply.body)["query"]["tokens"]["csrftoken"]
    assert (
        wiki.post(action="checktoken", type="csrf", token=token)["checktoken"]["result"] == "valid"
    )
    assert wiki.new_client().cookie("x") is None


def test_a_walk_gives_every_part(wiki: Wiki) -> None:
    parts = list(wiki.walk(action="query", list="allpages", aplimit=1))
    assert [p["query"]["allpages"][0]["title"] for p in parts] == ["Coffee", "Tea"]


@pytest.mark.parametrize(
    "start", ["2026-01-01T02:00:00+02:00", datetime(2026, 1, 1, tzinfo=UTC), "2026-01-01"]
)
def test_a_clock_stands_until_it_is_moved(start: str | datetime) -> None:
    clock = Clock(start)
    assert clock() == clock() == datetime(2026, 1, 1, tzinfo=UTC)
    clock.advance(1.5, minutes=2, days=3)
    assert clock() == datetime(2026, 1, 1, tzinfo=UTC) + timedelta(days=3, minutes=2, seconds=1.5)
    with pytest.raises(ValueError, match="Invalid isoformat"):
        clock.set("noon")


def test_pages_have_the_time_of_the_clock() -> None:
    with Wiki(Declaration(clock="2001-02-03T04:05:06Z")) as wiki:
        text = wiki.get(action="expandtemplates", text="{{CURRENTTIMESTAMP}}", prop="wikitext")
        assert text["expandtemplates"]["wikitext"] == "20010203040506"
        wiki.clock.advance(days=1)
        text = wiki.get(action="expandtemplates", text="{{CURRENTTIMESTAMP}}", prop="wikitext")
        assert text["expandtemplates"]["wikitext"] == "20010204040506"


def test_a_wiki_in_another_language() -> None:
    pages = {"A": "[[Kategorie:B]]"}
    with Wiki(Declaration(pages=pages, language="de")) as wiki:
        assert wiki.site.language == "de"
        (page,) = wiki.get(action="query", titles="A", prop="categories")["query"]["pages"]
        assert page["categories"] == [{"ns": 14, "title": "Kategorie:B"}]
    config = {"site": {"language": "fr"}}
    with Wiki(Declaration(config=config)) as wiki:
        assert wiki.site.language == "fr"
