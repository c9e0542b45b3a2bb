"""Actions that would change the wiki, and those about accounts."""

from __future__ import annotations

from typing import Any

import pytest

from tests.unit.http.sites import app_of
from wikiapi.api.module import Action
from wikiapi.testing import make_site
from wikiapi.testing.client import ApiClient
from wikiapi_plugins.editing.actions import ACTIONS

TOKENLESS = {"purge", "clearhasmsg", "acquiretempusername"}


@pytest.fixture(scope="module")
def client() -> ApiClient:
    return ApiClient(app_of(), defaults={"format": "json", "formatversion": 2})


def code(answer: dict[str, Any]) -> str:
    return answer["error"]["code"]


def required(action: type[Action]) -> dict[str, str]:
    """Return a value for each required parameter."""
    values = {}
    for param in action.params:
        if param.required and param.name != "token":
            choices = param.type.choices(make_site())
            values[action.prefix + param.name] = choices[0] if choices else "1"
    return values


@pytest.mark.parametrize("action", ACTIONS, ids=lambda action: action.name)
def test_get_is_refused(client: ApiClient, action: type[Action]) -> None:
    expected = "mustbeposted" if action.name in TOKENLESS else "missingparam"
    assert code(client.get(action=action.name)) == expected


@pytest.mark.parametrize("action", ACTIONS, ids=lambda action: action.name)
def test_with_all_required_parameters_the_answer_is_readonly(
    client: ApiClient, action: type[Action]
) -> None:
    params = required(action)
    if action.needs_token:
        assert code(client.post(params, action=action.name)) == "missingparam"
        name = f"{action.prefix}token"
        # The token of a form of userrights is of an account, which is not named here.
        wrong = "missingparam" if action.name == "userrights" else "badtoken"
        assert code(client.post(params, action=action.name, **{name: "x"})) == wrong
        params[name] = client.token(action.needs_token)
    reply = client.reply("POST", params, action=action.name)
    assert reply.status == 200
    assert reply.headers["mediawiki-api-error"] == "readonly"
    assert '"readonlyreason":"' in reply.text


def test_a_token_in_the_address_is_refused(client: ApiClient) -> None:
    assert code(client.get(action="edit", token="+\\")) == "mustpostparams"


def test_a_wiki_that_says_it_is_read_only_says_so_at_once() -> None:
    app = app_of(site={"read_only": "Moving house"})
    answer = ApiClient(app, defaults={"format": "json"}).get(action="purge")
    assert answer["error"]["code"] == "readonly"
    assert answer["error"]["readonlyreason"] == "Moving house"


def test_login_says_that_the_wiki_is_read_only(client: ApiClient) -> None:
    assert code(client.get(action="login")) == "mustbeposted"
    answer = client.post(action="login", lgname="Ada", lgpassword="x")
    assert code(answer) == "readonly"
    assert answer["error"]["readonlyreason"]


def test_clientlogin_says_that_the_wiki_is_read_only(client: ApiClient) -> None:
    assert code(client.post(action="clientlogin", logintoken="x")) == "badtoken"
    token = client.token("login")
    assert code(client.post(action="clientlogin", logintoken=token)) == "readonly"


def test_no_login_where_another_site_could_read_it() -> None:
    client = ApiClient(app_of(site={"writable": True}), defaults={"format": "json"})
    answer = client.reply("POST", {"action": "login", "callback": "f"}).text
    assert '"result":"Aborted"' in answer
    assert "+\\\\" not in answer


def test_logout_of_a_visitor_is_empty(client: ApiClient) -> None:
    assert code(client.post(action="logout")) == "missingparam"
    assert client.post(action="logout", token="+\\") == {}


@pytest.mark.parametrize(
    ("password", "validity"),
    [("x" * 12, "Good"), ("short", "Change"), ("countess", "Change"), ("x" * 5000, "Invalid")],
)
def test_validatepassword(client: ApiClient, password: str, validity: str) -> None:
    answer = client.post(action="validatepassword", password=password, user="Countess")
    assert answer["validatepassword"]["validity"] == validity
    assert bool(answer["validatepassword"].get("validitymessages")) == (validity != "Good")


@pytest.mark.parametrize(
    ("password", "faults"),
    [
        ("abc", ["passwordtooshort", "passwordincommonlist"]),
        ("Football1", ["passwordincommonlist"]),
        ("football1\nfootball", []),
    ],
)
def test_passwords_that_many_people_use(
    client: ApiClient, password: str, faults: list[str]
) -> None:
    answer = client.post(action="validatepassword", password=password)["validatepassword"]
    messages = answer.get("validitymessages", ())
    assert [message["message"] for message in messages] == faults
    too_short = [message for message in messages if message["code"] == "passwordtooshort"]
    assert [message["params"] for message in too_short] in ([], [[8]])


@pytest.mark.parametrize("action", ACTIONS, ids=lambda action: action.name)
def test_everything_is_documented(action: type[Action]) -> None:
    assert action.summary()
    assert all(param.help for param in action.params)
    assert action.examples or action.is_internal


OPEN = ["help", "paraminfo", "rsd", "login", "clientlogin", "logout", "createaccount"]
OPEN_QUERIES = [{"meta": "tokens"}, {"meta": "authmanagerinfo"}]
CLOSED = [
    {"action": "query"},
    {"action": "query", "meta": "siteinfo"},
    {"action": "query", "meta": "tokens|siteinfo"},
    {"action": "query", "meta": "tokens", "titles": "Main Page"},
    {"action": "parse", "text": "x"},
    {"action": "opensearch", "search": "x"},
    {"action": "compare", "fromtext": "x", "totext": "y"},
    {"action": "feedrecentchanges"},
]


@pytest.fixture(scope="module")
def private() -> ApiClient:
    app = app_of(permissions={"anonymous_rights": []})
    return ApiClient(app, defaults={"format": "json", "formatversion": 2})


@pytest.mark.parametrize("action", OPEN)
def test_without_the_right_to_read_some_actions_answer(private: ApiClient, action: str) -> None:
    assert private.reply("GET", action=action).headers.get("mediawiki-api-error") != "readapidenied"


@pytest.mark.parametrize("params", OPEN_QUERIES)
def test_without_the_right_to_read_some_queries_answer(
    private: ApiClient, params: dict[str, str]
) -> None:
    assert "query" in private.get(action="query", **params)


@pytest.mark.parametrize("params", CLOSED)
def test_without_the_right_to_read_nothing_else_answers(
    private: ApiClient, params: dict[str, str]
) -> None:
    assert code(private.get(**params)) == "readapidenied"
