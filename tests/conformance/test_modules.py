"""Every registered module keeps what the conformance suite asks of it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.plugins.historywiki import history_wiki
from tests.plugins.linkwiki import link_wiki
from tests.plugins.querywiki import query_wiki
from wikiapi.site import Site
from wikiapi.testing import make_site
from wikiapi.testing.conformance import CHECKS, Check, modules_of
from wikiapi.testing.conformance.writes import blocks_are_enforced, writes_are_guarded

WIKIS = {"query": query_wiki, "links": link_wiki, "history": history_wiki}


@pytest.fixture(scope="module", params=WIKIS.values(), ids=WIKIS)
def site(request: pytest.FixtureRequest) -> Iterator[Site]:
    """Wikis with different content, so that each module finds something in one of them."""
    made: Site = request.param()
    yield made
    made.db.close()


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: str(check.__name__))
def test_modules(site: Site, check: Check) -> None:
    assert list(check(site, modules_of(site))) == []


OPEN_TO_ALL = {"login", "clientlogin", "createaccount"}
"""Actions that users without any right perform."""


def test_actions_that_write_are_guarded() -> None:
    site = make_site({"Main Page": "x", "Test": "y"}, config={"site": {"writable": True}})
    problems = [
        problem
        for check in (writes_are_guarded, blocks_are_enforced)
        for problem in check(site, modules_of(site))
        if problem.partition(":")[0] not in OPEN_TO_ALL
    ]
    assert problems == []
    site.db.close()
