from __future__ import annotations

import socket
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from http.client import RemoteDisconnected
from io import BytesIO
from pathlib import Path
from urllib.request import urlopen

import httpx
import pytest
from PIL import Image

from tests.sites import SHARED
from wikiapi.store.models import User
from wikiapi.testing import (
    BotPassword,
    Declaration,
    DeclaredUser,
    RequestFailed,
    Wiki,
    make_site,
)
from wikiapi.testing.bots import mwclient_site, pywikibot_site
from wikiapi.testing.faults import Kind

BOT = BotPassword("tidy", "0123456789abcdef0123456789abcdef", ("basic", "editpage"))
DECLARED = Declaration(
    pages={"Tea": "hot"},
    users=[
        DeclaredUser("Ada", groups=("sysop",), bot_passwords=(BOT,)),
        DeclaredUser("Bob", password="tulip"),
    ],
)


@pytest.fixture
def wiki() -> Iterator[Wiki]:
    with Wiki(DECLARED, SHARED) as made:
        yield made


def code_of(failed: pytest.ExceptionInfo[RequestFailed]) -> str:
    return failed.value.code


def test_a_user_logs_in_with_the_name_and_password_in_the_documentation(wiki: Wiki) -> None:
    client = wiki.new_client()
    client.login("Ada", "Ada-password")
    info = client.get(action="query", meta="userinfo")["query"]["userinfo"]
    assert (info["id"], info["name"]) == (1, "Ada")


def test_a_user_logs_in_with_a_declared_password(wiki: Wiki) -> None:
    client = wiki.new_client()
    with pytest.raises(PermissionError):
        client.login("Bob", "Bob-password")
    client.login("Bob", "tulip")
    assert client.get(action="query", meta="userinfo")["query"]["userinfo"]["name"] == "Bob"


def test_a_bot_password_gives_the_rights_that_it_grants(wiki: Wiki) -> None:
    client = wiki.new_client()
    client.login("Ada@tidy", BOT.password)
    client.write(action="edit", title="Tea", text="cold")
    with pytest.raises(RequestFailed) as failed:
        client.write(action="delete", title="Tea")
    assert code_of(failed) in ("permissiondenied", "readonly")
    assert wiki.text("Tea") == "cold"


def test_an_edit_is_seen_by_the_test(wiki: Wiki) -> None:
    wiki.login("Ada").write(action="edit", title="Tea", text="cold", summary="left standing")
    assert wiki.text("Tea") == "cold"
    answer = wiki.get(action="query", titles="Tea", prop="revisions", rvprop="user|comment")
    (revision,) = answer["query"]["pages"][0]["revisions"]
    assert revision == {"user": "Ada", "comment": "left standing"}


def test_writes_are_listed_without_secrets(wiki: Wiki) -> None:
    ada = wiki.login("Ada")
    ada.write(action="edit", title="Tea", text="cold")
    with pytest.raises(RequestFailed):
        ada.post(action="edit", title="Tea", text="warm", token="bad")
    done, refused = wiki.writes
    assert (done.action, done.user, done.is_done) == ("edit", "Ada", True)
    assert done.params == {"title": "Tea", "text": "cold"}
    assert done.result["newrevid"] == 2
    assert (refused.error, refused.result, refused.is_done) == ("badtoken", {}, False)


def test_a_wiki_that_is_not_writable_refuses(wiki: Wiki) -> None:
    with Wiki(DECLARED.with_more(writable=False), SHARED) as closed:
        with pytest.raises(PermissionError):
            closed.login("Ada")
        with pytest.raises(RequestFailed) as failed:
            closed.client.write(action="edit", title="Tea", text="cold")
        assert code_of(failed) == "readonly"
        assert [write.error for write in closed.writes] == ["readonly"]


def test_settings_say_whether_a_wiki_is_writable_unless_the_declaration_does() -> None:
    closed = Declaration(config={"site": {"writable": False, "name": "Shop"}})
    assert Declaration().settings["site"]["writable"] is True
    assert closed.settings["site"] == {"writable": False, "name": "Shop"}
    assert closed.with_more(writable=True).settings["site"]["writable"] is True


@pytest.mark.parametrize("writable", [True, False, None])
def test_users_of_a_made_site_have_passwords_if_it_is_writable(writable: bool | None) -> None:
    site = make_site({"Tea": "hot"}, users=["Ada"], writable=writable)
    assert site.config.site.writable is bool(writable)
    (stored,) = site.db.execute(User.select(User.user_password))
    assert bool(stored[0]) is bool(writable)
    site.db.close()


