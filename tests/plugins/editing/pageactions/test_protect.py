"""Protecting pages, and titles against creation."""

from __future__ import annotations

from typing import Any

import pytest

from tests.plugins.editing.pageactions.actors import Actors

PAGES = {"Alpha": "{{:Beta}}", "Beta": "b"}
FOREVER, FOREVER_IN_LOG = "infinity", "infinite"


pytestmark = pytest.mark.wiki(PAGES)


def protection(wiki: Actors, title: str) -> Any:
    page = wiki.query(titles=title, prop="info", inprop="protection")["pages"][0]
    return page["protection"]


def test_a_page_is_protected_and_a_revision_says_so(wiki: Actors) -> None:
    done = wiki.act(
        "Admin",
        "protect",
        title="Alpha",
        protections="edit=sysop|move=autoconfirmed",
        expiry="infinite|2030-01-02T03:04:05Z",
        reason="why",
    ).data["protect"]
    assert done == {
        "title": "Alpha",
        "reason": "why",
        "protections": [
            {"edit": "sysop", "expiry": "infinite"},
            {"move": "autoconfirmed", "expiry": "2030-01-02T03:04:05Z"},
        ],
    }
    assert protection(wiki, "Alpha") == [
        {"type": "edit", "level": "sysop", "expiry": FOREVER},
        {"type": "move", "level": "autoconfirmed", "expiry": "2030-01-02T03:04:05Z"},
    ]
    revision = wiki.query(titles="Alpha", prop="revisions")["pages"][0]["revisions"][0]
    assert revision["comment"] == (
        'Protected "[[Alpha]]": why ([Edit=Allow only administrators] (indefinite) '
        "[Move=Allow only autoconfirmed users] (expires 03:04, 2 January 2030 (UTC)))"
    )
    assert revision["minor"]
    entry = wiki.log("protect")[0]
    assert entry["revid"] == revision["revid"]
    assert entry["action"] == "protect"
    details = [
        {"type": "edit", "level": "sysop", "expiry": FOREVER_IN_LOG, "cascade": False},
        {
            "type": "move",
            "level": "autoconfirmed",
            "expiry": "2030-01-02T03:04:05Z",
            "cascade": False,
        },
    ]
    assert entry["params"]["details"] == details
    assert wiki.act("Ada", "edit", title="Alpha", text="x").codes == "protectedpage"
    changes = wiki.query(list="recentchanges", rctitle="Alpha", rcprop="loginfo")["recentchanges"]
    assert changes[0]["logtype"] == "protect"


def test_the_same_again_changes_nothing(wiki: Actors) -> None:
    for _ in range(2):
        wiki.act("Admin", "protect", title="Alpha", protections="edit=sysop")
    assert len(wiki.log("protect")) == 1


def test_what_is_not_named_is_protected_no_more(wiki: Actors) -> None:
    wiki.act("Admin", "protect", title="Alpha", protections="edit=sysop|move=sysop")
    wiki.act("Admin", "protect", title="Alpha", protections="move=sysop")
    assert [row["type"] for row in protection(wiki, "Alpha")] == ["move"]
    wiki.act("Admin", "protect", title="Alpha", protections="move=all")
    assert protection(wiki, "Alpha") == []
    assert [entry["action"] for entry in wiki.log("protect")] == ["unprotect", "modify", "protect"]


def test_the_last_level_of_an_action_is_in_force(wiki: Actors) -> None:
    params = {"title": "Alpha", "protections": "edit=all|move=sysop|edit=sysop"}
    done = wiki.act("Admin", "protect", **params).data["protect"]
    assert [list(one) for one in done["protections"]] == [
        ["edit", "expiry"],
        ["move", "expiry"],
        ["edit", "expiry"],
    ]
    levels = {row["type"]: row["level"] for row in protection(wiki, "Alpha")}
    assert levels == {"edit": "sysop", "move": "sysop"}


def test_an_action_without_a_level_is_not_protected(wiki: Actors) -> None:
    done = wiki.act("Admin", "protect", title="Alpha", protections="edit|move=").data["protect"]
    edit, move = done["protections"]
    assert (edit["edit"], move["move"]) == (None, "")
    assert protection(wiki, "Alpha") == []


