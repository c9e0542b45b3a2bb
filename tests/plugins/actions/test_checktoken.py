from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from tests.unit.http.sites import NOW, SECRET, app_of, client_of, empty_site
from wikiapi.http.app import WikiApp
from wikiapi.testing.client import ApiClient

CSRF = "+\\"


@pytest.fixture(scope="module")
def client() -> ApiClient:
    return client_of()


def check(client: ApiClient, token: str, kind: str = "csrf", **params: Any) -> dict[str, Any]:
    answer = client.get(action="checktoken", type=kind, token=token, **params)
    return answer["checktoken"]


def login_token(client: ApiClient, kind: str = "login") -> str:
    answer = client.get(action="query", meta="tokens", type=kind)
    return answer["query"]["tokens"][f"{kind}token"]


UNSIGNED = ["csrf", "patrol", "rollback", "userrights", "watch"]


@pytest.mark.parametrize("kind", UNSIGNED)
def test_visitors_token_is_valid_for_every_unsigned_type(client: ApiClient, kind: str) -> None:
    assert check(client, CSRF, kind) == {"result": "valid"}


@pytest.mark.parametrize("kind", ["login", "createaccount"])
def test_but_not_for_signed_ones(client: ApiClient, kind: str) -> None:
    assert check(client, CSRF, kind) == {"result": "invalid"}


@pytest.mark.parametrize("token", ["abc", "+", "\\", "+\\+\\", "%2B%5C", "Ü", "\U0001d11e"])
@pytest.mark.parametrize("kind", ["csrf", "login"])
def test_tokens_that_were_never_issued(client: ApiClient, token: str, kind: str) -> None:
    assert check(client, token, kind) == {"result": "invalid"}


@pytest.mark.parametrize("kind", ["login", "createaccount"])
def test_signed_tokens_come_back(kind: str) -> None:
    client = client_of()
    token = login_token(client, kind)
    assert check(client, token, kind) == {"result": "valid", "generated": "2026-11-21T12:00:00Z"}


def test_signed_token_of_another_type() -> None:
    client = client_of()
    token = login_token(client, "createaccount")
    assert check(client, token, "login")["result"] == "invalid"


def test_signed_token_without_its_session() -> None:
    app = app_of()
    token = login_token(ApiClient(app))
    assert check(ApiClient(app), token, "login")["result"] == "invalid"


def test_altered_token() -> None:
    client = client_of()
    token = login_token(client)
    later = f"{int(token[32:40], 16) + 1:08x}"
    assert check(client, token[:32] + later + CSRF, "login")["result"] == "invalid"


def other_process(client: ApiClient, **http: Any) -> ApiClient:
    other = client_of(http=http)
    session = client.cookie("demo_session")
    assert session
    other.set_cookie("demo_session", session)
    return other


def test_processes_that_share_the_key_accept_each_others_tokens() -> None:
    client = client_of()
    token = login_token(client)
    assert check(other_process(client, secret_key=SECRET), token, "login")["result"] == "valid"
    assert check(other_process(client, secret_key="other"), token, "login")["result"] == "invalid"
    assert check(other_process(client, secret_key=""), token, "login")["result"] == "invalid"


def test_wikis_that_share_the_key_do_not() -> None:
    client = client_of()
    token = login_token(client)
    other = client_of(site={"wiki_id": "other"})
    other.set_cookie("other_session", client.cookie("demo_session") or "")
    assert check(other, token, "login")["result"] == "invalid"


@pytest.mark.parametrize(
    ("age", "max_age", "result"),
    [
        (10, 10, "valid"),
        (11, 10, "expired"),
        (1, 0, "expired"),
        (0, 0, "valid"),
        (99, -5, "expired"),
    ],
)
def test_age(age: int, max_age: int, result: str) -> None:
    site = empty_site()
    client = ApiClient(WikiApp(site))
    token = login_token(client)
    site.clock = lambda: NOW + timedelta(seconds=age)
    assert check(client, token, "login", maxtokenage=max_age)["result"] == result
    assert check(client, "x" * 50, "login", maxtokenage=max_age)["result"] == "invalid"


def test_visitors_token_never_expires(client: ApiClient) -> None:
    assert check(client, CSRF, maxtokenage=0) == {"result": "valid"}


@pytest.mark.parametrize(
    ("digits", "generated"),
    [
        ("00000000", "1970-01-01T00:00:00Z"),
        ("6b011e99", datetime.fromtimestamp(0x6B011E99, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")),
        ("zz", "1970-01-01T00:00:00Z"),
        ("1z0", "1970-01-01T00:00:16Z"),
        ("f" * 60, None),
        ("f" * 5000, None),
    ],
)
def test_generated_is_what_the_token_says(
    client: ApiClient, digits: str, generated: str | None
) -> None:
    answer = check(client, "0" * 32 + digits + CSRF)
    assert answer.get("generated") == generated
    assert answer["result"] == "invalid"


def test_unescaped_plus_sign_is_pointed_out(client: ApiClient) -> None:
    answer = client.get(action="checktoken", type="csrf", token=" \\")
    assert answer["checktoken"]["result"] == "invalid"
    assert '"+"' in answer["warnings"]["checktoken"]["warnings"]


@pytest.mark.parametrize(
    ("params", "code"),
    [
        ({"type": "bogus", "token": "x"}, "badvalue"),
        ({"token": "x"}, "missingparam"),
        ({"type": "csrf"}, "missingparam"),
        ({"type": "csrf", "token": ""}, "missingparam"),
        ({"type": "csrf", "token": "x", "maxtokenage": "1_0"}, "badinteger"),
    ],
)
def test_errors(client: ApiClient, params: dict[str, str], code: str) -> None:
    assert client.get(action="checktoken", **params)["error"]["code"] == code
