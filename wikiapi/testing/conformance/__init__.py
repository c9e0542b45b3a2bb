"""The conformance suite: rules that every module must follow, bundled or of third parties.

The tests of a plugin open a site with the plugin and some pages, and run the suite on its modules::

    @pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
    def test_conformance(check):
        assert list(check(site, modules_of(site, plugin="my_plugin"))) == []

A check yields a line for each violation. It sends the requests in the examples of the modules, so
each module should have an example that finds something in the site. ``ROUTE_CHECKS`` are the checks
of routes of the REST API, which take what ``rest_routes_of`` returns.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from urllib.parse import parse_qsl

from wikiapi.api.module import Module
from wikiapi.api.registries import registries
from wikiapi.rest import Route, routes_of
from wikiapi.site import Site
from wikiapi.testing.conformance.answers import (
    are_documented,
    examples_answer,
    have_unique_names,
    versions_agree,
)
from wikiapi.testing.conformance.queries import queries_do_not_grow, queries_use_an_index
from wikiapi.testing.conformance.routes import (
    route_examples_answer,
    route_methods_are_checked,
    route_parameters_are_checked,
    routes_are_documented,
)
from wikiapi.testing.conformance.walks import (
    generators_agree,
    hostile_positions_are_harmless,
    malformed_positions_are_refused,
    small_answers_are_continued,
    walks_are_complete,
)
from wikiapi.testing.conformance.writes import (
    blocks_are_enforced,
    writes_are_guarded,
    writes_are_recorded,
)

Check = Callable[[Site, Iterable[type[Module]]], Iterator[str]]

CHECKS: tuple[Check, ...] = (
    have_unique_names,
    are_documented,
    examples_answer,
    versions_agree,
    walks_are_complete,
    small_answers_are_continued,
    generators_agree,
    hostile_positions_are_harmless,
    malformed_positions_are_refused,
    queries_do_not_grow,
    queries_use_an_index,
    writes_are_guarded,
    blocks_are_enforced,
    writes_are_recorded,
)

RouteCheck = Callable[[Site, Iterable[type[Route]]], Iterator[str]]

ROUTE_CHECKS: tuple[RouteCheck, ...] = (
    routes_are_documented,
    route_examples_answer,
    route_parameters_are_checked,
    route_methods_are_checked,
)


def modules_of(site: Site, plugin: str | None = None) -> list[type[Module]]:
    """Return the actions and query modules of a site, of all plugins or only of ``plugin``."""
    return [
        module
        for registry in (registries(site).actions, registries(site).query_modules)
        for name, module in registry.items()
        if plugin is None or registry.owner(name) == plugin
    ]


def rest_routes_of(site: Site, plugin: str | None = None) -> list[type[Route]]:
    """Return the routes of the REST API of a site, of all plugins or only of ``plugin``."""
    routes = routes_of(site)
    return [route for name, route in routes.items() if plugin in (None, routes.owner(name))]


def query_modules_with(site: Site, requests: Iterable[str]) -> list[type[Module]]:
    """Return the query modules that requests are of, with these requests as their examples.

    So the checks send more requests than the help shows. A request has the parameters of
    ``action=query``, such as ``list=allpages&apdir=descending``.
    """
    by_name = registries(site).query_modules
    modules = []
    for request in requests:
        params = dict(parse_qsl(request, keep_blank_values=True))
        names = next((params[key] for key in ("generator", "list", "prop") if key in params), "")
        module = by_name[names.partition("|")[0] or "info"]
        examples = ((f"action=query&{request}", "A request"),)
        modules.append(type(module.__name__, (module,), {"examples": examples}))
    return modules


__all__ = [
    "CHECKS",
    "ROUTE_CHECKS",
    "modules_of",
    "query_modules_with",
    "rest_routes_of",
]
