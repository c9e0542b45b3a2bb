"""Random sessions of writing leave the same answers on wikiapi and on Debian's MediaWiki."""

from __future__ import annotations

import json
import re
import shutil
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

import pytest

from tests.clients.mediawiki import configured
from tests.clients.writingsessions import (
    ACCOUNTS,
    BOT_PASSWORD,
    MATERIAL,
    Step,
    differences,
    play,
    session,
)
from wikiapi.accounts import grants
from wikiapi.http import make_app
from wikiapi.testing import BotPassword, Clock, DeclaredUser, live_server, make_site

SETTINGS = Path(__file__).with_name("mediawiki-writing.php")
GROUPS = Path(grants.__file__).with_name("usergroups.json")
OLD_ENOUGH = "20240101000000"
USERS = [
    DeclaredUser(name, groups, OLD_ENOUGH, bot_passwords=(BotPassword("test", BOT_PASSWORD),))
    for name, groups in ACCOUNTS.items()
]
COPIED = ("user", "user_groups", "actor", "bot_passwords")
KEPT = frozenset({"content_models", "slot_roles", "updatelog"})
SEEDS = (2, 7, 11, 13, 19)
LENGTH = 28
"""The number of random actions of a session; then come the requests that read what is there."""
KNOWN = [(re.compile(request), re.compile(place)) for request, place, _ in MATERIAL["known"]]
"""Requests, and differences of their answers that are known, by regular expressions."""

pytestmark = pytest.mark.slow


@dataclass(frozen=True)
class Wikis:
    """The addresses of the API of MediaWiki and wikiapi, with the same accounts and no pages."""

    theirs: str
    ours: str


class Ticking:
    """A WSGI application whose clock advances with each request as MediaWiki's does."""

    def __init__(self, app: WSGIApplication, clock: Clock) -> None:
        self._app, self._clock = app, clock

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        self._clock.advance(2)
        return self._app(environ, start_response)


@pytest.fixture(scope="module")
def mediawiki(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Path]]:
    """MediaWiki's address, and its folder, which has a copy of the first state."""
    folder = tmp_path_factory.mktemp("mediawiki")
    with configured(folder, SETTINGS, {"WIKI_GROUPS": str(GROUPS)}) as wiki:
        store = folder / "accounts.sqlite"
        make_site({}, users=USERS, path=store, writable=True).db.close()
        share_accounts(folder / "data" / "client.sqlite", store)
        shutil.copytree(folder / "data", folder / "first")
        yield wiki.address, folder


def share_accounts(theirs: Path, ours: Path) -> None:
    """Empty MediaWiki's database, and copy the accounts of another one into it."""
    with closing(sqlite3.connect(theirs)) as db:
        db.execute("ATTACH ? AS ours", [str(ours)])
        tables = db.execute("SELECT name FROM main.sqlite_master WHERE type = 'table'").fetchall()
        for (table,) in tables:
            if not table.startswith(("sqlite_", "searchindex_")) and table not in KEPT:
                db.execute(f"DELETE FROM main.{table}")
        db.execute("DELETE FROM main.sqlite_sequence")
        for table in COPIED:
            there = [column for _, column, *_ in db.execute(f"PRAGMA main.table_info({table})")]
            here = [column for _, column, *_ in db.execute(f"PRAGMA ours.table_info({table})")]
            common = ", ".join(column for column in here if column in there)
            db.execute(f"INSERT INTO main.{table} ({common}) SELECT {common} FROM ours.{table}")
        db.execute("INSERT INTO site_stats VALUES (1, 0, 0, 0, ?, 0, 0)", [len(USERS)])
        db.commit()


@pytest.fixture
def wikis(mediawiki: tuple[str, Path], tmp_path: Path) -> Iterator[Wikis]:
    address, folder = mediawiki
    for name in ("data", "images"):
        shutil.rmtree(folder / name)
    shutil.copytree(folder / "first", folder / "data")
    (folder / "images").mkdir()
    with wikiapi(tmp_path, address) as ours:
        yield Wikis(f"{address}/w/api.php", f"{ours}/w/api.php")


@contextmanager
def wikiapi(folder: Path, server: str) -> Iterator[str]:
    """Serve a wiki with the accounts and settings of the other; yield its address."""
    config = {
        "site": {"name": "Wiki", "server": server, "main_subpages": True, "track_unknown": False},
        "permissions": {"autoconfirm_days": 4},
        "editing": {"email": False, "watchlist_expiry": True, "page_languages": True},
        "files": {"folder": str(folder)},
        "http": {"debug_info": "off"},
    }
    clock = Clock(datetime.now(UTC))
    site = make_site(
        {}, users=USERS, config=config, clock=clock, path=folder / "wiki.sqlite", writable=True
    )
    with closing(site.db), live_server(Ticking(make_app(site), clock)) as address:
        yield address


@pytest.mark.parametrize("seed", SEEDS)
def test_session(wikis: Wikis, seed: int) -> None:
    assert_equal(wikis, session(seed, LENGTH))


