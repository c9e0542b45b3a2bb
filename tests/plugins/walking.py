"""Queries that go on to their end, and what is found on the way."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from wikiapi.api import dispatch
from wikiapi.api.request import ApiRequest
from wikiapi.api.result import to_version2
from wikiapi.site import Site
from wikiapi.testing import ask, make_context

MAX_STEPS = 100


def walk(site: Site, params: dict[str, str]) -> list[dict[str, Any]]:
    """Return the answers to a query and to all that continue it."""

    def answered(query: dict[str, str]) -> Any:
        answer = ask(site, query)
        assert not answer.codes
        return answer.data

    return _walked(params, answered)


def walk_within(site: Site, params: dict[str, str], size: int) -> list[dict[str, Any]]:
    """Return the same with a limit of bytes for each answer."""
    return _walked(params, lambda query: limited(site, query, size))


def limited(site: Site, params: dict[str, str], size: int) -> Any:
    """Return the answer to a query with a limit of bytes."""
    context = make_context(site, ApiRequest(params={"action": "query", **params}))
    context.result.limit = size
    dispatch.perform(context)
    return to_version2(context.result.root)


def of_pages(answers: list[dict[str, Any]], module: str) -> dict[str, list[Any]]:
    """Return the results of a property module, by title."""
    found: dict[str, list[Any]] = {}
    for answer in answers:
        for page in answer["query"]["pages"]:
            found.setdefault(page["title"], []).extend(page.get(module, ()))
    return found


def _walked(
    params: dict[str, str], answered: Callable[[dict[str, str]], Any]
) -> list[dict[str, Any]]:
    answers, position = [], dict[str, str]()
    for _ in range(MAX_STEPS):
        answers.append(answered({"action": "query", **params, **position}))
        if "continue" not in answers[-1]:
            return answers
        position = {name: str(value) for name, value in answers[-1]["continue"].items()}
    raise AssertionError(f"the walk does not end: {position}")
