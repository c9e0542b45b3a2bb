"""What holds of every query module that is registered."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import parse_qsl

import pytest

import wikiapi_plugins.lists
import wikiapi_plugins.metas
import wikiapi_plugins.props
from wikiapi.testing import ask

if TYPE_CHECKING:
    from wikiapi.api.query.module import QueryModule
    from wikiapi.site import Site

MODULES = (
    *wikiapi_plugins.props.MODULES,
    *wikiapi_plugins.lists.MODULES,
    *wikiapi_plugins.metas.MODULES,
)
EXAMPLES = [
    pytest.param(example, id=f"{module.name}: {example}")
    for module in MODULES
    for example, _ in module.examples
]
REFUSED = {
    "list=deletedrevs": "permissiondenied",
    "list=watchlist": "notloggedin",
    "list=watchlistraw": "notloggedin",
    "prop=stashimageinfo": "notloggedin",
}
"""What visitors cannot ask, and the error that says so."""


def test_names_and_prefixes_are_unique() -> None:
    assert len({module.name for module in MODULES}) == len(MODULES)
    assert len({module.prefix for module in MODULES}) == len(MODULES)


def test_generator_prefixes_meet_no_other_prefix() -> None:
    generators = {f"g{module.prefix}" for module in MODULES if module.can_generate()}
    assert generators.isdisjoint({module.prefix for module in MODULES})


@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.name)
def test_everything_is_documented(module: type[QueryModule]) -> None:
    assert module.summary()
    assert module.examples
    assert module.help_urls
    assert all(param.help for param in module.params)
    names = [param.name for param in module.params]
    assert len(set(names)) == len(names)


@pytest.mark.parametrize("example", EXAMPLES)
def test_examples_answer(example: str, query_site: Site) -> None:
    answer = ask(query_site, dict(parse_qsl(example, keep_blank_values=True)))
    refused = (code for name, code in REFUSED.items() if name in example.split("&"))
    assert answer.codes == next(refused, "")
    assert answer.warned == []


@pytest.mark.parametrize("example", EXAMPLES)
def test_both_versions_tell_the_same(example: str, query_site: Site) -> None:
    answer = ask(query_site, dict(parse_qsl(example, keep_blank_values=True)))
    assert facts(answer.version1) == facts(answer.data)


def facts(node: object) -> set[str]:
    """The texts and numbers anywhere in an answer; names and yes or no are told otherwise."""
    if isinstance(node, dict):
        return {fact for value in node.values() for fact in facts(value)}
    if isinstance(node, list):
        return {fact for value in node for fact in facts(value)}
    return set() if isinstance(node, bool) or node in ("", None) else {str(node)}
