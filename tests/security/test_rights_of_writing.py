"""Who may do what: each action that writes, tried by each kind of account."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

import pytest

from tests.plugins.editing.users.acting import Acting
from wikiapi.site import Site
from wikiapi.testing import DeclaredUser, Edit
from wikiapi_plugins.editing.actions import ACTIONS

KINDS = ("visitor", "new", "user", "bot", "sysop")
ALL = frozenset(KINDS)
ACCOUNTS = ALL - {"visitor"}
SYSOP = frozenset({"sysop"})
NOBODY: frozenset[str] = frozenset()
REFUSALS = frozenset(
    {
        "permissiondenied", "notloggedin", "cantsend", "cantedit", "cantmove", "cantmove-anon",
        "cantchangecontentmodel", "cantdelete", "cantimport", "cantrollback",
        "pagelang-disabled", "cantchangeprotection", "tags-manage-no-permission",
        "tags-update-no-permission", "tempuserdisabled", "usermaildisabled", "noemailtext",
        "badtoken",
    }
)  # fmt: skip
"""Codes of errors that say that the user may not do something."""
OF_FILES = frozenset({"filerevert", "imagerotate", "import", "upload"})
"""Actions that need a file, and are tested with those."""


class Row(NamedTuple):
    """A request and who may send it. Requests of the others are refused, and change nothing."""

    params: Mapping[str, str]
    may: frozenset[str]


TABLE: Mapping[str, Row] = {
    "acquiretempusername": Row({}, NOBODY),
    "block": Row({"user": "Target"}, SYSOP),
    "changeauthenticationdata": Row({"changeauthrequest": "x"}, ACCOUNTS),
    "changecontentmodel": Row({"title": "Home", "model": "text"}, SYSOP),
    "clearhasmsg": Row({}, ALL),
    "createaccount": Row({"createreturnurl": "http://x.example/"}, ALL),
    "delete": Row({"title": "Home"}, SYSOP),
    "edit": Row({"title": "Home", "text": "x"}, ALL),
    "emailuser": Row({"target": "Target", "subject": "s", "text": "t"}, NOBODY),
    "linkaccount": Row({"linkreturnurl": "http://x.example/"}, ACCOUNTS),
    "managetags": Row({"operation": "create", "tag": "x"}, SYSOP),
    "mergehistory": Row({"from": "Home", "to": "Other"}, SYSOP),
    "move": Row({"from": "Home", "to": "Elsewhere"}, ACCOUNTS),
    "options": Row({"change": "gender=female"}, ACCOUNTS),
    "patrol": Row({"rcid": "1"}, SYSOP),
    "protect": Row({"title": "Home", "protections": "edit=sysop"}, SYSOP),
    "purge": Row({"titles": "Home"}, ALL),
    "removeauthenticationdata": Row({"request": "x"}, ACCOUNTS),
    "resetpassword": Row({"user": "Target"}, ALL),
    "revisiondelete": Row({"type": "revision", "ids": "1", "hide": "content"}, NOBODY),
    "rollback": Row({"title": "Home", "user": "Target"}, SYSOP),
    "setnotificationtimestamp": Row({"titles": "Home"}, ACCOUNTS),
    "setpagelanguage": Row({"title": "Home", "lang": "de"}, NOBODY),
    "stashedit": Row(
        {"title": "Home", "text": "x", "contentmodel": "wikitext", "baserevid": "1",
         "contentformat": "text/x-wiki"}, ALL,
    ),
    "tag": Row({"rcid": "1", "remove": "x"}, ACCOUNTS),
    "unblock": Row({"user": "Target"}, SYSOP),
    "undelete": Row({"title": "Gone"}, SYSOP),
    "unlinkaccount": Row({"request": "x"}, ACCOUNTS),
    "userrights": Row({"user": "Target", "remove": "bot"}, ALL),
    "watch": Row({"titles": "Home"}, ACCOUNTS),
}  # fmt: skip
NAMES = frozenset(action.name for action in ACTIONS)
TRIED = sorted(TABLE.keys() & NAMES)


@pytest.fixture
def site(make_site: Callable[..., Site]) -> Site:
    users = (
        DeclaredUser("A new", registration="20260101110000"),
        DeclaredUser("A user"),
        DeclaredUser("A bot", groups=("bot",)),
        DeclaredUser("A sysop", groups=("sysop",)),
        DeclaredUser("Target", groups=("bot",)),
    )
    config = {"site": {"writable": True}, "permissions": {"autoconfirm_days": 4}}
    return make_site(
        {"Home": [Edit("one"), Edit("two", user="Target")], "Other": "x"},
        users=users, config=config,
    )  # fmt: skip


def content(site: Site) -> list[list[tuple[object, ...]]]:
    """Return what a refused request must not have changed."""
    tables = ("page", "revision", "logging", "recentchanges", "user_groups", "block", "watchlist",
              "user_properties", "page_restrictions", "change_tag_def")  # fmt: skip
    return [site.db.execute_sql(f"SELECT * FROM {table}") for table in tables]


def test_every_action_is_in_the_table() -> None:
    assert NAMES - TABLE.keys() <= OF_FILES


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("action", TRIED)
def test_rights(site: Site, action: str, kind: str) -> None:
    row, before = TABLE[action], content(site)
    who = Acting(site, "" if kind == "visitor" else f"A {kind}")
    answer = who.ask(action, row.params)
    if kind in row.may:
        assert REFUSALS.isdisjoint(answer.codes.split(", "))
    else:
        assert REFUSALS.issuperset(answer.codes.split(", "))
        assert content(site) == before


@pytest.mark.parametrize("kind", ["visitor", "new", "user", "bot", "sysop"])
def test_nobody_but_bureaucrats_changes_groups(site: Site, kind: str) -> None:
    who = Acting(site, "" if kind == "visitor" else f"A {kind}")
    done = who.do("userrights", user="Target", add="sysop", remove="bot")
    assert (done["added"], done["removed"]) == ([], [])


@pytest.mark.parametrize("action", sorted(NAMES))
def test_blocked_users_change_no_pages(site: Site, action: str) -> None:
    """Try what acts on pages or other users; own preferences and watch lists stay possible."""
    own = {"clearhasmsg", "changeauthenticationdata", "createaccount", "emailuser", "options",
           "linkaccount", "removeauthenticationdata", "unlinkaccount",
           "setnotificationtimestamp", "watch", "purge", "stashedit"}  # fmt: skip
    if action in own or action not in TABLE:
        return
    Acting(site, "A sysop").do("block", user="A user")
    before = content(site)
    assert Acting(site, "A user").refused(action, TABLE[action].params)
    assert content(site) == before
