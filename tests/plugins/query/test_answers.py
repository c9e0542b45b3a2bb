"""What queries answer, and what they refuse."""

from __future__ import annotations

from typing import Any
from urllib.parse import parse_qsl

import pytest

from tests.cases import cases
from wikiapi.site import Site
from wikiapi.testing import ask


@pytest.mark.parametrize("case", cases("query/answers.json"))
def test_pages(case: dict[str, Any], query_site: Site) -> None:
    check_answer(case, query_site)


@pytest.mark.parametrize("case", cases("query/lists.json"))
def test_lists(case: dict[str, Any], link_site: Site) -> None:
    check_answer(case, link_site)


@pytest.mark.parametrize("case", cases("query/errors.json"))
def test_errors_of_pages(case: dict[str, Any], query_site: Site) -> None:
    check_error(case, query_site)


@pytest.mark.parametrize("case", cases("query/list_errors.json"))
def test_errors_of_lists(case: dict[str, Any], link_site: Site) -> None:
    check_error(case, link_site)


def params(query: str) -> dict[str, str]:
    return {"action": "query", **dict(parse_qsl(query, keep_blank_values=True))}


def check_answer(case: dict[str, Any], site: Site) -> None:
    answer = ask(site, params(case["query"]))
    assert answer.codes == ""
    assert answer.data["query"] == case["answer"]
    assert answer.data.get("continue") == case.get("continue")
    assert answer.warned == case.get("warned", [])


def check_error(case: dict[str, Any], site: Site) -> None:
    answer = ask(site, params(case["query"]))
    assert answer.codes == case["code"]
    assert answer.context.result.root["error"]["info"]
    assert "\u29fc" not in answer.context.result.root["error"]["info"]
