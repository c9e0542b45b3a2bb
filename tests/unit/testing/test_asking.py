"""Requests that tests put to a site."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from wikiapi.errors import BudgetExceeded
from wikiapi.site import Site
from wikiapi.testing import ask

PARSE = {"action": "parse", "text": "{{lc:A}}" * 100, "contentmodel": "wikitext"}


def test_a_request_has_the_budget_that_is_configured(make_site: Callable[..., Site]) -> None:
    site = make_site(config={"limits": {"request_steps": 50}})
    with pytest.raises(BudgetExceeded):
        ask(site, PARSE)
    assert "parse" in ask(site, {**PARSE, "text": "{{lc:A}}"}).data
    assert "parse" in ask(make_site(), PARSE).data
