"""Style sheets and scripts of users and of the site, which run for others than their authors."""

from __future__ import annotations

import pytest

from tests.plugins.editing.users.acting import Acting, writable_site
from wikiapi.site import Site

GROUPS = {"style": ["editsitecss", "editinterface"], "scripts": ["edituserjs"]}
PAGES = {
    "User:Ada/common.js": "1",
    "User:Ada/common.css": "a{}",
    "User:Ada/data.json": "{}",
    "User:Ada/text": "of mine",
    "MediaWiki:Common.css": "a{}",
    "MediaWiki:Common.js": "1",
    "MediaWiki:Sidebar": "*",
}


@pytest.fixture
def site() -> Site:
    return writable_site(PAGES, permissions={"groups": GROUPS})


@pytest.mark.parametrize(
    ("name", "title", "code"),
    [
        ("Ada", "User:Ada/common.js", ""),
        ("Ada", "User:Ada/new.css", ""),
        ("Bert", "User:Ada/common.js", "customjsprotected"),
        ("Bert", "User:Ada/new.js", "customjsprotected"),
        ("Bert", "User:Ada/common.css", "customcssprotected"),
        ("Bert", "User:Ada/data.json", "customjsonprotected"),
        ("Bert", "User:Ada/text", ""),
        ("Bert", "User:Ada.js", ""),
        ("Bert", "User talk:Ada/common.js", ""),
        ("Boss", "User:Ada/common.js", "customjsprotected"),
        ("Boss", "MediaWiki:Sidebar", ""),
        ("Boss", "MediaWiki:Common.css", "sitecssprotected"),
        ("Boss", "MediaWiki:Common.js", "sitejsprotected"),
        ("Bert", "MediaWiki:Common.js", "protectednamespace-interface, sitejsprotected"),
        ("", "User:Ada/common.js", "customjsprotected"),
    ],
)
def test_who_may_edit_them(site: Site, name: str, title: str, code: str) -> None:
    text = "{}" if title.endswith(".json") else "2"
    assert Acting(site, name).edit(title, text) == code


@pytest.mark.parametrize(
    ("name", "action", "params", "code"),
    [
        ("Boss", "delete", {"title": "User:Ada/common.js"}, ""),
        (
            "Boss",
            "changecontentmodel",
            {"title": "User:Ada/text", "model": "javascript"},
            "customjsprotected",
        ),
        (
            "Boss",
            "protect",
            {"title": "User:Ada/common.js", "protections": "edit=sysop"},
            "customjsprotected",
        ),
        (
            "Bert",
            "move",
            {"from": "User:Ada/common.js", "to": "User:Bert/x.js"},
            "customjsprotected",
        ),
        ("Bert", "move", {"from": "User:Ada/text", "to": "User:Ada/x.js"}, "customjsprotected"),
    ],
)
def test_other_actions(
    site: Site, name: str, action: str, params: dict[str, str], code: str
) -> None:
    assert code in Acting(site, name).refused(action, params)


def test_a_page_of_another_model_is_a_script_by_its_model() -> None:
    groups = {"user": ["edit", "createpage", "editcontentmodel", "editmyuserjs"]}
    site = writable_site({"User:Ada/text": "1"}, permissions={"groups": groups})
    model = {"contentmodel": "javascript"}
    assert Acting(site, "Bert").edit("User:Ada/text", "2", **model) == "customjsprotected"
    assert Acting(site, "Ada").edit("User:Ada/text", "2", **model) == ""
    assert Acting(site, "Bert").edit("User:Ada/text", "3") == "customjsprotected"


def test_no_page_of_another_user_becomes_a_script() -> None:
    groups = {"user": ["edit", "createpage", "editcontentmodel"]}
    site = writable_site({"User:Ada/text": "1"}, permissions={"groups": groups})
    change = {"title": "User:Ada/text", "model": "javascript"}
    assert "customjsprotected" in Acting(site, "Bert").refused("changecontentmodel", change)


def test_undoing_a_change_of_model_needs_the_right_to_change_it() -> None:
    site = writable_site({"Data": "1"})
    boss, bert, page = Acting(site, "Boss"), Acting(site, "Bert"), "Data"
    for model in ("json", "wikitext"):
        boss.do("changecontentmodel", title=page, model=model)
    latest = boss.query(titles=page, prop="info", formatversion="2")["pages"][0]["lastrevid"]
    undo = {"title": page, "undo": str(latest)}
    assert bert.refused("edit", undo) == "cantchangecontentmodel"
    assert boss.refused("edit", undo) == ""
