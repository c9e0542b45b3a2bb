"""What a block forbids: each action that writes, by each kind of block."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tests.plugins.editing.files.uploadwiki import RIGHTS, UploadWiki, png
from tests.plugins.editing.users.acting import Acting
from wikiapi.site import Site
from wikiapi.testing import DeclaredUser, Edit, make_site
from wikiapi_plugins.editing.actions import ACTIONS as WRITE_ACTIONS

KINDS: Mapping[str, Mapping[str, str]] = {
    "sitewide": {},
    "page": {"partial": "", "pagerestrictions": "Home|Shortcut"},
    "namespace": {"partial": "", "namespacerestrictions": "0"},
    "move": {"partial": "", "pagerestrictions": "User:Nobody"},
    "create": {"partial": "", "pagerestrictions": "User:Nobody"},
    "mail": {"partial": "", "noemail": ""},
    "accounts": {"partial": "", "nocreate": ""},
}
"""The parameters of a block of each kind, besides the target."""
ACTIONS = {"upload": 1, "move": 2, "create": 3}
"""Actions that blocks in the databases of MediaWiki can forbid, with their numbers."""
OF_PAGE = frozenset({"sitewide", "page", "namespace"})
SITEWIDE = frozenset({"sitewide"})
NEVER: frozenset[str] = frozenset()
CODES = frozenset(
    {
        *("blocked", "blockedfrommail", "blocked-mailpassword", "cantedit", "ipbblocked"),
        "tags-manage-blocked",
    }
)
NEED_PAGES = frozenset({"edit", "protect"})
OF_FILES = frozenset({"filerevert", "imagerotate", "import", "upload"})
"""Actions that need a file; they are tested below."""


class Row(NamedTuple):
    """A request, and the kinds of blocks that forbid it."""

    action: str
    params: Mapping[str, str]
    forbidden_by: frozenset[str]


def _move(old: str, new: str) -> dict[str, str]:
    return {"from": old, "to": new, "noredirect": ""}


TABLE = (
    Row("acquiretempusername", {}, NEVER),
    Row("block", {"user": "Target"}, SITEWIDE),
    Row("changeauthenticationdata", {"changeauthrequest": "x"}, NEVER),
    Row("changecontentmodel", {"title": "Home", "model": "text"}, OF_PAGE),
    Row("clearhasmsg", {}, NEVER),
    Row("createaccount", {"createreturnurl": "http://x.example/"}, frozenset({"accounts"})),
    Row("delete", {"title": "Home"}, OF_PAGE),
    Row("delete", {"title": "Project:Rules"}, SITEWIDE),
    Row("edit", {"title": "Home", "text": "x"}, OF_PAGE),
    Row("edit", {"title": "Project:Rules", "text": "x"}, SITEWIDE),
    Row("edit", {"title": "New page", "text": "x"}, OF_PAGE - {"page"} | {"create"}),
    Row("emailuser", {"target": "Target", "subject": "s", "text": "t"}, frozenset({"mail"})),
    Row("linkaccount", {"linkreturnurl": "http://x.example/"}, NEVER),
    Row("managetags", {"operation": "create", "tag": "x"}, SITEWIDE),
    Row("mergehistory", {"from": "Home", "to": "Project:Rules"}, OF_PAGE),
    Row("move", _move("Home", "Project:Elsewhere"), OF_PAGE | {"move"}),
    Row("move", _move("Project:Rules", "Elsewhere"), OF_PAGE - {"page"} | {"move"}),
    Row("move", _move("Project:Rules", "Project:Elsewhere"), SITEWIDE | {"move"}),
    Row("move", _move("Project:Rules", "Shortcut"), OF_PAGE | {"move"}),
    Row("options", {"change": "gender=female"}, NEVER),
    Row("patrol", {"rcid": "1"}, OF_PAGE),
    Row("protect", {"title": "Home", "protections": "edit=sysop"}, OF_PAGE),
    Row(
        "protect",
        {"title": "New page", "protections": "create=sysop"},
        OF_PAGE - {"page"} | {"create"},
    ),
    Row("purge", {"titles": "Home"}, SITEWIDE),
    Row("removeauthenticationdata", {"request": "x"}, NEVER),
    Row("resetpassword", {"user": "Target"}, SITEWIDE | {"accounts"}),
    Row("revisiondelete", {"type": "revision", "ids": "1", "hide": "user"}, OF_PAGE),
    Row("revisiondelete", {"type": "archive", "ids": "20200101000000", "hide": "user",
                           "target": "Gone"}, OF_PAGE - {"page"}),
    Row("revisiondelete", {"type": "logging", "ids": "1", "hide": "user"}, SITEWIDE),
    Row("rollback", {"title": "Home", "user": "Target"}, OF_PAGE),
    Row("setnotificationtimestamp", {"titles": "Home"}, NEVER),
    Row("setpagelanguage", {"title": "Home", "lang": "de"}, OF_PAGE),
    Row("stashedit", {"title": "Home", "text": "x", "contentmodel": "wikitext", "baserevid": "1",
                      "contentformat": "text/x-wiki"}, NEVER),
    Row("tag", {"rcid": "1", "remove": "x"}, SITEWIDE),
    Row("unblock", {"user": "Other"}, SITEWIDE),
    Row("undelete", {"title": "Gone"}, OF_PAGE - {"page"}),
    Row("unlinkaccount", {"request": "x"}, NEVER),
    Row("userrights", {"user": "Target", "remove": "bot"}, NEVER),
    Row("watch", {"titles": "Home"}, NEVER),
)  # fmt: skip


@pytest.fixture
def site(make_site: Callable[..., Site]) -> Site:
    groups = ("sysop", "bureaucrat", "suppress", "linguist")
    users = (
        DeclaredUser("Blocker", groups),
        DeclaredUser("Blocked", groups),
        DeclaredUser("Target", ("bot",)),
        DeclaredUser("Other"),
    )
    pages = {
        "Home": [Edit("one"), Edit("two", user="Target")],
        "Project:Rules": "x",
        "Shortcut": "#REDIRECT [[Project:Rules]]",
        "Gone": "x",
        "User:Nobody": "x",
    }
    made = make_site(
        pages,
        users=users,
        config={
            "site": {"writable": True},
            "editing": {"page_languages": True},
            "permissions": {"groups": {"linguist": ["pagelang"]}},
        },
    )
    blocker = Acting(made, "Blocker")
    blocker.do("delete", title="Gone", reason="r")
    blocker.do("block", user="Other", reason="r")
    made.db.execute_sql(
        "UPDATE user SET user_email = 'b@x.example', user_email_authenticated = '20260101000000'"
    )
    return made


def content(site: Site) -> list[list[tuple[object, ...]]]:
    """Return what a refused request must not have changed."""
    tables = ("page", "revision", "archive", "logging", "recentchanges", "user_groups", "block",
              "page_restrictions", "protected_titles", "change_tag_def")  # fmt: skip
    return [site.db.execute_sql(f"SELECT * FROM {table}") for table in tables]


def forbid(site: Site, action: str) -> None:
    """Restrict the newest block to an action, if it is one."""
    if action in ACTIONS:
        site.db.execute_sql(
            "INSERT INTO ipblocks_restrictions SELECT max(bl_id), 3, ? FROM block",
            (ACTIONS[action],),
        )


def codes_of(answer: Any) -> set[str]:
    """Return the error codes; account creation and passwords fail without an error."""
    failed = answer.data.get("createaccount", {})
    return set((answer.codes or failed.get("messagecode", "")).split(", "))


def test_every_action_is_in_the_table() -> None:
    assert {action.name for action in WRITE_ACTIONS} - {row.action for row in TABLE} <= OF_FILES


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_each_action_by_a_blocked_administrator(site: Site, kind: str) -> None:
    Acting(site, "Blocker").do("block", KINDS[kind], user="Blocked", allowusertalk="")
    forbid(site, kind)
    blocked, before = Acting(site, "Blocked"), content(site)
    done = {}
    # What is refused comes first, since it changes nothing, and what needs pages before deletions.
    for row in sorted(
        TABLE, key=lambda row: (kind not in row.forbidden_by, row.action not in NEED_PAGES)
    ):
        if kind in row.forbidden_by:
            done[row.action, *row.params.values()] = codes_of(blocked.ask(row.action, row.params))
            assert content(site) == before, row
        else:
            assert CODES.isdisjoint(codes_of(blocked.ask(row.action, row.params))), row
    assert {key: codes for key, codes in done.items() if CODES.isdisjoint(codes)} == {}


def test_a_blocked_administrator_blocks_nobody_else(site: Site) -> None:
    blocker, blocked = Acting(site, "Blocker"), Acting(site, "Blocked")
    blocker.do("block", user="Blocked")
    for action, user in (("block", "Target"), ("unblock", "Other"), ("block", "192.0.2.5")):
        assert blocked.refused(action, user=user) == "ipbblocked"
    # But the account that has blocked them, and themselves.
    blocked.do("block", user="Blocker")
    assert blocker.refused("block", user="Target") == "ipbblocked"
    blocker.do("block", user="Blocked", reblock="", reason="again")
    blocked.do("unblock", user="Blocked")
    assert blocked.do("unblock", user="Blocker")["user"] == "Blocker"


def test_administrators_who_block_themselves_block_nobody_else(site: Site) -> None:
    own = Acting(site, "Blocked")
    own.do("block", user="Blocked")
    assert own.refused("block", user="Target") == "ipbblocked"
    assert own.refused("unblock", user="Other") == "ipbblocked"
    own.do("unblock", user="Blocked")


def test_only_a_right_unblocks_oneself() -> None:
    groups = {"blocker": ["block"]}
    made = make_site(
        users=(DeclaredUser("Blocker", ("blocker",)), DeclaredUser("Blocked", ("blocker",))),
        config={"site": {"writable": True}, "permissions": {"groups": groups}},
    )
    Acting(made, "Blocker").do("block", user="Blocked")
    blocked = Acting(made, "Blocked")
    assert blocked.refused("unblock", user="Blocked") == "ipbnounblockself"
    assert blocked.refused("block", user="Blocked", reblock="", reason="x") == "ipbnounblockself"
    made.db.close()


# Talk pages and subpages


@pytest.mark.parametrize(
    ("restrictions", "moved"),
    [
        ({"namespacerestrictions": "5"}, {"Project:P", "Project:P/Sub"}),
        ({"namespacerestrictions": "1"}, {"Project:P", "Project:P/Sub"}),
        ({"pagerestrictions": "Project talk:P"},
         {"Project:P", "Project:P/Sub", "Project talk:P/Sub"}),
        ({"pagerestrictions": "Project:P/Sub"},
         {"Project:P", "Project talk:P", "Project talk:P/Sub"}),
        ({"pagerestrictions": "Project talk:P/Sub"},
         {"Project:P", "Project talk:P", "Project:P/Sub"}),
    ],
)  # fmt: skip
def test_each_page_of_a_move_is_asked_for(restrictions: Mapping[str, str], moved: set[str]) -> None:
    titles = ("Project:P", "Project talk:P", "Project:P/Sub", "Project talk:P/Sub")
    made = make_site(
        dict.fromkeys(titles, "x"),
        users=(DeclaredUser("Boss", ("sysop",)), DeclaredUser("Ada", ("sysop",))),
        config={"site": {"writable": True, "main_subpages": True}},
    )
    boss, ada = Acting(made, "Boss"), Acting(made, "Ada")
    boss.do("block", restrictions, user="Ada", partial="", allowusertalk="")
    done = ada.do("move", {**_move("Project:P", "Q"), "movetalk": "", "movesubpages": ""})
    there = {
        page["title"].replace("Wiki", "Project")
        for page in ada.query(titles="|".join(titles))["pages"]
        if "missing" not in page
    }
    assert set(titles) - there == moved
    refused = [*done.get("talkmove-errors", ()), *done.get("subpages", ())]
    refused += done.get("subpages-talk", ())
    codes = {error["code"] for item in refused for error in item.get("errors", [item])
             if "code" in error}  # fmt: skip
    assert codes == {"blocked"}
    made.db.close()


# Files


@pytest.fixture
def files(tmp_path: Path) -> Iterator[UploadWiki]:
    made = UploadWiki(tmp_path / "images", pages={"Home": "x"})
    yield made
    made.site.db.close()


@pytest.mark.parametrize(
    ("action", "restrictions", "refused"),
    [
        ("", {}, {"new", "over", "revert", "rotate", "import"}),
        ("upload", {"pagerestrictions": "Home"}, {"new", "over", "revert", "rotate"}),
        ("create", {"pagerestrictions": "Home"}, {"new", "import"}),
        ("", {"namespacerestrictions": "6"}, {"new", "over", "revert", "rotate"}),
        ("", {"namespacerestrictions": "0"}, {"import"}),
        ("", {"pagerestrictions": "File:Old.png"}, {"over", "revert", "rotate"}),
    ],
)
def test_files_of_blocked_users(
    files: UploadWiki, action: str, restrictions: dict[str, Any], refused: set[str]
) -> None:
    rights = RIGHTS | {"block", "import", "importupload"}
    with files.user("Ada", rights):
        files.upload("Old.png", png(), ignorewarnings=1)
        files.upload("Old.png", png(colour=2), ignorewarnings=1)
    old = files.image("Old.png")[1]["archivename"]
    with files.user("Ada", rights):
        partial = {"partial": 1} if restrictions else {}
        files.post("block", user="Bob", allowusertalk=1, **partial, **restrictions)
        forbid(files.site, action)
    with files.user("Bob", rights):
        answers = {
            "new": files.upload("New.png", png(colour=5), ignorewarnings=1),
            "over": files.upload("Old.png", png(colour=6), ignorewarnings=1),
            "revert": files.post("filerevert", filename="Old.png", archivename=old),
            "rotate": files.post("imagerotate", titles="File:Old.png", rotation=90),
            "import": files.post(
                "import", files={"xml": ("x.xml", XML.encode())}, interwikiprefix="en"
            ),
        }
    codes = {name: answer.get("error", {}).get("code") for name, answer in answers.items()}
    refused_here = {name for name, code in codes.items() if code == "blocked"}
    if not answers["import"]["import"]:  # As in MediaWiki, such pages are left out.
        refused_here.add("import")
    assert refused_here == refused


XML = """<mediawiki xmlns="http://www.mediawiki.org/xml/export-0.11/" version="0.11" xml:lang="en">
<page><title>Imported</title><ns>0</ns><id>1</id><revision><id>1</id>
<timestamp>2020-01-01T00:00:00Z</timestamp><contributor><ip>192.0.2.1</ip></contributor>
<model>wikitext</model><format>text/x-wiki</format><text>x</text></revision></page></mediawiki>"""