def test_what_follows_the_level_is_ignored(wiki: Actors) -> None:
    params = {"title": "Alpha", "protections": "edit=sysop=more"}
    done = wiki.act("Admin", "protect", **params).data["protect"]
    assert done["protections"] == [{"edit": "sysop", "expiry": "infinite"}]


def test_cascading_protection_reaches_what_is_transcluded(wiki: Actors) -> None:
    params = {"title": "Alpha", "protections": "edit=sysop", "cascade": 1}
    done = wiki.act("Admin", "protect", **params).data["protect"]
    assert done["cascade"] is True
    assert wiki.act("Ada", "edit", title="Beta", text="x").codes == "cascadeprotected"
    assert wiki.log("protect")[0]["params"]["cascade"] is True


def test_only_protection_that_lasts_cascades_from_the_highest_level(wiki: Actors) -> None:
    params = {"title": "Alpha", "protections": "edit=autoconfirmed", "cascade": 1}
    assert "cascade" not in wiki.act("Admin", "protect", **params).data["protect"]
    assert wiki.log("protect")[0]["params"]["cascade"] is False


def test_a_title_is_protected_against_creation_until_there_is_a_page(wiki: Actors) -> None:
    wiki.act("Admin", "protect", title="Salted", protections="create=sysop", reason="r")
    query = wiki.query(list="protectedtitles", ptprop="user|userid|comment|level")
    row = {"ns": 0, "title": "Salted", "user": "Admin", "userid": 1, "comment": "r"}
    assert query["protectedtitles"] == [row | {"level": "sysop"}]
    assert wiki.act("Ada", "edit", title="Salted", text="x").codes == "protectedpage"
    assert wiki.act("Admin", "edit", title="Salted", text="x").codes == ""
    assert wiki.query(list="protectedtitles")["protectedtitles"] == []
    entry = wiki.log("protect")[0]
    assert entry["params"]["details"] == [
        {"type": "create", "level": "sysop", "expiry": FOREVER_IN_LOG}
    ]


@pytest.mark.parametrize("detail", ["quick", "full"])
def test_why_a_protected_title_cannot_be_created(wiki: Actors, detail: str) -> None:
    wiki.act("Admin", "protect", title="Salted", protections="create=sysop")
    query = {"intestactions": "edit|create|undelete", "intestactionsdetail": detail}
    [page] = wiki.query("Ada", titles="Salted", prop="info", **query)["pages"]
    codes = {name: [error["code"] for error in errors] for name, errors in page["actions"].items()}
    assert codes == {
        "edit": ["protectedpage"],
        "create": ["protectedpage", "protectedtitle"],
        "undelete": ["permissiondenied", "undelete-cantedit", "undelete-cantcreate"],
    }


def test_a_long_reason_is_cut(wiki: Actors) -> None:
    salt = {"title": "Salted", "protections": "create=sysop", "reason": "x" * 600}
    assert wiki.act("Admin", "protect", **salt).codes == ""
    [title] = wiki.query(list="protectedtitles", ptprop="comment")["protectedtitles"]
    assert title["comment"] == f"{'x' * 497}..."


def test_protection_ends(wiki: Actors) -> None:
    wiki.act("Admin", "protect", title="Alpha", protections="edit=sysop", expiry="1 day")
    assert wiki.act("Ada", "edit", title="Alpha", text="x").codes == "protectedpage"
    wiki.clock.advance(days=2)
    assert wiki.act("Ada", "edit", title="Alpha", text="x").codes == ""


