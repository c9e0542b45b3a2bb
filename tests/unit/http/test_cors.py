"""security.md, row 8."""

from __future__ import annotations

import pytest

from tests.unit.http.sites import client_of
from wikiapi.http.cors import CorsPolicy
from wikiapi.testing.client import ApiClient

FRIEND = "https://friend.example"


@pytest.fixture(scope="module")
def friendly() -> ApiClient:
    return client_of(http={"cors_origins": ["friend.example", "*.friends.example"]})


CHECK = {"action": "checktoken", "type": "csrf", "token": "x"}


def test_no_cors_headers_unless_requested(client: ApiClient) -> None:
    reply = client.reply("GET", CHECK, headers={"Origin": FRIEND})
    assert not [name for name in reply.headers if name.startswith("access-control")]


def test_any_user_without_credentials(client: ApiClient) -> None:
    reply = client.reply("GET", CHECK, origin="*", headers={"Origin": "https://any.example"})
    assert reply.headers["access-control-allow-origin"] == "*"
    assert reply.headers["access-control-allow-credentials"] == "false"
    assert reply.headers["mediawiki-login-suppressed"] == "true"
    exposed = reply.headers["access-control-expose-headers"]
    assert exposed == "MediaWiki-API-Error, Retry-After, X-Database-Lag, MediaWiki-Login-Suppressed"
    assert "Origin" not in reply.headers["vary"]


def test_origin_on_the_list(friendly: ApiClient) -> None:
    reply = friendly.reply("GET", CHECK, origin=FRIEND, headers={"Origin": FRIEND})
    assert reply.headers["access-control-allow-origin"] == FRIEND
    assert reply.headers["access-control-allow-credentials"] == "true"
    assert reply.headers["timing-allow-origin"] == FRIEND
    assert "Origin" in reply.headers["vary"].split(",")
    assert "mediawiki-login-suppressed" not in reply.headers


def test_origin_not_on_the_list(friendly: ApiClient) -> None:
    other = "https://other.example"
    reply = friendly.reply("GET", CHECK, origin=other, headers={"Origin": other})
    assert reply.status == 200
    assert "access-control-allow-origin" not in reply.headers
    assert reply.headers["mediawiki-cors-rejection"] == "Origin mismatch"
    assert "Origin" in reply.headers["vary"].split(",")


@pytest.mark.parametrize("header", [{}, {"Origin": "https://other.example"}, {"Origin": "null"}])
def test_origin_that_contradicts_the_header(friendly: ApiClient, header: dict[str, str]) -> None:
    reply = friendly.reply("GET", CHECK, origin=FRIEND, headers=header)
    assert reply.status == 403
    assert reply.headers["content-type"].startswith("text/plain")
    assert "access-control-allow-origin" not in reply.headers
    assert "public" not in reply.headers["cache-control"]


def test_crossorigin_without_cookies(client: ApiClient) -> None:
    reply = client.reply("GET", CHECK, crossorigin=True, headers={"Origin": FRIEND})
    assert reply.headers["access-control-allow-origin"] == "*"
    assert reply.headers["access-control-allow-credentials"] == "false"


def test_crossorigin_with_a_session_cookie(client: ApiClient) -> None:
    client.set_cookie("demo_session", "a" * 32)
    reply = client.reply("GET", CHECK, crossorigin=True, headers={"Origin": FRIEND})
    assert reply.status == 403


def test_crossorigin_and_origin(client: ApiClient) -> None:
    assert client.reply("GET", CHECK, crossorigin=True, origin="*").status == 403


def preflight(client: ApiClient, origin: str, **headers: str) -> dict[str, str]:
    asked = {name.replace("_", "-"): value for name, value in headers.items()}
    reply = client.reply("OPTIONS", origin=origin, headers={"Origin": FRIEND, **asked})
    assert (reply.status, reply.body) == (200, b"")
    return dict(reply.headers)


@pytest.mark.parametrize("origin", ["*", FRIEND])
def test_preflight(friendly: ApiClient, origin: str) -> None:
    headers = preflight(
        friendly,
        origin,
        Access_Control_Request_Method="POST",
        Access_Control_Request_Headers="content-type, Api-User-Agent",
    )
    assert headers["access-control-allow-origin"] == origin
    assert headers["access-control-allow-methods"] == "POST, GET, HEAD"
    assert headers["access-control-allow-headers"] == "content-type, Api-User-Agent"
    assert int(headers["access-control-max-age"]) > 0
    assert headers["content-type"].startswith("text/html")
    assert "access-control-expose-headers" not in headers


