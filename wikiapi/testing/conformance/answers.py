"""Checks of the answers to the examples of modules, and of their documentation."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from wikiapi.api.module import Module
from wikiapi.api.query.module import GENERATOR_PREFIX, QueryModule
from wikiapi.api.registries import registries
from wikiapi.site import Site
from wikiapi.testing.asking import ask
from wikiapi.testing.conformance.requests import examples_of

API = "wikiapi.api."
REFUSALS = frozenset(
    {
        "codexicons-unavailable",
        "missingtitle",
        "nosuchpageid",
        "nosuchrevid",
        "notloggedin",
        "permissiondenied",
        "stashnotloggedin",
    }
)
"""Errors that are allowed, since they depend on the site's content or on missing rights."""


def examples_answer(site: Site, modules: Iterable[type[Module]]) -> Iterator[str]:
    """Check that examples succeed without warnings, unless they need POST or a login."""
    for module, params in examples_of(modules):
        if module.must_be_posted or module.is_write:
            continue
        answer = ask(site, params)
        if answer.codes and answer.codes not in REFUSALS:
            yield f"{module.name}: {params} fails with {answer.codes}"
        for key in filter(_is_of_parameters, answer.warned):
            yield f"{module.name}: {params} warns with {key}"


def _is_of_parameters(key: str) -> bool:
    """Return whether a warning is about the request rather than the pages."""
    return key.startswith(("apierror-", "paramvalidator-"))


def versions_agree(site: Site, modules: Iterable[type[Module]]) -> Iterator[str]:
    """Check that both versions of the JSON format contain the same values."""
    for module, params in examples_of(modules):
        answer = ask(site, params)
        if facts(answer.version1) != facts(answer.data):
            differing = facts(answer.version1) ^ facts(answer.data)
            yield f"{module.name}: {params} differs between versions in {sorted(differing)}"


def facts(node: object) -> set[str]:
    """Return all texts and numbers in an answer, without keys and booleans."""
    if isinstance(node, dict):
        return {fact for value in node.values() for fact in facts(value)}
    if isinstance(node, list):
        return {fact for value in node for fact in facts(value)}
    return set() if isinstance(node, bool) or node in ("", None) else {str(node)}


def have_unique_names(site: Site, modules: Iterable[type[Module]]) -> Iterator[str]:
    """Check that prefixes of query modules are unique, also after adding ``g`` for generators."""
    mine = {module.name for module in modules}
    everybody = [module for module in registries(site).query_modules.values() if module.prefix]
    prefixes = Counter(module.prefix for module in everybody)
    for module in everybody:
        if module.name not in mine:
            continue
        if prefixes[module.prefix] > 1:
            yield f"{module.name}: the prefix {module.prefix!r} is another module's as well"
        if module.can_generate() and GENERATOR_PREFIX + module.prefix in prefixes:
            yield f"{module.name}: as a generator its prefix is another module's"


def _summaries_of_bases(module: type[Module]) -> set[str]:
    """Return the summaries of wikiapi's base classes, which a class without docstring inherits."""
    bases = (base for base in module.__mro__[1:] if base.__module__.startswith(API))
    return {base.summary() for base in bases if issubclass(base, Module)}


def are_documented(site: Site, modules: Iterable[type[Module]]) -> Iterator[str]:
    """Check that every module and parameter is documented, and every query module has examples."""
    for module in modules:
        if not module.summary() or module.summary() in _summaries_of_bases(module):
            yield f"{module.name}: no docstring"
        if issubclass(module, QueryModule) and not module.examples:
            yield f"{module.name}: no example"
        params = module.param_set(site).params
        for param in params:
            if not param.help:
                yield f"{module.name}: the parameter {param.name} has no help text"
        names = Counter(param.name for param in params)
        for name in (name for name, count in names.items() if count > 1):
            yield f"{module.name}: the parameter {name} is declared twice"