def _edit(by: str) -> Step:
    fields = {"action": "edit", "title": f"By {by}", "appendtext": "a", "token": "{token csrf}"}
    return Step(by, fields)


def _block(user: str, **params: str) -> Step:
    return Step("Ada", {"action": "block", "user": user, "token": "{token csrf}", **params})


BLOCKS = Step("Ada", {"action": "query", "list": "blocks", "bkprop": "id|user|by|reason|flags"})


def test_autoblocks(wikis: Wikis) -> None:
    unblock = {"action": "unblock", "token": "{token csrf}"}
    steps = [
        *(_edit("Bob"), _block("Bob", autoblock="1", reason="spam", expiry="2 days"), BLOCKS),
        *(_edit("anon"), _edit("Newton"), _edit("Bob"), _edit("Ada"), BLOCKS),
        Step("anon", {"action": "query", "list": "blocks"}),
        Step("Newton", {"action": "query", "meta": "userinfo", "uiprop": "blockinfo"}),
        *(_block("Bob", autoblock="1", reblock="1", reason="more", nocreate="1"), BLOCKS),
        *(Step("Ada", {**unblock, "id": "2"}), BLOCKS, _edit("anon")),
        *(_edit("Bob"), BLOCKS, _edit("Newton")),
        *(_block("Bob", reblock="1"), BLOCKS, Step("Ada", {**unblock, "user": "#2"})),
        *(_block("Bob", autoblock="1", reblock="1"), Step("Ada", {**unblock, "user": "Bob"})),
        *(BLOCKS, _edit("anon"), _block("Newton", autoblock="1", expiry="1 hour"), BLOCKS),
        Step("Ada", {"action": "query", "list": "logevents", "letype": "block"}),
    ]
    assert_equal(wikis, steps)


def test_bot_passwords_after_a_new_password(wikis: Wikis) -> None:
    new = {"password": "changed-password-9", "retype": "changed-password-9"}
    request = {"changeauthrequest": "MediaWiki\\Auth\\PasswordAuthenticationRequest"}
    change = {"action": "changeauthenticationdata", **request, **new}
    login = {"action": "login", "lgname": "Robot@test", "lgtoken": "{token login}"}
    steps = [
        *(_edit("Robot"), _edit("Robot main"), _edit("Newton")),
        *(Step("Robot main", {**change, "changeauthtoken": "{token csrf}"}), _edit("Robot main")),
        *(_edit("Robot"), _edit("Newton")),
        Step("anon", {**login, "lgpassword": BOT_PASSWORD, "errorformat": "raw"}),
        Step("visitor", {**login, "lgpassword": "wrong", "errorformat": "raw"}),
        Step("stranger", {**login, "lgname": "Robot@other", "lgpassword": "wrong"}),
        Step("Robot", {"action": "query", "meta": "userinfo"}),
    ]
    assert_equal(wikis, steps)


PICTURE = MATERIAL["words"]["picture"][0]


@pytest.mark.parametrize("size", ["146", "10"])
@pytest.mark.parametrize("name", ["Bad[.png", "Dot.png", "Dot.jpg"])
def test_chunks_with_warnings(wikis: Wikis, name: str, size: str) -> None:
    file = {"field": "chunk", "name": "x.png", "content": PICTURE}
    upload = {"action": "upload", "token": "{token csrf}"}
    chunk = {**upload, "filename": name, "stash": "1", "filesize": size, "offset": "0"}
    ignored = {"filename": "Dot.png", "ignorewarnings": "1"}
    steps = [
        Step("Ada", {**upload, **ignored}, {**file, "field": "file"}),
        Step("Ada", chunk, file),
        Step("Ada", {**chunk, "ignorewarnings": "1"}, file),
        Step("Ada", {**chunk, "offset": "73", "filekey": "{answer 1 upload.filekey}"}, file),
    ]
    assert_equal(wikis, steps)


def assert_equal(wikis: Wikis, steps: Sequence[Step]) -> None:
    """Play a session on both wikis, and check that their answers differ in known things only."""
    answers = zip(steps, play(wikis.theirs, steps), play(wikis.ours, steps), strict=True)
    assert [
        f"{number} {step.by} {json.dumps(step.params)}: {difference}"
        for number, (step, theirs, ours) in enumerate(answers)
        for difference in differences(theirs, ours)
        if not is_known(step.params, difference) and not is_failure(theirs)
    ] == []


def is_failure(answer: Any) -> bool:
    """Return whether an answer is a failure of MediaWiki's own."""
    return "internal_api_error" in answer.get("error", {}).get("code", "")


def is_known(params: Mapping[str, str], difference: str) -> bool:
    """Return whether a difference is one between MediaWiki's versions, or of wording."""
    request = " ".join(f"{name}={value}" for name, value in params.items())
    return any(there.search(request) and what.match(difference) for there, what in KNOWN)