def test_errors_are_raised_in_every_form(wiki: Wiki) -> None:
    for form in ("bc", "plaintext", "html", "none"):
        with pytest.raises(RequestFailed) as failed:
            wiki.get(action="nothing", errorformat=form)
        assert code_of(failed) == "badvalue"


ERRORS: list[Kind] = ["editconflict", "ratelimited", "readonly"]


@pytest.mark.parametrize("kind", ERRORS)
def test_trouble_of_writing_strikes_writes_alone_and_once(wiki: Wiki, kind: Kind) -> None:
    ada = wiki.login("Ada")
    trouble = wiki.trouble(kind)
    assert ada.get(action="query", titles="Tea")["query"]["pages"][0]["pageid"] == 1
    with pytest.raises(RequestFailed) as failed:
        ada.write(action="edit", title="Tea", text="cold")
    assert code_of(failed) == kind
    assert wiki.text("Tea") == "hot"
    ada.write(action="edit", title="Tea", text="cold")
    assert wiki.text("Tea") == "cold"
    assert trouble.happened == 1
    assert [write.error for write in wiki.writes] == [kind, ""]


def test_of_requests_at_once_only_as_many_are_struck_as_was_said(wiki: Wiki) -> None:
    wiki.trouble("unavailable", times=5)
    clients = [wiki.new_client() for _ in range(4)]
    with ThreadPoolExecutor(4) as pool:
        asked = pool.map(lambda n: clients[n % 4].reply(action="query").status, range(40))
    assert sorted(asked) == [200] * 35 + [503] * 5


def test_a_rate_limit_says_when_to_ask_again(wiki: Wiki) -> None:
    wiki.trouble("ratelimited", retry_after=17)
    reply = wiki.reply("POST", action="edit", title="Tea", text="x", token="+\\")
    assert reply.headers["retry-after"] == "17"


def test_lag_concerns_requests_with_that_parameter(wiki: Wiki) -> None:
    with wiki.trouble("maxlag", times=None) as trouble:
        wiki.get(action="query", titles="Tea")
        with pytest.raises(RequestFailed) as failed:
            wiki.get(action="query", titles="Tea", maxlag=5)
        assert (code_of(failed), failed.value.answer["error"]["lag"]) == ("maxlag", 7)
        assert "retry-after" in wiki.reply(action="query", titles="Tea", maxlag=5).headers
    assert trouble.happened == 2
    wiki.get(action="query", titles="Tea", maxlag=5)


def test_a_lost_session_is_lost_until_the_next_login(wiki: Wiki) -> None:
    ada = wiki.login("Ada")
    token = ada.token()
    wiki.trouble("assertuserfailed", actions="edit")
    edit = {"action": "edit", "title": "Tea", "text": "cold", "token": token, "assert": "user"}
    for _ in range(2):
        with pytest.raises(RequestFailed) as failed:
            ada.post(edit)
        assert code_of(failed) == "assertuserfailed"
    ada.login("Ada", "Ada-password")
    ada.post(edit | {"token": ada.token()})
    assert wiki.text("Tea") == "cold"


def test_a_server_that_is_not_available(wiki: Wiki) -> None:
    wiki.trouble("unavailable", actions=["query"], retry_after=3)
    assert wiki.reply(action="paraminfo").status == 200
    reply = wiki.reply(action="query")
    assert (reply.status, reply.headers["retry-after"]) == (503, "3")
    assert b"{" not in reply.body
    assert wiki.reply(action="query").status == 200


@pytest.mark.parametrize(("kind", "text"), [("cut", "hot"), ("lost", "cold")])
def test_a_cut_connection(wiki: Wiki, kind: Kind, text: str) -> None:
    ada = wiki.login("Ada")
    wiki.trouble(kind, actions="edit")
    with pytest.raises(ConnectionResetError):
        ada.write(action="edit", title="Tea", text="cold")
    assert wiki.text("Tea") == text
    assert [write.error for write in wiki.writes] == ["interrupted" if kind == "cut" else ""]


