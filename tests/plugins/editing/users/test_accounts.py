"""Accounts: making them, their passwords, preferences, groups and mail."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from tests.plugins.editing.users.acting import ADDRESS, USERS, Acting, writable_site
from wikiapi.accounts import authentication, sessions
from wikiapi.accounts.passwords import hash_password, verify
from wikiapi.api import tokens
from wikiapi.http.app import make_app
from wikiapi.site import Site
from wikiapi.store.models import User
from wikiapi.store.models.writing import Outbox
from wikiapi.testing import BotPassword, Clock, DeclaredFile, DeclaredUser, make_site
from wikiapi.testing.client import ApiClient
from wikiapi_plugins.query.users.authentication import PASSWORD, TEMPORARY

GOOD = "correct horse battery"


@pytest.fixture
def site() -> Site:
    return writable_site()


def create(who: Acting, name: str = "New user", **named: str) -> dict[str, Any]:
    fields = {"username": name, "password": GOOD, "retype": GOOD, **named}
    return who.do("createaccount", fields, createreturnurl="http://x.example/")


# Making accounts


def test_account_is_made_and_can_log_in(site: Site, boss: Acting) -> None:
    visitor = Acting(site)
    done = create(visitor, "new_user", realname="A. New")
    assert done == {"status": "PASS", "username": "New user"}
    account = authentication.by_password(site, "New user", GOOD)
    assert account is not None
    assert authentication.by_password(site, "New user", "wrong") is None
    [entry] = boss.query(list="logevents", letype="newusers")["logevents"]
    assert (entry["action"], entry["title"], entry["user"]) == (
        "create", "User:New user", "New user",
    )  # fmt: skip
    assert entry["params"] == {"userid": account.login.user_id}
    [user] = visitor.query(list="users", ususers="New user", usprop="registration|editcount")[
        "users"
    ]
    assert (user["registration"], user["editcount"]) == ("2026-01-01T12:00:00Z", 0)
    watched = Acting(site, "New user").ask("query", list="watchlistraw").data["watchlistraw"]
    assert [item["title"] for item in watched] == ["User:New user", "User talk:New user"]


def test_account_for_somebody_else_is_logged_with_its_maker(boss: Acting) -> None:
    create(boss, "Colleague", reason="asked for it")
    [entry] = boss.query(list="logevents", letype="newusers")["logevents"]
    assert (entry["action"], entry["user"], entry["comment"]) == (
        "create2", "Boss", "asked for it",
    )  # fmt: skip


def test_password_of_an_account_for_somebody_else_is_mailed(site: Site, boss: Acting) -> None:
    fields = {"password": "", "retype": "", "mailpassword": "1", "email": "new@example.org"}
    assert create(boss, **fields, reason="why") == {"status": "PASS", "username": "New user"}
    [(address, temporary)] = mailed_passwords(site)
    assert address == "new@example.org"
    [entry] = boss.query(list="logevents", letype="newusers")["logevents"]
    assert (entry["action"], entry["user"], entry["comment"]) == ("byemail", "Boss", "why")
    assert log_in(Acting(site), "New user", "")["status"] == "FAIL"
    visitor = Acting(site)
    assert log_in(visitor, "New user", temporary)["status"] == "UI"
    chosen = {"password": GOOD, "retype": GOOD}
    assert visitor.do("clientlogin", chosen, logincontinue="")["status"] == "PASS"


def test_a_mailed_password_takes_the_place_of_a_given_one(site: Site, boss: Acting) -> None:
    fields = {"mailpassword": "1", "email": "new@example.org"}
    assert create(boss, **fields, retype="x")["messagecode"] == "badretype"
    assert create(boss, **fields)["status"] == "PASS"
    assert log_in(Acting(site), "New user", GOOD)["status"] == "FAIL"
    assert len(mailed_passwords(site)) == 1


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({}, "noemailcreate"),
        ({"email": "new"}, "invalidemailaddress"),
        ({"email": "new@example.org\n"}, "invalidemailaddress"),
        ({"email": f"{'n' * 250}@example.org"}, "invalidemailaddress"),
    ],
)
def test_a_password_cannot_be_mailed_without_an_address(
    site: Site, boss: Acting, fields: dict[str, str], code: str
) -> None:
    asked = create(boss, password="", retype="", mailpassword="1", **fields)
    assert (asked["status"], asked["messagecode"]) == ("FAIL", code)
    assert asked["canpreservestate"] is False
    assert mailed_passwords(site) == []


def test_visitors_have_no_password_mailed(site: Site) -> None:
    fields = {"password": "", "retype": "", "mailpassword": "1", "email": "new@example.org"}
    assert create(Acting(site), **fields)["messagecode"] == "authmanager-create-no-primary"
    without_mail = Acting(writable_site(editing={"email": False}), "Boss")
    assert create(without_mail, **fields)["messagecode"] == "authmanager-create-no-primary"


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"username": ""}, "invaliduser"),
        ({"password": ""}, "authmanager-create-no-primary"),
        ({"createrequests": "MediaWiki"}, "invaliduser"),
        (
            {"createrequests": "MediaWiki\\Auth\\UsernameAuthenticationRequest"},
            "authmanager-create-no-primary",
        ),
        ({"username": "Ada"}, "userexists"),
        ({"username": "ada"}, "userexists"),
        ({"username": "192.0.2.1"}, "invaliduser"),
        ({"username": "A/b"}, "invaliduser"),
        ({"username": "a@b"}, "invaliduser"),
        ({"username": "Maintenance script"}, "invaliduser"),
        ({"retype": "something else"}, "badretype"),
        ({"password": "short", "retype": "short"}, "passwordtooshort"),
        ({"password": "Letmein2", "retype": "Letmein2"}, "passwordincommonlist"),
        ({"password": "a" * 5000, "retype": "a" * 5000}, "passwordtoolong"),
        (
            {"username": "Longusername", "password": "longusername", "retype": "longusername"},
            "password-substring-username-match",
        ),
    ],
)
def test_account_that_cannot_be_made(site: Site, fields: dict[str, str], code: str) -> None:
    form = {"username": "New user", "password": GOOD, "retype": GOOD} | fields
    done = Acting(site).do("createaccount", form, createreturnurl="http://x.example/")
    assert (done["status"], done["messagecode"]) == ("FAIL", code)
    assert Acting(site).query(list="users", ususers="New user")["users"][0]["missing"] is True


def test_a_way_back_is_required(site: Site) -> None:
    fields = {"username": "New user", "password": GOOD, "retype": GOOD}
    assert Acting(site).refused("createaccount", fields) == "missingparam"
    for url in ("relative", "//x.example/", "http:", "http://", "foo://x.example/", ""):
        refused = Acting(site).refused("createaccount", fields, createreturnurl=url)
        assert refused == "badurl_createreturnurl"
    assert Acting(site).refused("clientlogin", loginreturnurl="x") == "badurl_loginreturnurl"
    for url in ("HTTPS://x.example", "irc://x.example", "irc:x", "urn:isbn:1"):
        assert Acting(site).do("clientlogin", loginreturnurl=url)["status"] == "FAIL"


def test_fields_are_normalised_like_parameters(site: Site) -> None:
    assert create(Acting(site), "Cafe\u0301 user")["username"] == "Café user"
    decomposed = "cafe\u0301 cafe\u0301"
    create(Acting(site), "Other one", password=decomposed, retype="café café")
    assert log_in(Acting(site), "Other one", decomposed)["status"] == "PASS"


def test_fields_of_requests_that_are_not_chosen_are_unknown(site: Site) -> None:
    fields = {"username": "Ada", "password": "Ada-password", "loginreturnurl": "http://x.example/"}
    answer = Acting(site).ask("clientlogin", fields, loginrequests="bogus")
    assert answer.data["clientlogin"]["messagecode"] == "authmanager-authn-no-primary"
    assert answer.warned == ["apierror-unrecognizedparams"]
    visitor = Acting(site)
    answer = visitor.ask("clientlogin", fields, loginrequests=PASSWORD, rememberMe="1")
    assert answer.data["clientlogin"] == {"status": "PASS", "username": "Ada"}
    assert answer.warned == ["apierror-unrecognizedparams"]
    assert not visitor.session.is_lasting


def test_blocked_address_makes_no_accounts(site: Site, boss: Acting) -> None:
    boss.do("block", user=ADDRESS, nocreate="")
    assert create(Acting(site))["messagecode"] == "blocked"


def test_accounts_are_counted_where_rates_are_limited() -> None:
    site = writable_site(editing={"rate_limits": True})
    visitor = Acting(site)
    codes = [create(visitor, f"Account {n}").get("messagecode") for n in range(7)]
    assert codes == [None] * 6 + ["acct_creation_throttle_hit"]


def test_what_is_to_be_filled_in(site: Site, ada: Acting) -> None:
    def auth_info(who: Acting, purpose: str, **named: str) -> Any:
        params = {"meta": "authmanagerinfo", "amirequestsfor": purpose, **named}
        return who.query(params)["authmanagerinfo"]

    visitor = Acting(site)
    info = auth_info(visitor, "create")
    assert (info["canauthenticatenow"], info["cancreateaccounts"]) == (True, True)
    assert [list(request["fields"]) for request in info["requests"]] == [
        ["username", "password", "retype"], ["username"], ["email", "realname"],
    ]  # fmt: skip
    assert [r["required"] for r in auth_info(visitor, "login")["requests"]] == [
        "primary-required", "optional",
    ]  # fmt: skip
    for purpose in ("link", "unlink", "create-continue"):
        assert auth_info(ada, purpose)["requests"] == []
    assert [r["account"] for r in auth_info(visitor, "change")["requests"]] == [""]
    [remove] = auth_info(ada, "remove")["requests"]
    assert (remove["id"], remove["account"]) == (TEMPORARY, "Ada")
    assert list(remove["fields"]) == ["mailpassword"]
    [change] = auth_info(ada, "change", amimessageformat="none")["requests"]
    assert (change["id"], change["account"]) == (PASSWORD, "Ada")
    assert "label" not in change["fields"]["password"]
    merged = auth_info(visitor, "create", amimergerequestfields="")
    assert "fields" not in merged["requests"][0]
    assert list(merged["fields"]) == ["username", "password", "retype", "email", "realname"]
    assert not merged["fields"]["password"]["optional"]


def test_what_is_to_be_filled_in_for_somebody_else(ada: Acting) -> None:
    params = {"meta": "authmanagerinfo", "amirequestsfor": "create", "amimergerequestfields": ""}
    info = ada.query(params)["authmanagerinfo"]
    assert [(r["id"].rpartition("\\")[2], r["required"]) for r in info["requests"]] == [
        ("TemporaryPasswordAuthenticationRequest", "primary-required"),
        ("PasswordAuthenticationRequest", "primary-required"),
        ("UsernameAuthenticationRequest", "required"),
        ("UserDataAuthenticationRequest", "required"),
        ("CreationReasonAuthenticationRequest", "optional"),
    ]
    assert {name: field["optional"] for name, field in info["fields"].items()} == {
        "mailpassword": True,
        "username": False,
        "password": True,
        "retype": True,
        "email": True,
        "realname": True,
        "reason": True,
    }


# Logging in again


SENSITIVE = {
    "changeauthenticationdata": {"changeauthrequest": PASSWORD, "password": GOOD, "retype": GOOD},
    "removeauthenticationdata": {"request": TEMPORARY},
    "unlinkaccount": {"request": TEMPORARY},
    "linkaccount": {"linkreturnurl": "http://x.example/"},
}


def is_sure(who: Acting) -> str:
    asked = {"meta": "authmanagerinfo", "amisecuritysensitiveoperation": "ChangeCredentials"}
    return str(who.query(asked)["authmanagerinfo"]["securitysensitiveoperationstatus"])


def test_after_an_hour_the_password_is_asked_for_again() -> None:
    clock = Clock()
    site = writable_site(clock=clock)
    ada = Acting(site, "Ada")
    log_in(ada, "Ada", "Ada-password")
    clock.advance(minutes=59)
    assert is_sure(ada) == "ok"
    clock.advance(minutes=2)
    assert is_sure(ada) == "reauth"
    for action, params in SENSITIVE.items():
        assert ada.refused(action, params) == "reauthenticate"
    assert log_in(ada, "Ada", "Ada-password")["status"] == "PASS"
    assert is_sure(ada) == "ok"
    fields = SENSITIVE["changeauthenticationdata"]
    assert ada.do("changeauthenticationdata", fields) == {"status": "success"}


def test_visitors_are_asked_to_log_in(site: Site) -> None:
    assert is_sure(Acting(site)) == "reauth"


def test_a_session_of_a_bot_password_cannot_be_renewed() -> None:
    clock = Clock()
    site = writable_site(clock=clock)
    ada = Acting(site, "Ada")
    sessions.log_in(site, ada.session, "Ada", sessions.LoggedIn(ada.user_id, "app"))
    clock.advance(minutes=120)
    assert is_sure(ada) == "ok"
    assert ada.query(meta="authmanagerinfo")["authmanagerinfo"]["canauthenticatenow"] is False
    token = tokens.issue(ada.session, tokens.LOGIN, clock())
    for fields in ({}, {"lgname": "Bert", "lgpassword": "Bert-password", "lgtoken": token}):
        assert ada.do("login", fields)["result"] == "Aborted"
    refused = log_in(ada, "Bert", "Bert-password")
    assert (refused["status"], refused["messagecode"]) == ("FAIL", "userlogin-cannot-login")
    assert create(ada)["status"] == "PASS"
    fields = SENSITIVE["changeauthenticationdata"]
    assert ada.do("changeauthenticationdata", fields) == {"status": "success"}
    login = sessions.find_login(site, ada.session)
    assert login is not None
    assert login.app_id == "app"


def test_a_session_is_known_by_its_cookie_until_the_password_is_asked_for() -> None:
    clock = Clock()
    client = ApiClient(make_app(writable_site(clock=clock)))
    client.login("Ada", "Ada-password")
    asked = {"meta": "authmanagerinfo", "amisecuritysensitiveoperation": "ChangeCredentials"}
    for minutes, status in ((60, "ok"), (1, "reauth")):
        clock.advance(minutes=minutes)
        info = client.get(action="query", **asked)["query"]["authmanagerinfo"]
        assert info["securitysensitiveoperationstatus"] == status
    fields = SENSITIVE["changeauthenticationdata"]
    token = client.token()
    refused = client.post(fields, action="changeauthenticationdata", changeauthtoken=token)
    assert refused["error"]["code"] == "reauthenticate"


# Temporary accounts


def test_no_name_of_a_temporary_account_is_given(site: Site, ada: Acting) -> None:
    for who in (Acting(site), ada):
        assert who.refused("acquiretempusername") == "tempuserdisabled"


# Passwords


def test_password_is_changed_and_other_sessions_end(site: Site, ada: Acting) -> None:
    here, elsewhere = ada.session, Acting(site, "Ada").session
    for session in (here, elsewhere):
        sessions.log_in(site, session, "Ada", sessions.LoggedIn(ada.user_id))
    old_id = here.id
    fields = {"changeauthrequest": PASSWORD, "password": GOOD, "retype": GOOD}
    assert ada.do("changeauthenticationdata", fields) == {"status": "success"}
    assert authentication.by_password(site, "Ada", GOOD) is not None
    assert sessions.find_login(site, elsewhere) is None
    assert ada.session.id != old_id
    assert sessions.find_login(site, ada.session) is not None


def test_bot_passwords_end_with_the_password() -> None:
    secret = "0123456789abcdef0123456789abcdef"
    robot = DeclaredUser("Robot", bot_passwords=(BotPassword("tidy", secret),))
    site = make_site(users=(robot,), config={"site": {"writable": True}})
    who = Acting(site, "Robot")
    sessions.log_in(site, who.session, "Robot", sessions.LoggedIn(who.user_id))
    assert authentication.by_bot_password(site, "Robot@tidy", secret, ADDRESS) is not None
    fields = {"changeauthrequest": PASSWORD, "password": GOOD, "retype": GOOD}
    assert who.do("changeauthenticationdata", fields) == {"status": "success"}
    for password in (secret, secret[::-1]):
        with pytest.raises(authentication.UnusableBotPassword):
            authentication.by_bot_password(site, "Robot@tidy", password, ADDRESS)
    for name, password in (("Robot@other", secret), ("Robot@tidy", ""), ("Robot@tidy", "wrong")):
        assert authentication.by_bot_password(site, name, password, ADDRESS) is None


def test_sessions_of_bot_passwords_outlast_the_password() -> None:
    secret = "0123456789abcdef0123456789abcdef"
    robot = DeclaredUser("Robot", bot_passwords=(BotPassword("tidy", secret),))
    site = make_site(users=(robot,), config={"site": {"writable": True}})
    who, bot, elsewhere = Acting(site, "Robot"), Acting(site, "Robot"), Acting(site, "Robot")
    logins = {who: "", bot: "tidy", elsewhere: ""}
    for each, app_id in logins.items():
        sessions.log_in(site, each.session, "Robot", sessions.LoggedIn(who.user_id, app_id))
    fields = {"changeauthrequest": PASSWORD, "password": GOOD, "retype": GOOD}
    assert who.do("changeauthenticationdata", fields) == {"status": "success"}
    assert sessions.find_login(site, elsewhere.session) is None
    login = sessions.find_login(site, bot.session)
    assert login is not None
    assert login.app_id == "tidy"


@pytest.mark.parametrize(
    ("name", "password"), [("Robot@tidy", "{secret}"), ("robot", "tidy@{secret}")]
)
def test_login_tells_that_a_bot_password_must_be_reset(name: str, password: str) -> None:
    secret = "0123456789abcdef0123456789abcdef"
    robot = DeclaredUser("Robot", bot_passwords=(BotPassword("tidy", secret),))
    site = make_site(users=(robot,), config={"site": {"writable": True}})
    who = Acting(site, "Robot")
    sessions.change_password(site, who.user_id, hash_password(GOOD))
    visitor = Acting(site)
    token = tokens.issue(visitor.session, tokens.LOGIN, site.clock())
    fields = {"lgname": name, "lgpassword": password.format(secret=secret), "lgtoken": token}
    answer = visitor.do("login", fields, errorformat="raw")
    assert answer["result"] == "Failed"
    assert answer["reason"]["key"] == "botpasswords-needs-reset"
    assert answer["reason"]["params"] == ["Robot", "tidy"]


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"changeauthrequest": "Other"}, "badrequest"),
        ({"password": ""}, "badrequest"),
        ({"retype": "x"}, "badretype"),
        ({"password": "short", "retype": "short"}, "passwordtooshort"),
        ({"password": "abc", "retype": "abc"}, "passwordincommonlist, passwordtooshort"),
    ],
)
def test_password_that_is_not_changed(
    site: Site, ada: Acting, fields: dict[str, str], code: str
) -> None:
    sessions.log_in(site, ada.session, "Ada", sessions.LoggedIn(ada.user_id))
    form = {"changeauthrequest": PASSWORD, "password": GOOD, "retype": GOOD} | fields
    assert ada.refused("changeauthenticationdata", form) == code


def test_visitors_have_no_password(site: Site) -> None:
    form = {"changeauthrequest": PASSWORD, "password": GOOD, "retype": GOOD}
    assert Acting(site).refused("changeauthenticationdata", form) == "notloggedin"


# Temporary passwords


def mailed_passwords(site: Site) -> list[tuple[str, str]]:
    """Return receivers and temporary passwords of the mail in the outbox."""
    query = Outbox.select(Outbox.ob_to, Outbox.ob_text).order_by(Outbox.ob_id)
    mails = []
    for address, text in site.db.execute(query):
        [password] = [line for line in text.split("\n") if re.fullmatch(r"[\w-]{12}", line)]
        mails.append((address, password))
    return mails


def log_in(who: Acting, name: str, password: str, **named: str) -> Any:
    fields = {"username": name, "password": password, "loginreturnurl": "http://x.example/"}
    return who.do("clientlogin", fields, **named)


def test_a_forgotten_password_is_replaced_in_two_steps(site: Site, ada: Acting) -> None:
    confirm(site, "Ada")
    visitor = Acting(site)
    assert visitor.do("resetpassword", user="ada") == {"status": "success"}
    [(address, temporary)] = mailed_passwords(site)
    assert address == "Ada@example.org"
    token = tokens.issue(visitor.session, tokens.LOGIN, site.clock())
    aborted = visitor.do("login", lgname="Ada", lgpassword=temporary, lgtoken=token)
    assert aborted["result"] == "Aborted"
    before = visitor.session.id
    asked = log_in(visitor, "Ada", temporary)
    assert (asked["status"], asked["messagecode"]) == ("UI", "resetpass-temp-emailed")
    [request] = asked["requests"]
    assert (request["id"], request["account"]) == (PASSWORD, "Ada")
    assert list(request["fields"]) == ["password", "retype"]
    assert visitor.session.id != before
    assert visitor.session.user_id == 0

    def go_on(who: Acting, **fields: str) -> Any:
        return who.do("clientlogin", fields, logincontinue="")

    assert go_on(visitor)["messagecode"] == "resetpass-temp-emailed"
    assert go_on(visitor, password=GOOD, retype="x")["messagecode"] == "badretype"
    assert go_on(Acting(site), password=GOOD, retype=GOOD)["status"] == "FAIL"
    assert go_on(visitor, password=GOOD, retype=GOOD) == {"status": "PASS", "username": "Ada"}
    assert visitor.session.user_id == ada.user_id
    again = go_on(visitor, password=GOOD, retype=GOOD)
    assert again["messagecode"] == "authmanager-authn-not-in-progress"
    assert log_in(Acting(site), "Ada", temporary)["status"] == "FAIL"
    assert log_in(Acting(site), "Ada", "Ada-password")["status"] == "FAIL"
    assert log_in(Acting(site), "Ada", GOOD)["status"] == "PASS"


def test_the_own_password_stays_good_until_then(site: Site) -> None:
    confirm(site, "Ada")
    Acting(site).do("resetpassword", email="Ada@example.org")
    assert len(mailed_passwords(site)) == 1
    assert log_in(Acting(site), "Ada", "Ada-password")["status"] == "PASS"


def test_temporary_passwords_end_and_are_mailed_once_a_day() -> None:
    clock = Clock()
    site = writable_site(clock=clock)
    confirm(site, "Ada")
    visitor = Acting(site)
    for _ in range(2):
        visitor.do("resetpassword", user="Ada")
    assert len(mailed_passwords(site)) == 1
    clock.advance(days=2)
    visitor.do("resetpassword", user="Ada")
    [(_, old), (_, new)] = mailed_passwords(site)
    assert log_in(Acting(site), "Ada", old)["status"] == "FAIL"
    assert log_in(Acting(site), "Ada", new)["status"] == "UI"
    clock.advance(days=8)
    assert log_in(Acting(site), "Ada", new)["status"] == "FAIL"


def test_nobody_learns_which_accounts_there_are(site: Site, ada: Acting) -> None:
    confirm(site, "Bert")
    ada.do("options", change="requireemail=1")
    confirm(site, "Ada")
    for params in (
        {"user": "Boss"}, {"user": "Nobody here"}, {"email": "nobody@example.org"},
        {"user": "Ada"}, {"email": "Ada@example.org"}, {"user": "Ada", "email": "x@example.org"},
    ):  # fmt: skip
        assert Acting(site).do("resetpassword", params) == {"status": "success"}
    assert mailed_passwords(site) == []
    Acting(site).do("resetpassword", user="Ada", email="Ada@example.org")
    assert [address for address, _ in mailed_passwords(site)] == ["Ada@example.org"]


def test_a_reset_does_the_same_work_whether_accounts_exist_or_not(
    site: Site, ada: Acting, monkeypatch: pytest.MonkeyPatch
) -> None:
    hashed: list[str] = []

    def counting(password: str) -> str:
        hashed.append(password)
        return hash_password(password, rounds=1)

    monkeypatch.setattr(authentication, "hash_password", counting)
    for name in ("Ada", "Bert", "Boss"):
        confirm(site, name)
    shared = User.update(user_email="both@example.org").where(User.user_name != "Ada")
    site.db.execute_write(shared)
    strict = Acting(site, "Boss")
    strict.do("options", change="requireemail=1")
    work = []
    for params in (
        {"user": "Ada"}, {"user": "Ada"}, {"user": "Nobody here"}, {"user": "Robot"},
        {"user": "Boss"}, {"email": "nobody@example.org"}, {"email": "both@example.org"},
        {"user": "Ada", "email": "wrong@example.org"},
    ):  # fmt: skip
        hashed.clear()
        with site.db.recording() as statements:
            assert Acting(site).do("resetpassword", params) == {"status": "success"}
        own = [entry.statement.partition(" ")[0] for entry in statements]
        work.append((len(hashed), own))
    assert len(mailed_passwords(site)) > 1
    assert work[1:] == work[:-1]
    assert work[0][0] == 1


@pytest.mark.parametrize("name", ["Ada", "Bert", "Nobody here"])
def test_a_failed_login_hashes_as_often_whoever_it_names(
    site: Site, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    confirm(site, "Ada")
    Acting(site).do("resetpassword", user="Ada")
    checked: list[str] = []

    def counting(password: str, stored: str | None) -> bool:
        checked.append(password)
        return verify(password, stored)

    monkeypatch.setattr(authentication, "verify", counting)
    assert log_in(Acting(site), name, "wrong")["status"] == "FAIL"
    assert checked == ["wrong", "wrong"]


@pytest.mark.parametrize(
    "fields",
    [
        {}, {"lgname": "Ada"}, {"lgpassword": "x"}, {"lgname": "", "lgpassword": ""},
        {"lgname": "", "lgpassword": "x"}, {"lgname": "Ada", "lgpassword": ""},
    ],
)  # fmt: skip
def test_login_without_a_name_or_a_password_fails(site: Site, fields: dict[str, str]) -> None:
    visitor = Acting(site)
    token = tokens.issue(visitor.session, tokens.LOGIN, site.clock())
    answer = visitor.do("login", fields, lgtoken=token)
    assert answer == {
        "result": "Failed",
        "reason": "The supplied credentials could not be authenticated.",
    }


def test_password_that_is_not_reset(site: Site, boss: Acting) -> None:
    assert Acting(site).refused("resetpassword") == "passwordreset-nodata"
    assert Acting(site).refused("resetpassword", user="192.0.2.1") == "baduser"
    boss.do("block", user=ADDRESS)
    assert Acting(site).refused("resetpassword", user="Ada") == "blocked-mailpassword"
    without_mail = Acting(writable_site(editing={"email": False}))
    assert without_mail.refused("resetpassword", user="Ada") == "passwordreset-emaildisabled"


def test_a_temporary_password_is_removed_the_own_one_is_not(site: Site, ada: Acting) -> None:
    confirm(site, "Ada")
    Acting(site).do("resetpassword", user="Ada")
    [(_, temporary)] = mailed_passwords(site)
    action = "removeauthenticationdata"
    assert ada.refused(action, request=PASSWORD) == "badrequest"
    assert Acting(site).refused(action, request=TEMPORARY) == "notloggedin"
    assert log_in(Acting(site), "Ada", temporary)["status"] == "UI"
    assert ada.do(action, request=TEMPORARY) == {"status": "success"}
    assert log_in(Acting(site), "Ada", temporary)["status"] == "FAIL"
    assert ada.refused("unlinkaccount", request=TEMPORARY) == "badrequest"


def test_no_account_of_another_provider_can_be_linked(site: Site, ada: Acting) -> None:
    answer = ada.do("linkaccount", linkreturnurl="http://x.example/")
    assert (answer["status"], answer["messagecode"]) == ("FAIL", "userlogin-cannot-link")
    assert ada.refused("linkaccount") == "missingparam"
    assert Acting(site).refused("linkaccount", linkcontinue="") == "notloggedin"


# Checking passwords


@pytest.mark.parametrize(
    ("name", "password", "validity"),
    [
        ("", GOOD, "Good"),
        ("", "short", "Change"),
        ("", "a" * 5000, "Invalid"),
        ("Ada", "nine char", "Good"),
        ("Boss", "nine char", "Change"),
    ],
)
def test_password_is_checked(site: Site, name: str, password: str, validity: str) -> None:
    assert Acting(site, name).do("validatepassword", password=password)["validity"] == validity


def test_password_is_checked_for_a_new_name(site: Site) -> None:
    visitor = Acting(site)
    done = visitor.do("validatepassword", password="newcomer", user="Newcomer")
    assert done["validity"] == "Change"
    assert visitor.refused("validatepassword", password=GOOD, user="Ada") == "userexists"
    assert visitor.refused("validatepassword", password=GOOD, user="A@b") == "invaliduser"


# Preferences


def options(who: Acting) -> dict[str, Any]:
    return who.query(meta="userinfo", uiprop="options")["userinfo"]["options"]


def test_preferences_are_kept_and_set_back(ada: Acting, boss: Acting) -> None:
    assert ada.do("options", change="language=de|hideminor=1|userjs-a=b") == "success"
    assert (options(ada)["language"], options(ada)["hideminor"]) == ("de", "1")
    assert options(ada)["userjs-a"] == "b"
    assert options(boss)["language"] == "en"
    ada.do("options", change="hideminor")
    assert options(ada)["hideminor"] == 0
    ada.do("options", reset="", resetkinds="userjs")
    assert "userjs-a" not in options(ada)
    assert options(ada)["language"] == "de"
    ada.do("options", reset="", optionname="gender", optionvalue="female")
    assert (options(ada)["language"], options(ada)["gender"]) == ("en", "female")


def test_language_of_the_user_is_that_of_answers(ada: Acting) -> None:
    ada.do("options", change="language=de")
    answer = ada.ask("query", meta="siteinfo", responselanginfo="").data
    assert answer["uselang"] == "de"
    answer = ada.ask("query", meta="siteinfo", responselanginfo="", uselang="fr").data
    assert answer["uselang"] == "fr"


@pytest.mark.parametrize(
    "change",
    [
        "bogus=1",
        "userjs-ä=1",
        "language=klingon",
        "gender=x",
        "rclimit=0",
        "username=x",
        "thumbsize=6",
        "thumbsize=-1",
        "imagesize=x",
    ],
)
def test_preference_that_cannot_be_set(ada: Acting, change: str) -> None:
    before = options(ada)
    answer = ada.ask("options", change=change)
    assert answer.data["options"] == "success"
    assert answer.warned == ["apiwarn-validationfailed"]
    assert options(ada) == before


@pytest.mark.parametrize("nickname", ["<b>A", "A & B", "&bogus;", "a" * 256])
def test_a_signature_in_wikitext_is_well_formed_and_not_too_long(
    ada: Acting, nickname: str
) -> None:
    before = options(ada)["nickname"]
    answer = ada.ask("options", change=f"fancysig=1|nickname={nickname}")
    assert answer.warned == ["apiwarn-validationfailed"]
    assert options(ada)["nickname"] == before
    assert not ada.ask("options", change=f"fancysig=0|nickname={nickname[:2]}").warned


def test_widths_of_thumbnails_are_those_of_the_wiki(make_site: Callable[..., Site]) -> None:
    limits = {"thumb_limits": [100, 200, 320], "thumb_size": 1}
    config = {"site": {"writable": True}, "files": limits}
    wide = DeclaredFile("Wide.png", width=800, height=200)
    site = make_site({}, users=USERS, files=[wide], config=config, clock=Clock())
    ada, boss = Acting(site, "Ada"), Acting(site, "Boss")
    assert (options(ada)["thumbsize"], options(ada)["imagesize"]) == (1, 2)
    ada.do("options", change="thumbsize=2")
    assert ada.ask("options", change="thumbsize=3").warned == ["apiwarn-validationfailed"]
    for who, width in ((ada, 320), (boss, 200)):
        parsed = who.do("parse", text="[[File:Wide.png|thumb]]", contentmodel="wikitext")
        assert f'width="{width}"' in parsed["text"]
    ada.do("options", change="thumbsize=1")
    assert options(ada)["thumbsize"] == 1


def test_watching_follows_the_preferences(ada: Acting) -> None:
    ada.do("options", change="watchcreations=0")
    assert ada.do("edit", title="New page", text="x")["watched"] is True
    ada.do("options", change="watchcreations=0|watchdefault=0")
    assert "watched" not in ada.do("edit", title="Other page", text="x")
    assert "watched" not in ada.do("edit", title="Home", text="x")
    ada.do("options", change="watchcreations=1")
    assert ada.do("edit", title="Third page", text="x")["watched"] is True
    assert "watched" not in ada.do("edit", title="Other page", text="y")


def test_names_that_an_account_could_have(ada: Acting) -> None:
    """Whoever asks: the right to create accounts does not matter."""
    users = ada.query(list="users", ususers="New user|A@b", usprop="cancreate")["users"]
    assert {user["name"]: user["cancreate"] for user in users} == {"New user": True, "A@b": False}


def test_errors_of_preferences(site: Site, ada: Acting) -> None:
    assert Acting(site).refused("options", change="language=de") == "notloggedin"
    assert ada.refused("options") == "nochanges"
    assert ada.refused("options", optionvalue="x") == "nooptionname"
    assert ada.refused("options", reset="", resetkinds="bogus") == "nochanges"


def test_values_of_preferences_have_a_longest_length(ada: Acting) -> None:
    longest = "ä" * 32_765
    changed = {"optionname": "userjs-x", "optionvalue": longest}
    assert ada.ask("options", changed).warned == []
    answer = ada.ask("options", changed | {"optionvalue": f"{longest}a"})
    assert answer.warned == ["apiwarn-validationfailed"]
    assert options(ada)["userjs-x"] == longest


# Groups


def test_groups_are_changed_and_logged(site: Site, boss: Acting, ada: Acting) -> None:
    done = boss.do(
        "userrights", user="Ada", add="bot|sysop", expiry="tomorrow|never", reason="help"
    )
    groups = {"removed": [], "added": ["bot", "sysop"]}
    assert done == {"user": "Ada", "userid": 2, "watchuser": False, **groups}
    userinfo = ada.query(meta="userinfo", uiprop="groupmemberships|rights|groups")["userinfo"]
    assert userinfo["groupmemberships"] == [
        {"group": "bot", "expiry": "2026-01-02T00:00:00Z"},
        {"group": "sysop", "expiry": "infinity"},
    ]
    assert {"bot", "block"} <= set(userinfo["rights"])
    [entry] = boss.query(list="logevents", letype="rights")["logevents"]
    params = entry["params"]
    assert (params["oldgroups"], params["newgroups"]) == ([], ["bot", "sysop"])
    assert params["newmetadata"][0] == {"group": "bot", "expiry": "2026-01-02T00:00:00Z"}
    assert boss.do("userrights", userid="2", remove="bot|sysop")["removed"] == ["bot", "sysop"]
    # What changes nothing is not logged.
    assert boss.do("userrights", user="Ada", remove="bot")["removed"] == []
    assert len(boss.query(list="logevents", letype="rights")["logevents"]) == 2


def test_a_group_that_is_removed_and_added_is_one_of_the_user_anew(boss: Acting) -> None:
    def change(**params: str) -> tuple[list[str], list[str], list[dict[str, str]]]:
        done = boss.do("userrights", user="Ada", **params)
        users = boss.query(list="users", ususers="Ada", usprop="groupmemberships")["users"]
        return done["removed"], done["added"], users[0]["groupmemberships"]

    bot = {"group": "bot", "expiry": "infinity"}
    both = {"add": "bot", "remove": "bot"}
    assert change(**both) == ([], ["bot"], [bot])
    assert change(**both) == (["bot"], ["bot"], [bot])
    assert len(boss.query(list="logevents", letype="rights")["logevents"]) == 1
    tomorrow = {"group": "bot", "expiry": "2026-01-02T00:00:00Z"}
    assert change(**both, expiry="tomorrow") == (["bot"], ["bot"], [tomorrow])
    assert len(boss.query(list="logevents", letype="rights")["logevents"]) == 2


def test_who_may_not_change_groups_changes_none(ada: Acting) -> None:
    assert ada.do("userrights", user="Ada", add="sysop")["added"] == []
    userinfo = ada.query(meta="userinfo", uiprop="changeablegroups|groups")["userinfo"]
    assert userinfo["changeablegroups"]["add"] == []
    assert "sysop" not in userinfo["groups"]


@pytest.mark.parametrize("groups", [{}, {"add": "bogus"}, {"remove": "bot"}])
def test_expiries_without_groups_are_ignored(boss: Acting, groups: dict[str, str]) -> None:
    done = boss.do("userrights", groups, user="Ada", expiry="1 day|2 days|gibberish")
    assert done["added"] == []


@pytest.mark.parametrize(
    ("params", "code"),
    [
        ({"user": "Nobody here", "add": "bot"}, "nosuchuser"),
        ({"user": "Ada@other", "add": "bot"}, "nointerwikiuserrights"),
        ({"user": "#99", "add": "bot"}, "invaliduser"),
        ({"userid": "99", "add": "bot"}, "invaliduser"),
        ({"user": "Ada", "add": "bot|sysop", "expiry": "1 day|2 days|3 days"}, "toofewexpiries"),
        ({"user": "Ada", "add": "bot", "expiry": "gibberish"}, "invalidexpiry"),
        ({"user": "Nobody here", "add": "bot", "expiry": "gibberish"}, "invalidexpiry"),
        ({"user": "Ada", "add": "bot", "expiry": "2001-01-01T00:00:00Z"}, "pastexpiry"),
        ({"add": "bot"}, "missingparam"),
    ],
)
def test_groups_that_are_not_changed(boss: Acting, params: dict[str, str], code: str) -> None:
    assert boss.refused("userrights", params) == code


# Mail


def confirm(site: Site, *names: str) -> None:
    """Give accounts an address that is confirmed."""
    for name in names:
        update = User.update(
            user_email=f"{name}@example.org", user_email_authenticated="20250101000000"
        )
        site.db.execute_write(update.where(User.user_name == name))


def test_mail_is_kept_for_sending(site: Site, ada: Acting) -> None:
    confirm(site, "Ada", "Bert")
    mail = {"target": "Bert", "subject": "Hello", "text": "How are you?"}
    assert ada.do("emailuser", mail, ccme="") == {"result": "Success"}
    kept = Outbox.select(Outbox.ob_from, Outbox.ob_to, Outbox.ob_text).order_by(Outbox.ob_id)
    assert site.db.execute(kept) == [
        ("Ada@example.org", "Bert@example.org", "How are you?"),
        ("Ada@example.org", "Ada@example.org", "How are you?"),
    ]
    userinfo = ada.query(meta="userinfo", uiprop="email")["userinfo"]
    assert (userinfo["email"], userinfo["emailauthenticated"]) == (
        "Ada@example.org", "2025-01-01T00:00:00Z",
    )  # fmt: skip


def test_mail_that_is_not_sent(site: Site, ada: Acting, boss: Acting) -> None:
    def refused(target: str = "Bert") -> str:
        return ada.refused("emailuser", target=target, subject="s", text="t")

    assert refused() == "noemailtext"
    assert refused("Nobody here") == "notarget"
    confirm(site, "Bert")
    assert refused() == "cantsend"
    confirm(site, "Ada")
    boss.do("block", user="Ada", noemail="")
    assert refused() == "blockedfrommail"
    Acting(site, "Bert").do("options", change="disablemail=1")
    assert refused() == "nowikiemailtext"
    without_mail = writable_site(editing={"email": False})
    confirm(without_mail, "Bert")
    other = Acting(without_mail, "Ada")
    assert other.refused("emailuser", target="Bert", subject="s", text="t") == "usermaildisabled"


# What the user is told


def test_user_is_told_about_the_account(site: Site) -> None:
    clock = Clock()
    site = writable_site(clock=clock)
    ada = Acting(site, "Ada")
    ada.edit("Home", text="new")
    userinfo = ada.query(meta="userinfo", uiprop="*")["userinfo"]
    assert (userinfo["id"], userinfo["name"], userinfo["editcount"]) == (2, "Ada", 1)
    assert "anon" not in userinfo
    assert userinfo["groups"] == ["*", "user", "autoconfirmed"]
    assert userinfo["implicitgroups"] == ["*", "user", "autoconfirmed"]
    assert userinfo["registrationdate"] == "2024-01-01T00:00:00Z"
    assert userinfo["latestcontrib"] == "2026-01-01T12:00:00Z"
    assert userinfo["centralids"] == {"local": 2}
    boss = Acting(site, "Boss").query(meta="userinfo", uiprop="changeablegroups")["userinfo"]
    assert "sysop" in boss["changeablegroups"]["add"]
    assert "*" not in boss["changeablegroups"]["remove"]


def test_rates_are_told_and_limited() -> None:
    clock = Clock()
    site = writable_site(clock=clock, editing={"rate_limits": True})
    ada, visitor, robot = Acting(site, "Ada"), Acting(site), Acting(site, "Boss")
    limits = ada.query(meta="userinfo", uiprop="ratelimits")["userinfo"]["ratelimits"]
    assert limits["edit"] == {"user": {"hits": 90, "seconds": 60}}
    assert robot.query(meta="userinfo", uiprop="ratelimits")["userinfo"]["ratelimits"] == {}
    codes = [visitor.edit("Home", text=str(n)) for n in range(9)]
    assert codes == [""] * 8 + ["ratelimited"]
    assert ada.edit("Home") == robot.edit("Other") == ""
    clock.advance(seconds=61)
    assert visitor.edit("Home", text="later") == ""


@pytest.mark.parametrize(
    ("change", "signature"),
    [
        ("gender=female", "[[User:Ada|Ada]] ([[User talk:Ada|talk]])"),
        ("nickname=A. [[L]]", "[[User:Ada|A. &#91;&#91;L&#93;&#93;]] ([[User talk:Ada|talk]])"),
        ("nickname=[[User:Ada]]~~~~|fancysig=1", "[[User:Ada]]"),
        ("fancysig=1|nickname=<i>A</i> &nbsp;", "<i>A</i> &nbsp;"),
        ("nickname=<b>A|fancysig=1", "[[User:Ada|Ada]] ([[User talk:Ada|talk]])"),
        ("nickname=" + "a" * 300, "[[User:Ada|Ada]] ([[User talk:Ada|talk]])"),
    ],
)
def test_signature_is_the_users(ada: Acting, change: str, signature: str) -> None:
    ada.do("options", change=change)
    ada.edit("Signed", text="~~~")
    [page] = ada.query(titles="Signed", prop="revisions", rvprop="content", rvslots="main")["pages"]
    assert page["revisions"][0]["slots"]["main"]["content"] == signature


def test_block_can_forbid_making_accounts(site: Site, boss: Acting, ada: Acting) -> None:
    def can_create() -> bool:
        userinfo = ada.query(meta="userinfo", uiprop="cancreateaccount")["userinfo"]
        return bool(userinfo["cancreateaccount"])

    assert can_create()
    boss.do("block", user="Ada", nocreate="")
    assert not can_create()
    assert create(ada)["messagecode"] == "blocked"


# Activity


def active(who: Acting) -> dict[str, int]:
    users = who.query(list="allusers", auactiveusers="")["allusers"]
    return {user["name"]: user["recentactions"] for user in users}


def test_users_are_active_for_thirty_days_after_a_change() -> None:
    clock = Clock()
    site = writable_site(clock=clock)
    ada, boss, visitor = Acting(site, "Ada"), Acting(site, "Boss"), Acting(site)
    create(boss, "Colleague")
    visitor.edit("Home", text="by a visitor")
    assert active(visitor) == {}
    for text in ("one", "two"):
        assert ada.edit("Home", text=text) == ""
    assert active(visitor) == {"Ada": 2}
    clock.advance(days=29)
    boss.do("block", user="Bert")
    assert active(visitor) == {"Ada": 2, "Boss": 1}
    clock.advance(days=2)
    boss.do("unblock", user="Bert")
    assert active(visitor) == {"Boss": 2}
