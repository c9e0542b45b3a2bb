"""Sessions of accounts: nobody but who logged in acts in an account's name."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from typing import Any

import pytest

from tests.plugins.editing.users.acting import Acting, writable_site
from wikiapi.accounts.passwords import hash_password
from wikiapi.http.app import make_app
from wikiapi.site import Site
from wikiapi.store.models import User
from wikiapi.store.models.writing import ObjectCache
from wikiapi.testing import ApiClient, Clock

SECRET = "ada's password"
COOKIE = "wiki_session"


@pytest.fixture
def site(clock: Clock) -> Iterator[Site]:
    made = writable_site(clock=clock, http={"cors_origins": ["https://friend.example"]})
    made.db.execute_write(User.update(user_password=hash_password(SECRET, rounds=1)))
    yield made
    made.db.close()


@pytest.fixture
def client(site: Site) -> ApiClient:
    return ApiClient(make_app(site))


def log_in(client: ApiClient, password: str = SECRET, name: str = "Ada") -> dict[str, Any]:
    answer = client.post(
        action="login", lgname=name, lgpassword=password, lgtoken=client.token("login")
    )
    return answer["login"]


def who(client: ApiClient) -> str:
    return client.get(action="query", meta="userinfo")["query"]["userinfo"]["name"]


# Sessions


def test_session_gets_another_id_when_somebody_logs_in(site: Site, client: ApiClient) -> None:
    planted = "a" * 32
    client.set_cookie(COOKIE, planted)
    assert log_in(client)["result"] == "Success"
    assert client.cookie(COOKIE) != planted
    assert who(client) == "Ada"
    attacker = ApiClient(make_app(site))
    attacker.set_cookie(COOKIE, planted)
    assert who(attacker) != "Ada"


def test_session_is_worth_nothing_after_logging_out(site: Site, client: ApiClient) -> None:
    log_in(client)
    stolen = client.cookie(COOKIE)
    assert stolen
    client.post(action="logout", token=client.token())
    thief = ApiClient(make_app(site))
    thief.set_cookie(COOKIE, stolen)
    assert who(client) != "Ada"
    assert who(thief) != "Ada"


@pytest.mark.parametrize(("extra", "lasts"), [({"rememberMe": "1"}, True), ({}, False)])
def test_session_outlasts_the_browser_if_requested(
    client: ApiClient, extra: dict[str, str], lasts: bool
) -> None:
    params = {"username": "Ada", "password": SECRET, "loginreturnurl": "http://x.example/", **extra}
    params["logintoken"] = client.token("login")
    reply = client.reply("POST", {"action": "clientlogin", **params})
    answer = json.loads(reply.body)
    assert (answer["clientlogin"]["status"], "warnings" in answer) == ("PASS", False)
    own = reply.headers["set-cookie"].partition(", ")[0]
    assert own.startswith(f"{COOKIE}=")
    assert ("Max-Age=" in own) is lasts


def test_session_ends(client: ApiClient, clock: Clock) -> None:
    log_in(client)
    clock.advance(days=31)
    assert who(client) != "Ada"


def test_names_in_cookies_are_not_believed(site: Site) -> None:
    client = ApiClient(make_app(site))
    for name, value in (("UserID", "1"), ("UserName", "Boss"), ("Token", "x")):
        client.set_cookie(f"wiki{name}", value)
    assert who(client) == "192.0.2.1"


# Requests that others have made up


def test_edit_needs_post_and_a_token_in_its_body(client: ApiClient) -> None:
    log_in(client)
    edit = {"action": "edit", "title": "Home", "text": "forged"}
    own = client.token()
    assert client.get(edit)["error"]["code"] == "missingparam"
    assert client.get(edit, token=own)["error"]["code"] == "mustpostparams"
    assert client.post(edit)["error"]["code"] == "missingparam"
    for forged in ("+\\", "0" * 40 + "+\\", own[:-3] + "x+\\"):
        assert client.post(edit, token=forged)["error"]["code"] == "badtoken"
    assert client.post(edit, token=client.token("watch"))["error"]["code"] == "badtoken"


def test_token_of_another_user_is_refused(site: Site, client: ApiClient) -> None:
    log_in(client)
    other = ApiClient(make_app(site))
    log_in(other, name="Bert")
    answer = client.post(action="edit", title="Home", text="x", token=other.token())
    assert answer["error"]["code"] == "badtoken"
    old = client.token()
    client.post(action="logout", token=old)
    log_in(client)
    answer = client.post(action="edit", title="Home", text="x", token=old)
    assert answer["error"]["code"] == "badtoken"


def test_scripts_of_other_sites_act_for_nobody(client: ApiClient) -> None:
    log_in(client)
    foreign = {"Origin": "https://evil.example"}
    params = {"action": "query", "meta": "userinfo|tokens"}
    refused = client.reply("GET", params, origin="https://evil.example", headers=foreign)
    assert "access-control-allow-origin" not in refused.headers
    open_to_all = client.reply("GET", params, origin="*", headers=foreign)
    assert "Ada" not in open_to_all.text
    assert open_to_all.headers["access-control-allow-credentials"] == "false"
    jsonp = client.reply("GET", params, callback="f")
    assert "Ada" not in jsonp.text
    assert "csrftoken" not in jsonp.text


# Guessing passwords


def test_guesses_are_throttled(site: Site, client: ApiClient, clock: Clock) -> None:
    for _ in range(5):
        assert log_in(client, "guess")["result"] == "Failed"
    throttled = log_in(client)
    assert throttled["result"] == "Failed"
    assert "too many attempts" in throttled["reason"]
    # Another spelling of the name is the same account; another account is not.
    assert "too many attempts" in log_in(client, name="ada")["reason"]
    by_client = client.post(
        action="clientlogin", username="Ada", password=SECRET,
        loginreturnurl="http://x.example/", logintoken=client.token("login"),
    )["clientlogin"]  # fmt: skip
    assert (by_client["status"], by_client["messagecode"]) == ("FAIL", "login-throttled")
    assert log_in(ApiClient(make_app(site)), name="Bert")["result"] == "Success"
    clock.advance(minutes=6)
    assert log_in(client)["result"] == "Success"


def test_guesses_at_unknown_names_are_throttled_as_well(client: ApiClient) -> None:
    reasons = [log_in(client, "guess", "Nobody here")["reason"] for _ in range(6)]
    assert len(set(reasons[:5])) == 1
    assert "too many attempts" in reasons[5]


def test_counts_are_removed_when_they_have_ended(
    site: Site, client: ApiClient, clock: Clock
) -> None:
    for number in range(5):
        log_in(client, "guess", f"Nobody {number}")
    clock.advance(days=3)
    log_in(client, "guess")
    throttled = ObjectCache.keyname.contains("throttler")
    assert len(site.db.execute(ObjectCache.select(ObjectCache.keyname).where(throttled))) == 2


def test_success_forgets_the_failures(site: Site, client: ApiClient) -> None:
    for _ in range(3):
        for _ in range(4):
            log_in(client, "guess")
        assert log_in(client)["result"] == "Success"


def test_unknown_names_take_as_much_work(
    site: Site, client: ApiClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The answers differ in no word, and as many rounds are computed."""
    stored = hash_password(SECRET)
    site.db.execute_write(User.update(user_password=stored).where(User.user_name == "Ada"))
    original, rounds = hashlib.pbkdf2_hmac, list[int]()

    def counted(name: str, password: bytes, salt: bytes, number: int, length: int) -> bytes:
        rounds.append(number)
        return original(name, password, salt, 1, length)

    monkeypatch.setattr(hashlib, "pbkdf2_hmac", counted)
    answer = log_in(client, "guess")
    of_known = rounds.copy()
    rounds.clear()
    assert log_in(client, "guess", "Nobody here") == answer
    assert rounds == of_known