@pytest.mark.parametrize(("kind", "text"), [("cut", "hot"), ("lost", "cold")])
@pytest.mark.parametrize("method", ["GET", "POST"])
def test_a_connection_over_a_socket_is_closed_without_an_answer(
    wiki: Wiki, kind: Kind, text: str, method: str, caplog: pytest.LogCaptureFixture
) -> None:
    host, _, port = wiki.host.rpartition(":")
    wiki.trouble(kind, actions=["query", "edit"])
    form = "action=edit&title=Tea&text=cold&token=%2B%5C&format=json"
    parts = ("/w/api.php", form) if method == "POST" else ("/w/api.php?action=query", "")
    with socket.create_connection((host, int(port)), timeout=10) as connection:
        connection.sendall(
            f"{method} {parts[0]} HTTP/1.1\r\nHost: x\r\nContent-Length: {len(parts[1])}\r\n"
            f"Content-Type: application/x-www-form-urlencoded\r\n\r\n{parts[1]}".encode()
        )
        assert connection.recv(1000) == b""
    assert wiki.text("Tea") == (text if method == "POST" else "hot")
    assert not [record for record in caplog.records if record.levelname in ("WARNING", "ERROR")]
    with urlopen(f"{wiki.api_url}?action=query&format=json") as reply:
        assert reply.status == 200


def test_clients_notice_that_the_connection_is_closed(wiki: Wiki) -> None:
    wiki.trouble("cut", times=2)
    with pytest.raises(RemoteDisconnected):
        urlopen(f"{wiki.api_url}?action=query&format=json")
    with pytest.raises(httpx.RemoteProtocolError):
        httpx.get(wiki.api_url, params={"action": "query"})


def picture(colour: str = "red") -> bytes:
    data = BytesIO()
    Image.new("RGB", (20, 10), colour).save(data, "PNG")
    return data.getvalue()


def test_files_can_be_uploaded(wiki: Wiki) -> None:
    ada = mwclient_site(wiki, "Ada")
    assert ada.upload(BytesIO(picture()), "A.png", "a red one")["result"] == "Success"
    query = {"action": "query", "titles": "File:A.png", "prop": "imageinfo"}
    (page,) = wiki.get(query, iiprop="size|url|sha1|user")["query"]["pages"]
    (info,) = page["imageinfo"]
    assert (info["width"], info["height"], info["user"]) == (20, 10, "Ada")
    with urlopen(info["url"]) as reply:
        assert reply.read() == picture()
    folder = Path(wiki.site.config.files.folder)
    assert [file.read_bytes() for file in folder.rglob("*.png")] == [picture()]
    wiki.close()
    assert not folder.exists()


def test_wikis_share_no_uploads() -> None:
    with Wiki(DECLARED, SHARED) as one, Wiki(DECLARED, SHARED) as other:
        assert one.site.config.files.folder != other.site.config.files.folder
        assert not Path(one.site.config.files.folder).exists()


def test_a_declared_upload_folder_is_used(tmp_path: Path) -> None:
    declared = DECLARED.with_more(config={"files": {"folder": str(tmp_path)}})
    with Wiki(declared, SHARED) as wiki:
        assert wiki.site.config.files.folder == str(tmp_path)
    assert tmp_path.exists()


def test_an_undeclared_user_is_named(wiki: Wiki) -> None:
    message = r"^no user 'Grace' is declared: the wiki has Ada, Bob; add it to users=\[…\]$"
    for log_in in (wiki.login, lambda name: mwclient_site(wiki, name)):
        with pytest.raises(KeyError, match=message):
            log_in("Grace")
    with Wiki(Declaration()) as empty, pytest.raises(KeyError, match="the wiki has none;"):
        empty.login("Grace")


def test_pywikibot_waits_as_told(wiki: Wiki) -> None:
    site = pywikibot_site(wiki, "Ada")
    import pywikibot

    lag = wiki.trouble("maxlag", times=2, actions="edit", retry_after=0)
    page = pywikibot.Page(site, "Tea")
    page.text = "cold"
    started = time.monotonic()
    page.save(quiet=True)
    assert time.monotonic() - started < 2
    assert (lag.happened, wiki.text("Tea")) == (2, "cold")
    wiki.trouble("maxlag", actions="edit", retry_after=1)
    page.text = "hot again"
    started = time.monotonic()
    page.save(quiet=True)
    assert time.monotonic() - started >= 1


def test_a_slow_answer(wiki: Wiki) -> None:
    wiki.trouble("slow", seconds=0.2)
    started = time.monotonic()
    wiki.get(action="query", titles="Tea")
    assert time.monotonic() - started >= 0.2


def test_trouble_that_does_not_exist_is_refused(wiki: Wiki) -> None:
    with pytest.raises(ValueError, match="there is no trouble 'rain'; there are assertuserfailed"):
        wiki.trouble("rain")  # type: ignore[arg-type]
