"""Sessions: what the reply does to the wiki's cookies."""

from __future__ import annotations

from wsgiref.types import WSGIApplication

import pytest

from tests.unit.http.sites import client_of
from wikiapi.testing.client import ApiClient

CHECK = {"action": "checktoken", "type": "csrf", "token": "x"}
LOGIN = {"action": "query", "meta": "tokens", "type": "login"}
NAMES = ("demo_session", "demoUserID", "demoToken", "forceHTTPS")


@pytest.mark.parametrize("params", [CHECK, {"action": "query"}, {"action": "nope"}])
def test_a_request_without_a_session_has_its_cookies_cleared(
    client: ApiClient, params: dict[str, str]
) -> None:
    cookies = client.reply("GET", params).headers["set-cookie"]
    for name in NAMES:
        assert f"{name}=deleted; expires=Thu, 01 Jan 1970 00:00:01 GMT; Max-Age=0;" in cookies
    assert cookies.count("HttpOnly") == len(NAMES)


def test_issuing_a_signed_token_hands_out_the_session(client: ApiClient) -> None:
    reply = client.reply("GET", LOGIN)
    assert client.cookie("demo_session")
    assert "deleted" not in reply.headers["set-cookie"]
    assert "HttpOnly" in reply.headers["set-cookie"]


def test_issuing_a_csrf_token_does_not(client: ApiClient) -> None:
    client.get(LOGIN, type="csrf")
    assert client.cookie("demo_session") is None


def test_an_existing_session_is_unchanged(client: ApiClient) -> None:
    client.get(LOGIN)
    cookie = client.cookie("demo_session")
    assert "set-cookie" not in client.reply("GET", CHECK).headers
    assert "set-cookie" not in client.reply("GET", LOGIN).headers
    assert client.cookie("demo_session") == cookie


@pytest.mark.parametrize("value", ["", "short", "a" * 31, "a" * 65, "a" * 31 + "!", "٥" * 32])
def test_invalid_session_ids_are_ignored(client: ApiClient, value: str) -> None:
    client.set_cookie("demo_session", value)
    assert "deleted" in client.reply("GET", CHECK).headers["set-cookie"]


def test_each_new_session_has_an_id_of_its_own(app: WSGIApplication) -> None:
    clients = [ApiClient(app), ApiClient(app)]
    for client in clients:
        client.get(LOGIN)
    assert len({client.cookie("demo_session") for client in clients}) == 2


def test_secure_cookies() -> None:
    client = client_of(http={"secure_cookies": True})
    assert client.reply("GET", LOGIN).headers["set-cookie"].endswith("; Secure; HttpOnly")


def test_cookie_names_hold_no_separators() -> None:
    client = client_of(site={"wiki_id": "a=b;c d"})
    cookies = client.reply("GET", CHECK).headers["set-cookie"]
    assert cookies.startswith("a_b_c_d_session=deleted")
