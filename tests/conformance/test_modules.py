"""Every registered module keeps what the conformance suite asks of it."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl

import pytest

from tests.plugins import historywiki, linkwiki, querywiki
from wikiapi.site import Site
from wikiapi.testing import ask
from wikiapi.testing.conformance import CHECKS, Check, modules_of, query_modules_with
from wikiapi.testing.conformance.answers import are_documented, have_unique_names
from wikiapi.testing.conformance.queries import queries_do_not_grow
from wikiapi.testing.conformance.walks import generators_agree
from wikiapi.testing.conformance.writes import blocks_are_enforced, writes_are_guarded

WIKIS: dict[str, Callable[[], Site]] = {
    "query": querywiki.query_wiki,
    "links": linkwiki.link_wiki,
    "history": historywiki.history_wiki,
}
"""Wikis with different content, so that each module finds something in one of them."""
REQUESTS: dict[str, dict[str, int | None]] = json.loads(
    Path(__file__).with_name("requests.json").read_text(encoding="utf-8")
)
"""Requests to each wiki, with the number of their database queries or null."""
COUNTED = [
    pytest.param(wiki, request, number, id=f"{wiki}: {request}")
    for wiki, requests in REQUESTS.items()
    for request, number in requests.items()
    if number is not None
]
SECRETS = (
    historywiki.SECRET, historywiki.HIDDEN_USER, linkwiki.SECRET, linkwiki.HIDDEN_USER,
    querywiki.SECRET, "Secret user",
)  # fmt: skip
OF_REQUESTS = [check for check in CHECKS if check not in (are_documented, have_unique_names)]
NOT_CHECKED: dict[Check, tuple[str, ...]] = {
    # Links by way of redirects are listed within the redirects, and generated besides them.
    generators_agree: ("blredirect",),
    # They take a second query, and members one for each of their three types.
    queries_do_not_grow: ("blredirect", "list=categorymembers"),
}


@pytest.fixture(scope="module")
def wiki_of(make_module_site: Callable[..., Site]) -> Callable[[str], Site]:
    return cache(lambda name: WIKIS[name]())


@pytest.mark.parametrize("wiki", WIKIS)
@pytest.mark.parametrize("check", CHECKS, ids=lambda check: str(check.__name__))
def test_examples(wiki_of: Callable[[str], Site], wiki: str, check: Check) -> None:
    assert list(check(wiki_of(wiki), modules_of(wiki_of(wiki)))) == []


@pytest.mark.parametrize("wiki", WIKIS)
@pytest.mark.parametrize("check", OF_REQUESTS, ids=lambda check: str(check.__name__))
def test_requests(wiki_of: Callable[[str], Site], wiki: str, check: Check) -> None:
    site = wiki_of(wiki)
    excepted = NOT_CHECKED.get(check, ())
    requests = [r for r in REQUESTS[wiki] if not any(part in r for part in excepted)]
    assert list(check(site, query_modules_with(site, requests))) == []


def answered(site: Site, request: str) -> Any:
    params = dict(parse_qsl(request, keep_blank_values=True))
    answer = ask(site, {"action": "query", **params})
    assert not answer.codes
    return answer


@pytest.mark.parametrize(("wiki", "request_", "number"), COUNTED)
def test_number_of_queries(
    wiki_of: Callable[[str], Site], wiki: str, request_: str, number: int
) -> None:
    site = wiki_of(wiki)
    site.messages.names()  # Read once, so that the order of the cases does not matter.
    assert not site.is_miser, "this is found out once for each wiki"
    with site.db.recording() as log:
        answered(site, request_)
    assert len(log) == number, "\n".join(record.sql for record in log)


@pytest.mark.parametrize("wiki", WIKIS)
def test_requests_find_something_but_no_secrets(wiki_of: Callable[[str], Site], wiki: str) -> None:
    for request in REQUESTS[wiki]:
        answer = answered(wiki_of(wiki), request)
        assert len(str(answer.data["query"])) > 50, request
        text = json.dumps([answer.data, answer.version1], ensure_ascii=False)
        assert not [secret for secret in SECRETS if secret in text], request


OPEN_TO_ALL = {"login", "clientlogin", "createaccount", "purge", "clearhasmsg", "imagerotate"}
"""Actions that need no right, and ``imagerotate``, which tells the reason with each page."""


def test_actions_that_write_are_guarded(make_site: Callable[..., Site]) -> None:
    site = make_site({"Main Page": "x", "Test": "y"}, config={"site": {"writable": True}})
    problems = [
        problem
        for check in (writes_are_guarded, blocks_are_enforced)
        for problem in check(site, modules_of(site))
        if problem.partition(":")[0] not in OPEN_TO_ALL
    ]
    assert problems == []
