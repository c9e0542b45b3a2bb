from __future__ import annotations

import re

import pytest

from tests.unit.http.sites import NOW, app_of, client_of
from wikiapi.testing.client import ApiClient

SIGNED = re.compile(r"[0-9a-f]{40}\+\\\Z")


@pytest.fixture
def client() -> ApiClient:
    return client_of()


def tokens(client: ApiClient, **params: str) -> dict[str, str]:
    return client.get(action="query", meta="tokens", **params)["query"]["tokens"]


def test_csrf_is_the_default(client: ApiClient) -> None:
    assert tokens(client) == {"csrftoken": "+\\"}


def test_types_come_in_the_order_requested(client: ApiClient) -> None:
    asked = ["csrf", "watch", "patrol", "rollback", "userrights", "login", "createaccount"]
    by_name = tokens(client, type="|".join(asked))
    assert list(by_name) == [f"{kind}token" for kind in asked]
    unsigned = {name for name, token in by_name.items() if token == "+\\"}
    assert by_name.keys() - unsigned == {"logintoken", "createaccounttoken"}


def test_all_types(client: ApiClient) -> None:
    assert list(tokens(client, type="*")) == [
        "createaccounttoken",
        "csrftoken",
        "logintoken",
        "patroltoken",
        "rollbacktoken",
        "userrightstoken",
        "watchtoken",
    ]


def test_signed_tokens_have_mediawikis_form(client: ApiClient) -> None:
    token = tokens(client, type="login")["logintoken"]
    assert SIGNED.match(token)
    assert int(token[32:40], 16) == int(NOW.timestamp())


def test_signed_tokens_belong_to_their_type(client: ApiClient) -> None:
    by_name = tokens(client, type="login|createaccount")
    assert by_name["logintoken"] != by_name["createaccounttoken"]


def test_unknown_types_warn(client: ApiClient) -> None:
    answer = client.get(action="query", meta="tokens", type="nonsense")
    assert answer["query"]["tokens"] == {}
    assert "nonsense" in answer["warnings"]["tokens"]["warnings"]


def test_same_session_same_second_same_token() -> None:
    client = client_of()
    assert tokens(client, type="login") == tokens(client, type="login")


def test_sessions_do_not_share_tokens() -> None:
    app = app_of()
    assert tokens(ApiClient(app), type="login") != tokens(ApiClient(app), type="login")
