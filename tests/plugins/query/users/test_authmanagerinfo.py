from __future__ import annotations

from typing import Any

import pytest

from wikiapi.site import Site
from wikiapi.testing import ask

NOTHING = {"canauthenticatenow": False, "cancreateaccounts": False, "canlinkaccounts": False}
STATE = {"haspreservedstate": False, "hasprimarypreservedstate": False, "preservedusername": ""}


@pytest.mark.parametrize(
    ("params", "more"),
    [
        ({}, {}),
        ({"amisecuritysensitiveoperation": "x"}, {"securitysensitiveoperationstatus": "fail"}),
        ({"amirequestsfor": "login"}, {**STATE, "requests": []}),
        (
            {"amirequestsfor": "create", "amimergerequestfields": "1"},
            {**STATE, "requests": [], "fields": {}},
        ),
    ],
)
def test_answer(query_site: Site, params: dict[str, str], more: dict[str, Any]) -> None:
    answer = ask(query_site, {"action": "query", "meta": "authmanagerinfo", **params})
    assert answer.data["query"]["authmanagerinfo"] == {**NOTHING, **more}
