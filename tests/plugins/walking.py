"""Queries that go on to their end, and what is found on the way."""

from __future__ import annotations

from typing import Any

from wikiapi.api import dispatch
from wikiapi.api.request import ApiRequest
from wikiapi.api.result import to_version2
from wikiapi.site import Site
from wikiapi.testing import ask, make_context

MAX_STEPS = 100


def walk(site: Site, params: dict[str, str]) -> list[dict[str, Any]]:
    """Return the answers to a query and to all that continue it."""
    answers, position = [], dict[str, str]()
    for _ in range(MAX_STEPS):
        answer = ask(site, {"action": "query", **params, **position})
        assert not answer.codes
        answers.append(answer.data)
        if "continue" not in answers[-1]:
            return answers
        position = {name: str(value) for name, value in answers[-1]["continue"].items()}
    raise AssertionError(f"the walk does not end: {position}")


def limited(site: Site, params: dict[str, str], size: int) -> Any:
    """Return the answer to a query, of at most so many bytes."""
    context = make_context(site, ApiRequest(params={"action": "query", **params}))
    context.result.limit = size
    dispatch.perform(context)
    return to_version2(context.result.root)


def of_pages(answers: list[dict[str, Any]], module: str) -> dict[str, list[Any]]:
    """Return the results of a property module, by title."""
    by_title: dict[str, list[Any]] = {}
    for answer in answers:
        for page in answer["query"]["pages"]:
            by_title.setdefault(page["title"], []).extend(page.get(module, ()))
    return by_title
