"""Answers carry entity tags, and clients that know an answer are not sent it again."""

from __future__ import annotations

import pytest

from tests.unit.http.sites import empty_site
from wikiapi.http.app import make_app
from wikiapi.http.wsgiclient import Received
from wikiapi.testing.client import ApiClient

GENERAL = {"action": "query", "meta": "siteinfo", "maxage": "60", "smaxage": "60"}


def asked(client: ApiClient, method: str = "GET", **headers: str) -> Received:
    sent = {name.replace("_", "-"): value for name, value in headers.items()}
    return client.reply(method, GENERAL, headers=sent)


def test_a_known_answer_is_not_sent_again(client: ApiClient) -> None:
    first = asked(client)
    again = asked(client, if_none_match=first.headers["etag"])
    assert (first.status, again.status) == (200, 304)
    assert again.body == b""
    assert "content-length" not in again.headers
    assert "content-type" not in again.headers
    for name in ("etag", "cache-control", "vary", "expires"):
        assert again.headers[name] == first.headers[name]


def test_the_tag_differs_between_codings(client: ApiClient) -> None:
    plain = asked(client).headers["etag"]
    coded = asked(client, accept_encoding="gzip").headers["etag"]
    assert plain != coded
    assert asked(client, accept_encoding="gzip", if_none_match=plain).status == 200


def test_head_gets_the_etag_of_get(client: ApiClient) -> None:
    assert asked(client, "HEAD").headers["etag"] == asked(client).headers["etag"]


def test_errors_and_posts_have_no_tag(client: ApiClient) -> None:
    assert "etag" not in client.reply(action="nonsense").headers
    assert "etag" not in asked(client, "POST").headers


def test_another_answer_has_another_tag(client: ApiClient) -> None:
    other = client.reply("GET", GENERAL, siprop="namespaces")
    assert other.headers["etag"] != asked(client).headers["etag"]


@pytest.mark.parametrize(
    ("header", "status"),
    [("{}", 304), ("W/{}", 304), ('"b", {}', 304), ("*", 304), ('"b"', 200), ("", 200), (",", 200)],
)
def test_if_none_match(client: ApiClient, header: str, status: int) -> None:
    tag = asked(client).headers["etag"]
    assert asked(client, if_none_match=header.format(tag)).status == status


@pytest.mark.parametrize(
    ("seconds", "ending"), [(0, "public"), (30, "public, stale-while-revalidate=30")]
)
def test_stale_while_revalidate(seconds: int, ending: str) -> None:
    app = make_app(empty_site(http={"stale_while_revalidate": seconds}))
    assert asked(ApiClient(app)).headers["cache-control"].endswith(ending)
    private = ApiClient(app).reply(action="query", meta="userinfo", maxage="60", smaxage="60")
    assert "stale" not in private.headers["cache-control"]
