"""Routes are collected from plugins, and those declared wrongly are named at the start."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from wikiapi.errors import PluginError
from wikiapi.hookspecs import hookimpl
from wikiapi.http import InProcess, make_app
from wikiapi.rest import RestCall, RestField, RestParam, RestReply, Route, routes_of
from wikiapi.site import Site

NAME = RestParam("name", is_required=True)


class Cup(Route):
    """A cup."""

    path = "/tea/v0/cup/{name}"
    params = (NAME,)

    def get(self, call: RestCall) -> RestReply:
        return RestReply({"cup": call.text("name")})


class LargestCup(Route):
    """The largest cup."""

    path = "/tea/v0/cup/largest"

    def get(self, call: RestCall) -> RestReply:
        return RestReply({"cup": "bowl"})


class Plugin:
    def __init__(self, *routes: Any) -> None:
        self.routes = routes

    @hookimpl
    def register_rest_routes(self) -> list[Any]:
        return list(self.routes)


def test_the_most_specific_route_answers(make_site: Callable[..., Site]) -> None:
    site = make_site({}, plugins=[Plugin(Cup, LargestCup)])
    send = InProcess(make_app(site), "192.0.2.1").send
    assert send("GET", "/w/rest.php/tea/v0/cup/large").body == b'{"cup":"large"}'
    assert send("GET", "/w/rest.php/tea/v0/cup/largest").body == b'{"cup":"bowl"}'
    assert "/tea/v0/cup/{}" in routes_of(site)


def changed(**attributes: Any) -> type[Route]:
    return type("Changed", (Cup,), attributes)


MISTAKES = {
    "no path": (type("Nowhere", (Route,), {}), "path is None, which is not like"),
    "relative path": (changed(path="tea"), "path is 'tea', which is not like"),
    "no method": (
        type("Mute", (Route,), {"path": "/tea/v0/mute"}),
        "class has no method such as get",
    ),
    "parameter of the path": (
        changed(path="/tea/v0/{kind}"),
        "path has {kind}, which is not among its params",
    ),
    "one parameter in place of several": (changed(params=NAME), "which is not a tuple"),
    "no parameter": (changed(params=("name",)), "which is no RestParam"),
    "twice": (changed(params=(NAME, NAME)), "'name' is declared twice"),
    "default": (
        changed(params=(NAME, RestParam("size", values=("s", "l"), default="m"))),
        "'size' has the default 'm', which is not among its values",
    ),
    "values": (
        changed(params=(NAME, RestParam("size", values="small"))),
        "'size' has the values 'small', which are not a tuple of texts",
    ),
    "number": (
        changed(params=(NAME, RestParam("size", is_integer=True, default="1"))),
        "'size' is an integer and has the default '1'",
    ),
    "bounds": (
        changed(params=(NAME, RestParam("size", bounds=(1, 2)))),
        "'size' has bounds and is no integer",
    ),
    "required": (
        changed(params=(RestParam("name", is_required=True, default="a"),)),
        "'name' is required and has a default",
    ),
    "field": (
        changed(fields=(RestField("size", "number"),)),
        "'size' has the type 'number', which is none of string, object, boolean",
    ),
    "twice the same path": (
        type("Other", (Cup,), {"path": "/tea/v0/cup/{size}", "params": (RestParam("size"),)}),
        "'/tea/v0/cup/{}' is registered by",
    ),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_mistakes_are_named(make_site: Callable[..., Site], mistake: str) -> None:
    route, problem = MISTAKES[mistake]
    site = make_site({}, plugins=[Plugin(Cup), Plugin(route)])
    with pytest.raises(PluginError) as raised:
        make_app(site)
    assert problem in str(raised.value)
