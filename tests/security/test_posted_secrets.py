"""Row 77: secrets are sent in bodies, not in addresses, and what is in a body stays there."""

from __future__ import annotations

import io
import json
import logging
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlencode

import pytest

from tests.plugins.editing.users.acting import writable_site
from wikiapi.accounts.passwords import hash_password
from wikiapi.api.registries import registries
from wikiapi.http.app import WikiApp, make_app
from wikiapi.site import Site
from wikiapi.store.models import User
from wikiapi.testing import ApiClient
from wikiapi_plugins.query.users.authentication import PASSWORD as PASSWORDS

PASSWORD = "ada's password"
SECRET = "sentinel-4711"
HTTP = {
    "debug_info": "on",
    "metrics": "public",
    "access_log": "json",
    "slow_query_log": 0.000001,
    "cors_origins": ["https://friend.example"],
}


@pytest.fixture(scope="module")
def site() -> Iterator[Site]:
    made = writable_site(http=HTTP)
    made.db.execute_write(User.update(user_password=hash_password(PASSWORD, rounds=1)))
    yield made
    made.db.close()


@pytest.fixture
def client(site: Site) -> ApiClient:
    return ApiClient(make_app(site))


def refused(client: ApiClient, query: dict[str, str], form: dict[str, str]) -> dict[str, Any]:
    answer = client.raw("POST", urlencode({"format": "json", **query}), form=form)
    return json.loads(answer.body)["error"]


def log_in(client: ApiClient) -> None:
    form = {"lgname": "Ada", "lgpassword": PASSWORD, "lgtoken": client.token("login")}
    assert client.post({"action": "login", **form})["login"]["result"] == "Success"


def test_login_with_a_password_in_the_address(client: ApiClient) -> None:
    form = {"lgname": "Ada", "lgtoken": client.token("login")}
    error = refused(client, {"action": "login", "lgpassword": PASSWORD}, form)
    assert error["code"] == "mustpostparams"
    assert "lgpassword" in error["info"]
    assert client.get(action="query", meta="userinfo")["query"]["userinfo"]["name"] != "Ada"


def test_all_misplaced_parameters_are_named(client: ApiClient) -> None:
    query = {"action": "login", "lgpassword": PASSWORD, "lgtoken": client.token("login")}
    error = refused(client, query, {"lgname": "Ada"})
    assert error["code"] == "mustpostparams"
    assert "lgpassword, lgtoken" in error["info"]


def test_a_password_in_body_and_address_is_refused_too(client: ApiClient) -> None:
    form = {"lgname": "Ada", "lgpassword": PASSWORD, "lgtoken": client.token("login")}
    error = refused(client, {"action": "login", "lgpassword": "x"}, form)
    assert error["code"] == "mustpostparams"


def test_every_posted_action_refuses_its_secrets_in_the_address(site: Site) -> None:
    refusing = set()
    for name, action in registries(site).actions.items():
        params = action.param_set(site)
        if not action.must_be_posted:
            continue
        for secret in params.sensitive:
            client = ApiClient(make_app(site))
            form = {action.prefix + p.name: "1" for p in params.params if p.required}
            form.pop(secret, None)
            if action.needs_token and secret != f"{action.prefix}token":
                form[f"{action.prefix}token"] = client.token(action.needs_token)
            error = refused(client, {"action": name, secret: SECRET}, form)
            if error["code"] in ("mustpostparams", "missingparam", "badvalue", "badinteger"):
                # Other errors of parameters come first, as in MediaWiki.
                refusing.add((name, error["code"]))
                continue
            raise AssertionError(f"{name} with {secret} in the address: {error}")
    assert {("login", "mustpostparams"), ("validatepassword", "mustpostparams")} <= refusing


@pytest.mark.parametrize(
    ("action", "kind", "fields", "secret"),
    [
        ("clientlogin", "login", {"username": "Ada", "loginreturnurl": "http://x/"}, "password"),
        ("createaccount", "createaccount", {"createreturnurl": "http://x/"}, "password"),
        ("createaccount", "createaccount", {"createreturnurl": "http://x/"}, "retype"),
        ("changeauthenticationdata", "csrf", {"changeauthrequest": PASSWORDS}, "password"),
        ("changeauthenticationdata", "csrf", {"changeauthrequest": PASSWORDS}, "retype"),
    ],
)
def test_fields_of_authentication_requests(
    site: Site, client: ApiClient, action: str, kind: str, fields: dict[str, str], secret: str
) -> None:
    if action == "changeauthenticationdata":
        log_in(client)
    form = {**fields, "password": PASSWORD, "retype": PASSWORD}
    del form[secret]
    form[f"{registries(site).actions[action].prefix}token"] = client.token(kind)
    error = refused(client, {"action": action, secret: PASSWORD}, form)
    assert error["code"] == "mustpostparams"
    assert secret in error["info"]


def test_a_password_to_be_checked(client: ApiClient) -> None:
    error = refused(client, {"action": "validatepassword", "password": "secret"}, {})
    assert error["code"] == "mustpostparams"
    assert client.post(action="validatepassword", password="secret")["validatepassword"]


# What is in a body stays there


class Broken(WikiApp):
    def perform(self, context: Any) -> None:
        raise RuntimeError("broken")


@pytest.mark.parametrize("is_broken", [False, True])
def test_secrets_of_a_body_are_neither_answered_nor_logged(
    site: Site, is_broken: bool, caplog: pytest.LogCaptureFixture
) -> None:
    app = make_app(site, Broken(site) if is_broken else None)
    client = ApiClient(app)
    sink, answers = io.StringIO(), {}
    handler = logging.StreamHandler(sink)
    logging.getLogger().addHandler(handler)
    caplog.set_level(logging.INFO, "wikiapi.access")
    queries = [{"action": name} for name in ("none", *registries(site).actions)]
    queries += [
        {"action": "query", group: name}
        for group in ("prop", "list", "meta", "generator")
        for name, module in registries(site).query_modules.items()
        if any(param.sensitive for param in module.params)
    ]
    secrets = {*registries(site).sensitive_params, "password", "retype", "token", "lgpassword"}
    try:
        for query in queries:
            for form in ("json", "xmlfm"):
                body = dict.fromkeys(sorted(secrets), SECRET)
                sent = urlencode({**query, "format": form})
                answers[sent] = client.raw("POST", sent, form=body)
        metrics = client.raw("GET", path="/metrics")
    finally:
        logging.getLogger().removeHandler(handler)
    assert len(answers) == 2 * len(queries)
    for sent, answer in answers.items():
        assert SECRET.encode() not in answer.body, sent
        assert SECRET not in str(answer.headers), sent
    assert SECRET.encode() not in metrics.body
    assert b"wikiapi_requests_total" in metrics.body
    assert "action" in sink.getvalue()
    assert SECRET not in sink.getvalue()
    assert SECRET not in caplog.text
