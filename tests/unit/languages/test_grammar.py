from __future__ import annotations

import pytest

from tests.cases import cases
from wikiapi.languages.grammar import decline


@pytest.mark.parametrize("case", cases("language_facts/grammar.json"))
def test_decline(case: dict[str, str]) -> None:
    assert decline(case["word"], case["case"], case["language"]) == case["declined"]
