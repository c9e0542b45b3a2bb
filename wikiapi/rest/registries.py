"""The routes of one site, collected from its plugins."""

from __future__ import annotations

import re

from wikiapi.registry import Registry, collect
from wikiapi.rest.params import RestField, RestParam
from wikiapi.rest.routes import Route
from wikiapi.site import Site

_PARAMETER = re.compile(r"\{([^{}/]{1,100})\}")
_PATH = re.compile(r"(?:/(?:\{[^{}/]{1,100}\}|[^{}/?#]{1,100}))+")


def routes_of(site: Site) -> Registry[type[Route]]:
    """Return the routes of a site by their paths, in which parameters are ``{}``.

    Routes whose first parts are fixed come before those with parameters there, so that a request
    belongs to the most specific route.

    Raises:
        PluginError: two plugins register the same path, or a route is declared wrongly.
    """
    return site.derived(_collect)


def _collect(site: Site) -> Registry[type[Route]]:
    routes: Registry[type[Route]] = collect(
        site.plugins,
        "register_rest_routes",
        lambda route: (_PARAMETER.sub("{}", route.path),),
        subclasses_of=Route,
        check=_problem,
        site=site,
    )
    order = sorted(routes, key=lambda path: [part == "{}" for part in path.split("/")])
    places = {routes[path]: place for place, path in enumerate(order)}
    return routes.sorted_by(places.__getitem__)


def _problem(route: type[Route]) -> str:
    """Return what is wrong with a route, empty if nothing is."""
    path = getattr(route, "path", None)
    if not isinstance(path, str) or not _PATH.fullmatch(path):
        return f"path is {path!r}, which is not like '/v1/page/{{title}}'"
    if not route.methods():
        return "class has no method such as get"
    for declarations, kind in ((route.params, RestParam), (route.fields, RestField)):
        if not isinstance(declarations, tuple | list):
            return f"params or fields are {declarations!r}, which is not a tuple"
        names = [getattr(each, "name", None) for each in declarations]
        for name, declaration in zip(names, declarations, strict=True):
            if not isinstance(declaration, kind):
                return f"params or fields contain {declaration!r}, which is no {kind.__name__}"
            if names.count(name) > 1:
                return f"parameter {name!r} is declared twice"
            if problem := next(declaration.problems(), ""):
                return f"parameter {name!r} {problem}"
    declared = {param.name for param in route.params}
    for name in _PARAMETER.findall(path):
        if name not in declared:
            return f"path has {{{name}}}, which is not among its params"
    return ""
