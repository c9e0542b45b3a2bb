"""The name of an account that a block hides is shown to nobody but those who may see it.

An account leaves its name wherever a wiki records names. Every module that reads is asked with all
that it can return, and the answers are searched for the name.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode

import pytest

from tests.plugins.editing.files.uploadwiki import UploadWiki, png
from tests.security.everyrequest import Params, api_reply, reading_requests, web_requests
from wikiapi.accounts.groups import rights_of
from wikiapi.http.app import make_app
from wikiapi.http.wsgiclient import InProcess
from wikiapi.testing.client import ELSEWHERE, ApiClient

NAME = "Zy marked name"
MARKS = (b"y marked name", b"y_marked_name", b"y%20marked%20name", b"y+marked+name")
"""The name in the forms of answers, without its first letter, which may be small."""
NUMBER = 3
"""The id of the account."""
SYSOP = ("*", "user", "autoconfirmed", "sysop")
GROUPS = {"visitor": ("*",), "sysop": SYSOP, "suppressor": (*SYSOP, "suppress")}
TITLES = ("Home", "Written", "Gone", "File:Current.png", "File:Two.png", "User talk:Other")
EXPORTS = [
    {"action": "query", "titles": "|".join(TITLES), "export": "1", **more}
    for more in ({}, {"exportnowrap": "1"}, {"exportschema": "0.10"})
]
NEVER = frozenset({"contributors"})
"""Modules in which MediaWiki shows no hidden names to anybody."""
OPEN = {
    "allimages", "alldeletedrevisions", "allrevisions", "allusers", "contributors",
    "deletedrevisions", "deletedrevs", "filearchive", "imageinfo", "logevents", "protectedtitles",
    "recentchanges", "revisions", "watchlist",
}  # fmt: skip
"""Modules that show the name without being asked for it, while it is not hidden."""


class MarkedWiki(UploadWiki):
    """A wiki in which the account has done all that is recorded with a name."""

    def __init__(self, folder: Path) -> None:
        """Fill the tables. The summaries and the titles do not contain the name."""
        super().__init__(folder, pages={"Home": "home", "Gone": "x", "Written": "x"})
        self.site.db.execute_sql("INSERT INTO user_groups VALUES (1, 'sysop', NULL)")
        self._client.get(action="query", meta="tokens", type="login")
        self._add_account()
        sysop = self.rights("sysop")
        with self.user(NAME, sysop):
            for title in ("Written", "Gone", "User talk:Other"):
                self.post("edit", title=title, text=f"new text {title}", summary="s")
            self.upload("Current.png", png(), comment="c", ignorewarnings=1)
            self.upload("Two.png", png(colour=2), comment="c", ignorewarnings=1)
            self.upload("Deleted.png", png(colour=4), comment="c", ignorewarnings=1)
            self.post("protect", title="Salted", protections="create=sysop", reason="r")
            self.post("protect", title="Written", protections="edit=sysop", reason="r")
            self.post("block", user="192.0.2.77", reason="r")
        with self.user("Bob", sysop):
            self.upload("Two.png", png(colour=3), comment="c", ignorewarnings=1)
            self.upload("Deleted.png", png(colour=5), comment="c", ignorewarnings=1)
            self.post("edit", title="Written", text="newest", summary="s")
            self.post("delete", title="Gone", reason="r")
            self.post("delete", title="File:Deleted.png", reason="r")
            self.post("block", user=NAME, reason="r", expiry="1 day")
            self.post("unblock", user=NAME, reason="r")
        for role in ("sysop", "suppressor"):
            with self.role(role):
                self.post("watch", titles="|".join(TITLES))

    def _add_account(self) -> None:
        with self.user("Bob", self.rights("sysop")):
            token = self.query(meta="tokens", type="createaccount")["tokens"]["createaccounttoken"]
            fields = {"password": "a long password", "retype": "a long password"}
            address = "http://wiki.example/"
            self.post(
                "createaccount", username=NAME, **fields, createreturnurl=address,
                createtoken=token, token=None,
            )  # fmt: skip

    def rights(self, role: str) -> frozenset[str]:
        return frozenset(rights_of(self.site, GROUPS[role]))

    def role(self, role: str) -> Any:
        """Send the requests of a block in a role; the account is that of Ada."""
        if role == "visitor":
            return self.user("Ada", frozenset({"read"}))
        return self.user("Ada", self.rights(role))

    def act(self, role: str, action: str, **params: Any) -> dict[str, Any]:
        with self.role(role):
            return self.post(action, **params)


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[MarkedWiki]:
    made = MarkedWiki(tmp_path_factory.mktemp("marked") / "images")
    yield made
    made.site.db.close()


@pytest.fixture
def wiki(shared: MarkedWiki) -> Iterator[MarkedWiki]:
    """The wiki, in which the name is not hidden."""
    yield shared
    shared.act("suppressor", "unblock", user=NAME)


@pytest.fixture
def hidden(wiki: MarkedWiki) -> MarkedWiki:
    done = wiki.act("suppressor", "block", user=NAME, hidename=1, reason="r")
    assert done["block"]["hidename"] is True
    return wiki


def has_name(body: bytes) -> bool:
    return any(mark in body for mark in MARKS)


def revealing(wiki: MarkedWiki, role: str) -> list[Params]:
    """Return the requests whose raw answers contain the name."""
    client = ApiClient(make_app(wiki.site))
    client.get(action="query", meta="tokens", type="login")
    with wiki.role(role):
        return [params for params in asked(wiki) if has_name(api_reply(client, params)[2])]


def asked(wiki: MarkedWiki) -> list[Params]:
    """Return each request once, and exports."""
    requests = [*reading_requests(wiki.site, TITLES), *EXPORTS]
    return list({frozenset(params.items()): params for params in requests}.values())


def modules(requests: list[Params]) -> set[str]:
    named = ("list", "prop", "meta")
    return {
        module
        for params in requests
        for name in named
        for module in params.get(name, "").split("|")
        if "generator" not in params and module
    }


@pytest.mark.parametrize("role", ["visitor", "sysop"])
def test_no_answer_contains_a_hidden_name(hidden: MarkedWiki, role: str) -> None:
    assert revealing(hidden, role) == []


def test_no_page_contains_a_hidden_name(hidden: MarkedWiki) -> None:
    wsgi = InProcess(make_app(hidden.site), ELSEWHERE)
    asked = [*web_requests(TITLES), ("/w/index.php", urlencode({"title": "Special:ListUsers"}))]
    leaks = [(path, query) for path, query in asked if has_name(wsgi.send("GET", path, query).body)]
    assert leaks == []


def test_unblocking_shows_the_name_where_it_was_before(wiki: MarkedWiki) -> None:
    before = revealing(wiki, "sysop")
    assert modules(before) >= OPEN
    assert {"feedrecentchanges", "query"} <= {params["action"] for params in before}
    assert any("export" in params for params in before)
    wiki.act("suppressor", "block", user=NAME, hidename=1, reason="r")
    by_rights = revealing(wiki, "suppressor")
    wiki.act("suppressor", "unblock", user=NAME, reason="r")
    assert revealing(wiki, "sysop") == before
    assert modules(before) - NEVER - modules(by_rights) == set()


def test_who_may_see_a_hidden_name_finds_it(hidden: MarkedWiki) -> None:
    with hidden.role("suppressor"):
        users = hidden.query(list="users", ususers=NAME, usprop="editcount")["users"]
        by_id = hidden.query(list="users", ususerids=NUMBER)["users"]
        every = hidden.query(list="allusers", auprefix="Zy")["allusers"]
        blocks = hidden.query(list="blocks", bkusers=NAME)["blocks"]
        edits = hidden.query(list="usercontribs", ucuser=NAME)["usercontribs"]
        files = hidden.query(list="allimages", aisort="timestamp", aiuser=NAME)["allimages"]
    assert [item["hidden"] for item in (*users, *by_id, *every)] == [True, True, True]
    assert [(block["user"], block["hidden"]) for block in blocks] == [(NAME, True)]
    assert {item["userhidden"] for item in edits} == {True}
    assert [item["name"] for item in files] == ["Current.png"]


@pytest.mark.parametrize("role", ["visitor", "sysop"])
def test_who_guesses_a_hidden_name_learns_nothing(hidden: MarkedWiki, role: str) -> None:
    """The answers are those for a name that nobody has."""
    client = ApiClient(make_app(hidden.site))
    client.get(action="query", meta="tokens", type="login")
    guesses = (
        {"list": "users", "ususers": "{}", "usprop": "editcount|blockinfo"},
        {"list": "allusers", "aufrom": "{}", "auto": "{}"},
        {"list": "blocks", "bkusers": "{}"},
        {"list": "usercontribs", "ucuser": "{}"},
        {"list": "allimages", "aisort": "timestamp", "aiuser": "{}"},
        {"list": "logevents", "leuser": "{}"},
        {"list": "logevents", "letitle": "User:{}"},
        {"list": "recentchanges", "rcuser": "{}"},
        {"list": "allrevisions", "arvuser": "{}"},
        {"list": "alldeletedrevisions", "adruser": "{}"},
        {"list": "watchlist", "wluser": "{}"},
        {"prop": "revisions", "rvuser": "{}", "titles": "Written"},
        {"action": "feedcontributions", "user": "{}"},
        {"action": "parse", "text": "{{{{gender:{}|m|f|u}}}}", "contentmodel": "wikitext"},
    )  # fmt: skip
    telling = []
    with hidden.role(role):
        for guess in guesses:
            bodies = []
            for name in (NAME, "Zy nobody has!"):
                params = {"action": "query"} | {k: v.format(name) for k, v in guess.items()}
                body = api_reply(client, params)[2]
                for form in (name, name.replace(" ", "_"), quote(name)):
                    body = body.replace(form.encode(), b"NAME")
                bodies.append(body)
            if bodies[0] != bodies[1]:
                telling.append((guess, bodies))
    assert telling == []
