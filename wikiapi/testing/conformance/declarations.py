"""Checks of what modules declare."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from wikiapi.api.query.module import GENERATOR_PREFIX, QueryModule

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from wikiapi.api.module import Module
    from wikiapi.site import Site


def have_unique_names(site: Site, modules: Iterable[type[Module]]) -> Iterator[str]:
    """No two query modules share a prefix, and none is another's with a ``g`` in front."""
    mine = {module.name for module in modules}
    everybody = [module for module in site.api.query_modules.values() if module.prefix]
    prefixes = Counter(module.prefix for module in everybody)
    for module in everybody:
        if module.name not in mine:
            continue
        if prefixes[module.prefix] > 1:
            yield f"{module.name}: the prefix {module.prefix!r} is another module's as well"
        if module.can_generate() and GENERATOR_PREFIX + module.prefix in prefixes:
            yield f"{module.name}: as a generator its prefix is another module's"


def are_documented(site: Site, modules: Iterable[type[Module]]) -> Iterator[str]:
    """Every module and parameter says what it is for; modules show examples."""
    for module in modules:
        if not module.summary():
            yield f"{module.name}: no docstring"
        if issubclass(module, QueryModule) and not module.examples:
            yield f"{module.name}: no example"
        params = site.api.param_set(module, module.prefix).params
        for param in params:
            if not param.help:
                yield f"{module.name}: nothing is said of the parameter {param.name}"
        names = Counter(param.name for param in params)
        for name in (name for name, count in names.items() if count > 1):
            yield f"{module.name}: the parameter {name} is declared twice"
