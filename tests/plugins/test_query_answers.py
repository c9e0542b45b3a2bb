from __future__ import annotations

from typing import Any

import pytest

from tests.cases import cases
from wikiapi.site import Site
from wikiapi.testing import ask


@pytest.mark.parametrize("case", cases("query/answers.json"))
def test_answer(case: dict[str, Any], query_site: Site) -> None:
    answer = ask(query_site, {"action": "query", **case["params"]})
    assert answer.data["query"]["pages"] == case["pages"]
    assert answer.warned == case.get("warned", [])
    assert answer.data.get("continue") == case.get("continue")


@pytest.mark.parametrize("case", cases("query/errors.json"))
def test_error(case: dict[str, Any], query_site: Site) -> None:
    answer = ask(query_site, {"action": "query", **case["params"]})
    assert answer.codes == case["code"]
