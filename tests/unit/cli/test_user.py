from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from wikiapi.cli import main
from wikiapi.config import parse_config
from wikiapi.factory import open_site
from wikiapi.http.app import make_app
from wikiapi.store.database import Database
from wikiapi.testing import ApiClient

PASSWORD = "correct horse"


@pytest.fixture
def url(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    address = f"sqlite:///{tmp_path / 'store.sqlite'}"
    assert CliRunner().invoke(main, ["db", "init", "--database", address]).exit_code == 0
    return address


def run(url: str, *arguments: str, password: str = PASSWORD) -> Result:
    command = ["user", *arguments, "--database", url]
    return CliRunner().invoke(main, command, input=f"{password}\n")


def login(url: str, password: str, name: str = "Ada") -> str:
    """Return the outcome of a login on a wiki with this store."""
    config = parse_config({"site": {"writable": True}, "database": {"url": url}})
    with closing(Database(url)) as db:
        client = ApiClient(make_app(open_site(config, database=db)))
        token = client.get(action="query", meta="tokens", type="login")["query"]["tokens"]
        answer = client.post(
            action="login", lgname=name, lgpassword=password, lgtoken=token["logintoken"]
        )
        return str(answer["login"]["result"])


def test_who_was_added_can_log_in(url: str) -> None:
    assert run(url, "add", "ada", "--group", "sysop").output == "Created the account 'Ada'.\n"
    assert login(url, PASSWORD) == "Success"
    assert login(url, "another one") == "Failed"


def test_a_new_password_replaces_the_old_one(url: str) -> None:
    run(url, "add", "Ada")
    assert run(url, "password", "Ada", password="battery staple").exit_code == 0
    assert login(url, PASSWORD) == "Failed"
    assert login(url, "battery staple") == "Success"


def test_bot_password_is_printed_and_replaced(url: str) -> None:
    run(url, "add", "Ada")
    Path("wikiapi.toml").write_text("[site]\nwritable = true\n", "utf-8")
    name, first = run(url, "bot-password", "ada", "archiver").output.split()
    assert name == "Ada@archiver"
    assert login(url, first, name) == "Success"
    _, second = run(url, "bot-password", "Ada", "archiver", "--grant", "basic").output.split()
    assert (login(url, first, name), login(url, second, name)) == ("Failed", "Success")
    assert login(url, PASSWORD) == "Success"


def test_unknown_grant_is_refused(url: str) -> None:
    run(url, "add", "Ada")
    result = run(url, "bot-password", "Ada", "archiver", "--grant", "everything")
    assert result.exit_code == 2
    assert "'everything' is not one of" in result.output


@pytest.mark.parametrize(
    ("arguments", "password", "problem"),
    [
        (("add", "Ada"), PASSWORD, "the account 'Ada' already exists"),
        (("add", "127.0.0.1"), PASSWORD, "'127.0.0.1' is not a valid user name"),
        (("add", "A|B"), PASSWORD, "'A|B' is not a valid user name"),
        (("add", "Bo"), "short", "the password needs at least 8 characters"),
        (("password", "Nobody"), PASSWORD, "there is no account 'Nobody'"),
        (("bot-password", "Nobody", "x"), "", "there is no account 'Nobody'"),
        (("bot-password", "Ada", "x"), "", "set `writable = true`"),
        (("bot-password", "Ada", "a@b"), "", "'a@b' is not a valid name of a bot password"),
    ],
)
def test_what_is_refused(url: str, arguments: tuple[str, ...], password: str, problem: str) -> None:
    run(url, "add", "Ada")
    result = run(url, *arguments, password=password)
    assert result.exit_code == 1
    assert problem in result.output