@pytest.mark.parametrize(
    ("user", "params", "code"),
    [
        ("Ada", {"protections": "edit=sysop"}, "permissiondenied"),
        ("Admin", {"title": "New", "protections": "edit=sysop"}, "missingtitle-createonly"),
        ("Admin", {"protections": "create=sysop"}, "create-titleexists"),
        ("Admin", {"protections": "edit=bogus"}, "protect-invalidlevel"),
        ("Admin", {"protections": "nonsense"}, "protect-invalidaction"),
        ("Admin", {"protections": "upload=sysop"}, "protect-invalidaction"),
        ("Admin", {"protections": "edit=sysop", "expiry": "yesterday"}, "pastexpiry"),
        ("Admin", {"protections": "edit=sysop", "expiry": "gibberish"}, "invalidexpiry"),
        ("Admin", {"protections": "edit=sysop", "expiry": "never|never"}, "toofewexpiries"),
        ("Admin", {"protections": "edit=sysop", "title": "a[b"}, "invalidtitle"),
    ],
)
def test_what_is_refused(wiki: Actors, user: str, params: dict[str, str], code: str) -> None:
    assert wiki.act(user, "protect", **({"title": "Alpha"} | params)).codes == code
    assert wiki.log("protect") == []


@pytest.mark.parametrize(
    ("title", "protections", "answers"),
    [
        ("Alpha", "", [True, True]),
        ("Alpha", "edit=sysop", [True, True]),
        ("Alpha", "edit=autoconfirmed", [None, None]),
        ("Missing", "create=sysop", [None, None]),
        ("Missing", "", [True, True]),
    ],
)
def test_cascade_is_told_if_it_works_or_nothing_changes(
    wiki: Actors, title: str, protections: str, answers: list[bool | None]
) -> None:
    """A level that does not cascade is protected again by each request for that."""
    params = {"title": title, "protections": protections, "cascade": "1"}
    requests = [wiki.act("Admin", "protect", **params).data["protect"] for _ in answers]
    assert [answer.get("cascade") for answer in requests] == answers
    entries = 1 if protections == "edit=sysop" else answers.count(None)
    assert len(wiki.log("protect")) == entries


STAFF = {
    "permissions": {
        "groups": {"sysop": ["protect", "edit", "staff"]},
        "protection_levels": ["autoconfirmed", "staff"],
        "cascading_levels": ["staff"],
    },
    "namespaces": [{"id": 12, "protection": ["staff", "edit"]}],
}


def test_a_wiki_has_levels_of_its_own() -> None:
    wiki = Actors(PAGES, config={"site": {"writable": True}, **STAFF})
    done = wiki.act("Admin", "protect", title="Alpha", protections="edit=staff", cascade="1")
    assert done.data["protect"]["cascade"] is True
    assert protection(wiki, "Alpha")[0]["level"] == "staff"
    assert wiki.act("Ada", "edit", title="Alpha", text="x").codes == "protectedpage"
    assert not wiki.act("Admin", "edit", title="Alpha", text="x").codes
    refused = wiki.act("Admin", "protect", title="Alpha", protections="edit=sysop")
    assert refused.codes == "protect-invalidlevel"
    restrictions = wiki.query(meta="siteinfo", siprop="restrictions")["restrictions"]
    assert restrictions["levels"] == ["", "autoconfirmed", "staff"]
    assert restrictions["cascadinglevels"] == ["staff"]
    pages = wiki.query(list="allpages", apprtype="edit", apprlevel="staff")["allpages"]
    assert [page["title"] for page in pages] == ["Alpha"]
    wiki.site.db.close()


def test_a_namespace_may_need_rights_of_its_own() -> None:
    wiki = Actors({"Help:A": "x"}, config={"site": {"writable": True}, **STAFF})
    assert wiki.act("Ada", "edit", title="Help:A", text="y").codes == "protectednamespace"
    assert not wiki.act("Admin", "edit", title="Help:A", text="y").codes
    spaces = wiki.query(meta="siteinfo", siprop="namespaces")["namespaces"]
    assert spaces["12"]["namespaceprotection"] == "staff|edit"
    assert spaces["8"]["namespaceprotection"] == "editinterface"
    wiki.site.db.close()


def test_the_log_describes_protection_in_the_direction_of_the_wiki() -> None:
    wiki = Actors(PAGES, language="he")
    wiki.act("Admin", "protect", title="Alpha", protections="edit=sysop")
    assert wiki.log("protect")[0]["params"]["description"].startswith("\u200f[edit=sysop] (")
    wiki.site.db.close()