# What others may see


def test_answers_to_accounts_are_in_no_shared_cache(site: Site, client: ApiClient) -> None:
    def control(asking: ApiClient, **named: str) -> str:
        reply = asking.reply("GET", {"action": "query", "uselang": "en", "smaxage": "60", **named})
        return reply.headers["cache-control"]

    visitor = ApiClient(make_app(site))
    assert "public" in control(visitor, prop="info", titles="Home")
    assert "private" in control(visitor, prop="info", titles="Home", inprop="watched")
    log_in(client)
    for module in ("recentchanges", "logevents", "allpages"):
        assert "private" in control(client, list=module)


def test_markup_of_users_is_text_to_readers(site: Site) -> None:
    evil = "<script>alert(1)</script><img src=x onerror=alert(2)>"
    ada, boss = Acting(site, "Ada"), Acting(site, "Boss")
    ada.edit("Home", text="x", summary=evil)
    boss.do("block", user="Bert", reason=evil)
    boss.do("userrights", user="Ada", add="bot", reason=evil)
    answers = [
        boss.query(list="recentchanges", rcprop="parsedcomment", rclimit="10"),
        boss.query(list="logevents", leprop="parsedcomment"),
        boss.query(list="blocks", bkprop="parsedreason"),
        boss.query(titles="Home", prop="revisions", rvprop="parsedcomment"),
    ]
    for answer in answers:
        assert "alert(1)" in str(answer)
        assert "<script" not in str(answer)
        assert "<img" not in str(answer)


def test_no_account_is_called_like_markup(site: Site) -> None:
    fields = {"username": "<script>alert(1)</script>", "password": "x" * 12, "retype": "x" * 12}
    done = Acting(site).do("createaccount", fields, createreturnurl="http://x.example/")
    assert done["messagecode"] == "invaliduser"


def test_passwords_and_tokens_are_in_no_answer(site: Site) -> None:
    ada = Acting(site, "Ada")
    text = str(ada.query(meta="userinfo", uiprop="*", list="users", ususers="Ada|Boss",
                         usprop="blockinfo|groups|rights|emailable"))  # fmt: skip
    for value in site.db.execute(User.select(User.user_password, User.user_token)):
        for secret in value:
            assert not secret or secret not in text


# Reading


@pytest.mark.parametrize(
    "params",
    [
        {"titles": "Home", "prop": "info", "inprop": "watched|notificationtimestamp"},
        {"titles": "Home", "prop": "revisions", "rvprop": "content"},
        {"list": "recentchanges"},
        {"meta": "userinfo|siteinfo"},
    ],
)
def test_visitors_of_a_writable_wiki_cost_no_more_queries(
    site: Site, params: dict[str, str]
) -> None:
    def queries(made: Site) -> int:
        with made.db.recording() as log:
            Acting(made).query(params)
        return len(log)

    frozen = writable_site(site={"writable": False})
    assert queries(site) == queries(frozen)
