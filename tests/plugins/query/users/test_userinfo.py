from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from wikiapi.accounts.user import User
from wikiapi.api.request import ApiRequest
from wikiapi.site import Site
from wikiapi.testing import Edit, ask

ADA = User("Ada", frozenset({"read", "noratelimit"}), id=1, groups=("*", "user", "sysop"))


pytestmark = pytest.mark.wiki(
    {"Page": Edit("x", user="Ada", timestamp="20250203040506")},
    users=["Ada"],
    writable=False,
)


def info(site: Site, prop: str, *, user: User | None = None, accept: str = "") -> Any:
    params = {"action": "query", "meta": "userinfo", "uiprop": prop}
    request = ApiRequest(params=params, headers={"accept-language": accept})
    answer = ask(site, params, user=user, request=request)
    assert not answer.codes
    return answer.data["query"]["userinfo"]


def test_visitor(site: Site) -> None:
    userinfo = info(site, "*")
    assert userinfo | {"id": 0, "name": "127.0.0.1", "anon": True, "groups": ["*"]} == userinfo
    assert userinfo["rights"] == list(site.config.permissions.anonymous_rights)
    assert userinfo["cancreateaccount"] is True
    assert userinfo["messages"] is False
    assert userinfo["changeablegroups"]["add"] == []
    assert "latestcontrib" not in userinfo
    assert "blockinfo" not in userinfo


def test_account(site: Site) -> None:
    userinfo = info(site, "*", user=ADA)
    assert "anon" not in userinfo
    assert userinfo["latestcontrib"] == "2025-02-03T04:05:06Z"
    assert userinfo["implicitgroups"] == ["*", "user"]
    assert userinfo["rights"] == ["noratelimit", "read"]
    assert userinfo["ratelimits"] == {}
    assert userinfo["theoreticalratelimits"]["edit"]["user"] == {"hits": 90, "seconds": 60}
    assert "email" not in userinfo


def test_only_the_identity_by_default(site: Site) -> None:
    assert info(site, "") == {"id": 0, "name": "127.0.0.1", "anon": True}


@pytest.mark.parametrize(
    ("header", "languages"),
    [
        ("", []),
        ("de", [{"q": 1, "code": "de"}]),
        (
            "en;q=0.5, de-CH, fr;q=0",
            [{"q": 1, "code": "de-ch"}, {"q": 0.5, "code": "en"}],
        ),
        ("<script>, en;q=9, *;q=0.1", [{"q": 0.1, "code": "*"}]),
        ("a" * 10_000, []),
    ],
)
def test_accepted_languages(header: str, languages: list[dict[str, Any]], site: Site) -> None:
    assert info(site, "acceptlang", accept=header)["acceptlang"] == languages


def test_answers_are_private(site: Site) -> None:
    answer = ask(site, {"action": "query", "meta": "userinfo", "smaxage": "600"})
    assert answer.context.cache.mode == 0


@pytest.mark.parametrize(
    ("params", "code"),
    [
        ({}, "sr"),
        ({"uselang": "sr-el"}, "sr-el"),
        ({"variant": "sr-ec", "uselang": "sr-el"}, "sr-ec"),
        ({"uselang": "de"}, "sr"),
    ],
)
def test_visitors_choose_a_variant_by_address(
    make_site: Callable[..., Site], params: dict[str, str], code: str
) -> None:
    serbian = make_site({}, language="sr", users=["Ada"])
    query = {"action": "query", "meta": "userinfo", "uiprop": "options", **params}
    options = ask(serbian, query).data["query"]["userinfo"]["options"]
    assert (options["language"], options["variant"]) == (code, code)
    own = ask(serbian, query, user=ADA).data["query"]["userinfo"]["options"]
    assert own["variant"] == "sr"