@pytest.mark.parametrize("method", ["GET", "DELETE"])
@pytest.mark.parametrize("origin", ["*", FRIEND])
def test_preflight_for_a_header_that_is_not_allowed(
    friendly: ApiClient, origin: str, method: str
) -> None:
    headers = preflight(
        friendly,
        origin,
        Access_Control_Request_Method=method,
        Access_Control_Request_Headers="Accept, X-Mine",
    )
    assert "access-control-allow-origin" not in headers
    assert "access-control-allow-methods" not in headers
    assert headers["mediawiki-cors-rejection"] == "Unsupported header requested in preflight"


def test_methods_of_preflights_are_for_browsers_to_check(friendly: ApiClient) -> None:
    headers = preflight(friendly, FRIEND, Access_Control_Request_Method="DELETE")
    assert headers["access-control-allow-origin"] == FRIEND
    assert headers["access-control-allow-methods"] == "POST, GET, HEAD"
    assert "access-control-allow-headers" not in headers


def test_options_without_a_requested_method_is_no_preflight(friendly: ApiClient) -> None:
    headers = preflight(friendly, "*", Access_Control_Request_Headers="X-Mine")
    assert headers["access-control-allow-origin"] == "*"
    assert "access-control-allow-methods" not in headers
    assert "access-control-expose-headers" in headers


def test_preflight_of_another_origin(friendly: ApiClient) -> None:
    other = "https://other.example"
    asked = {"Origin": other, "Access-Control-Request-Method": "POST"}
    reply = friendly.reply("OPTIONS", origin=other, headers=asked)
    assert reply.headers["mediawiki-cors-rejection"] == "Origin mismatch"
    assert "access-control-allow-methods" not in reply.headers
    assert friendly.reply("OPTIONS", origin=FRIEND, headers=asked).status == 403


def test_options_without_origin(client: ApiClient) -> None:
    reply = client.reply("OPTIONS")
    assert (reply.status, reply.body) == (200, b"")
    assert "allow" not in reply.headers
    assert "access-control-allow-origin" not in reply.headers


@pytest.mark.parametrize(
    ("pattern", "origin", "allowed"),
    [
        ("a.example", "https://a.example", True),
        ("a.example", "http://a.example", True),
        ("a.example", "https://b.a.example", False),
        ("a.example", "https://aXexample", False),
        ("a.example", "https://a.example\n", False),
        ("a.example", "https://a.example.evil.example", False),
        ("*.a.example", "https://x.y.a.example", True),
        ("*.a.example", "https://a.example", False),
        ("*.a.example", "https://evil.example/.a.example", False),
        ("a?.example", "https://a1.example", True),
        ("https://a.example", "http://a.example", False),
        ("https://a.example:8443", "https://a.example:8443", True),
        ("a.example", "https://a.example:8443", False),
        ("*", "https://any.example", True),
        ("a.example", "null", False),
    ],
)
def test_patterns(pattern: str, origin: str, allowed: bool) -> None:
    assert CorsPolicy([pattern]).allows(origin) is allowed


@pytest.mark.parametrize(
    ("listed", "origin", "allowed"),
    [
        ("*", "https://any.example", True),
        ("*.example", "http://a.b.example", True),
        ("*.example", "https://example", False),
        ("*.example", "https://a.example/x.example", False),
        ("a.*.b.*.example", "https://a.x.b.y.example", True),
        ("a.*.b.*.example", "https://a.b.b.b.example", True),
        ("a.*.b.*.example", "https://a.b.x.example", False),
        ("*a*", "https://xax", True),
        ("https://?.example", "https://x.example", True),
        ("https://?.example", "https://xy.example", False),
        ("https://A.example/", "https://a.EXAMPLE", True),
        ("a.example", "https://b.example", False),
    ],
)
def test_wildcards(listed: str, origin: str, allowed: bool) -> None:
    assert CorsPolicy([listed]).allows(origin) is allowed
