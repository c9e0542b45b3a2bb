"""The requests that the benchmark of modules sends: examples, with the largest limits."""

from __future__ import annotations

from collections.abc import Iterator

from wikiapi.api.module import Module
from wikiapi.testing.conformance.requests import examples_of, has_limit, with_limit

Params = dict[str, str]


def reads(module: type[Module]) -> bool:
    """Return whether the module reads and answers GET requests."""
    return not (module.is_write or module.must_be_posted or module.needs_token)


def requests_of(module: type[Module], titles: str) -> Iterator[Params]:
    """Yield the requests to a module that reads; none for one that writes or requires POST.

    ``titles`` are the pages for a property module, in addition to those of its examples.
    """
    if not reads(module):
        return
    for params in (*_plain(module, titles), *(params for _, params in examples_of([module]))):
        yield with_limit(module, params, "max") if has_limit(module) else params


def _plain(module: type[Module], titles: str) -> Iterator[Params]:
    """Yield a request to the module without any of its parameters."""
    if module.group == "prop":
        yield {"action": "query", "prop": module.name, "titles": titles}
    elif module.group == "action":
        yield {"action": module.name}
    else:
        yield {"action": "query", module.group: module.name}
