"""What the lists of links, categories, properties and users answer, and what they refuse."""

from __future__ import annotations

from typing import Any
from urllib.parse import parse_qsl

import pytest

from tests.cases import cases
from wikiapi.site import Site
from wikiapi.testing import ask


def params(query: str) -> dict[str, str]:
    return {"action": "query", **dict(parse_qsl(query, keep_blank_values=True))}


@pytest.mark.parametrize("case", cases("query/lists.json"))
def test_answer(case: dict[str, Any], link_site: Site) -> None:
    answer = ask(link_site, params(case["query"]))
    assert answer.codes == ""
    assert answer.data["query"] == case["answer"]
    assert answer.data.get("continue") == case.get("continue")
    assert answer.warned == case.get("warned", [])


@pytest.mark.parametrize("case", cases("query/list_errors.json"))
def test_error(case: dict[str, Any], link_site: Site) -> None:
    answer = ask(link_site, params(case["query"]))
    assert answer.codes == case["code"]
    assert answer.context.result.root["error"]["info"]
    assert "\u29fc" not in answer.context.result.root["error"]["info"]
