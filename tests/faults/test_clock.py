"""The system's clock jumps: what is bound to it errs on the safe side, and nothing stays broken."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest

from tests.faults.served import client_of
from wikiapi.site import Site
from wikiapi.testing import ApiClient
from wikiapi.testing.clock import NOW, Clock

YEARS = timedelta(days=3650)


@pytest.fixture
def client(clock: Clock, make_site: Callable[..., Site]) -> ApiClient:
    site = make_site({"Page": "{{CURRENTYEAR}} {{CURRENTTIME}}", "Plain": "plain"}, clock=clock)
    return client_of(site)


@pytest.fixture(params=[YEARS, -YEARS], ids=["forwards", "backwards"])
def jump(request: pytest.FixtureRequest) -> timedelta:
    return request.param


def text(client: ApiClient, source: str) -> str:
    return client.get(action="parse", title="X", text=source)["parse"]["text"]


def test_texts_show_the_new_time_at_once(client: ApiClient, clock: Clock, jump: timedelta) -> None:
    assert str(NOW.year) in text(client, "{{CURRENTYEAR}}")
    clock.set(NOW + jump)
    assert str((NOW + jump).year) in text(client, "{{CURRENTYEAR}}")
    clock.set(NOW)
    assert str(NOW.year) in text(client, "{{CURRENTYEAR}}")


def test_sessions_and_their_tokens_outlive_it(
    client: ApiClient, clock: Clock, jump: timedelta
) -> None:
    """Nothing of a session is stored, so there is nothing that could expire too soon."""
    tokens = client.get(action="query", meta="tokens", type="login")
    token = tokens["query"]["tokens"]["logintoken"]
    clock.set(NOW + jump)
    checked = client.get(action="checktoken", type="login", token=token)
    assert checked["checktoken"]["result"] == "valid"
    forged = client.get(action="checktoken", type="login", token="0" * 32 + token[32:])
    assert forged["checktoken"]["result"] == "invalid"


def test_a_token_with_an_age_is_too_old_only_after_a_jump_forwards(
    client: ApiClient, clock: Clock
) -> None:
    token = client.get(action="query", meta="tokens", type="login")["query"]["tokens"]["logintoken"]
    asked = {"action": "checktoken", "type": "login", "token": token, "maxtokenage": 60}
    clock.set(NOW - YEARS)
    assert client.get(asked)["checktoken"]["result"] == "valid"
    clock.set(NOW + YEARS)
    assert client.get(asked)["checktoken"]["result"] == "expired"
    clock.set(NOW)
    assert client.get(asked)["checktoken"]["result"] == "valid"


def test_cached_pages_go_by_a_clock_that_does_not_jump(
    client: ApiClient, clock: Clock, jump: timedelta
) -> None:
    first = client.get(action="parse", page="Plain")
    clock.set(NOW + jump)
    assert client.get(action="parse", page="Plain") == first


def test_answers_say_when_they_expire_by_the_clock_of_their_moment(
    client: ApiClient, clock: Clock, jump: timedelta
) -> None:
    clock.set(NOW + jump)
    reply = client.reply(
        "GET", action="query", meta="siteinfo", smaxage=60, maxage=60, uselang="content"
    )
    assert str((NOW + jump).year) in reply.headers["expires"]
