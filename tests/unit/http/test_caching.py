"""security.md, row 9; the rule of ``uselang`` in the specification."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from wikiapi.accounts.user import Session
from wikiapi.api.context import CacheControl, CacheMode
from wikiapi.http.caching import cache_headers, is_public, vary
from wikiapi.testing.client import ApiClient

NOW = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
VISITOR = Session("a" * 32)
RETURNING = Session("a" * 32, is_new=False)


def stated(mode: CacheMode, session: Session, max_age: int, shared: int) -> dict[str, str]:
    return dict(cache_headers(CacheControl(mode, max_age, shared), session, NOW))


@pytest.mark.parametrize("session", [VISITOR, RETURNING])
def test_private_answers_are_the_clients_own(session: Session) -> None:
    headers = stated(CacheMode.PRIVATE, session, 60, 600)
    assert headers == {"Cache-Control": "private, must-revalidate, max-age=60"}


def test_ages_that_the_action_has_chosen_stand_in_mediawikis_order() -> None:
    cache = CacheControl(CacheMode.PUBLIC, 60, 600)
    cache.keep(1200)
    headers = dict(cache_headers(cache, VISITOR, NOW))
    assert headers["Cache-Control"] == "max-age=1200, s-maxage=1200, public"


@pytest.mark.parametrize("session", [VISITOR, RETURNING])
def test_public_answers_are_everybodys(session: Session) -> None:
    headers = stated(CacheMode.PUBLIC, session, 60, 600)
    assert headers == {
        "Cache-Control": "s-maxage=600, max-age=60, public",
        "Expires": "Sat, 21 Nov 2026 12:01:00 GMT",
    }


def test_between_the_two_the_session_decides() -> None:
    mode = CacheMode.ANON_PUBLIC_USER_PRIVATE
    assert "public" in stated(mode, VISITOR, 60, 600)["Cache-Control"]
    assert "private" in stated(mode, RETURNING, 60, 600)["Cache-Control"]
    assert vary(CacheControl(mode), by_origin=False)[1].endswith(",Cookie")


def test_nothing_is_public_unless_an_age_is_requested() -> None:
    headers = stated(CacheMode.PUBLIC, VISITOR, 0, 0)
    assert headers == {"Cache-Control": "private, must-revalidate, max-age=0"}


def test_an_answer_that_hands_out_a_session_is_private() -> None:
    session = Session("a" * 32)
    session.persist()
    assert not is_public(CacheControl(CacheMode.PUBLIC, 60, 600), session)


def test_huge_ages_do_not_overflow() -> None:
    assert "Expires" in stated(CacheMode.PUBLIC, VISITOR, 2**63 - 1, 2**63 - 1)


CACHED: dict[str, str | int] = {"action": "query", "titles": "A", "smaxage": 600, "maxage": 60}


def test_same_language_is_public_for_visitors_only(client: ApiClient) -> None:
    visitor = client.reply("GET", CACHED, uselang="user")
    assert visitor.headers["cache-control"] == "s-maxage=600, max-age=60, public"
    assert "Cookie" in visitor.headers["vary"].split(",")
    client.set_cookie("demo_session", "a" * 32)
    returning = client.reply("GET", CACHED, uselang="user")
    assert returning.headers["cache-control"] == "private, must-revalidate, max-age=60"


def test_named_language_is_public_for_all(client: ApiClient) -> None:
    client.set_cookie("demo_session", "a" * 32)
    reply = client.reply("GET", CACHED, uselang="en")
    assert reply.headers["cache-control"] == "s-maxage=600, max-age=60, public"


def test_public_answers_set_no_cookies(client: ApiClient) -> None:
    assert "set-cookie" not in client.reply("GET", CACHED).headers


@pytest.mark.parametrize(
    "params",
    [
        {"action": "query", "meta": "tokens"},
        {"action": "nope"},
        {"action": "checktoken"},
        {"action": "query", "titles": "A", "formatversion": "9"},
    ],
)
def test_private_answers_and_errors_are_never_public(
    client: ApiClient, params: dict[str, str]
) -> None:
    reply = client.reply("GET", params, smaxage=600, maxage=60, uselang="en")
    assert "public" not in reply.headers["cache-control"]
    assert "s-maxage" not in reply.headers["cache-control"]
