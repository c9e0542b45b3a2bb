"""Why users may not change pages: all reasons, in the order of MediaWiki."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.plugins.editing.pageactions.actors import Actors
from wikiapi.api import tokens
from wikiapi.api.request import ApiRequest
from wikiapi.testing import DeclaredUser, ask

FILE = Path(__file__).parents[3] / "fixtures" / "editing" / "refusals.json"
REFUSALS = json.loads(FILE.read_text("utf-8"))
PAGES = dict.fromkeys(REFUSALS["pages"], "text")


@pytest.fixture(scope="module")
def wikis() -> dict[str, Actors]:
    """Return wikis with protected pages, in which users are blocked in various ways.

    Ada is a user without more rights, Ruth an administrator.
    """
    wikis = {}
    for name, block in REFUSALS["blocks"].items():
        wikis[name] = wiki = Actors(PAGES, users=[DeclaredUser("Ruth", ("sysop",))])
        for protection in REFUSALS["protections"]:
            assert wiki.act("Admin", "protect", **protection).codes == ""
        for user in ("Ada", "Ruth") if block else ():
            assert wiki.act("Admin", "block", user=user, **block).codes == ""
    return wikis


@pytest.mark.parametrize(("block", "user", "request_", "codes"), REFUSALS["cases"])
def test_all_reasons_are_listed(
    wikis: dict[str, Actors], block: str, user: str, request_: dict[str, Any], codes: list[str]
) -> None:
    wiki = wikis[block]
    params = {**request_, "token": tokens.SUFFIX, "errorformat": "plaintext"}
    answer = ask(
        wiki.site, params, user=wiki.users.get(user), request=ApiRequest("POST", params=params)
    )
    assert [error["code"] for error in answer.data["errors"]] == codes
