"""The checks of routes find the mistakes that they are for."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count

import pytest

from wikiapi.hookspecs import hookimpl
from wikiapi.rest import RestCall, RestError, RestParam, RestReply, Route
from wikiapi.site import Site
from wikiapi.testing.conformance import ROUTE_CHECKS, rest_routes_of

SIZE = RestParam("size", is_integer=True, bounds=(1, 9), help="The size.")
NUMBERS = count()


class Cup(Route):
    """A cup."""

    path = "/tea/v0/cup/{size}"
    params = (SIZE,)
    examples = ("/tea/v0/cup/3",)

    def get(self, call: RestCall) -> RestReply:
        """Return the cup."""
        return RestReply({"size": call.values["size"]})


class Undocumented(Cup):
    params = (RestParam("size", is_integer=True),)
    examples = ()

    def get(self, call: RestCall) -> RestReply:
        return RestReply()


class Broken(Cup):
    """A cup that is not there."""

    def get(self, call: RestCall) -> RestReply:
        """Refuse."""
        raise RestError(404, "rest-nonexistent-title", "cup")


class Counting(Cup):
    """A cup that is never the same."""

    def get(self, call: RestCall) -> RestReply:
        """Return a number."""
        return RestReply({"number": next(NUMBERS)})


PROBLEMS = {
    Cup: [],
    Undocumented: [
        "/tea/v0/cup/{size}: the class has no docstring",
        "/tea/v0/cup/{size}: get has no docstring",
        "/tea/v0/cup/{size}: size has no help",
        "/tea/v0/cup/{size}: there is no example",
    ],
    Broken: ["/tea/v0/cup/{size}: {'size': '3'} fails with 404"],
    Counting: ["/tea/v0/cup/{size}: {'size': '3'} does not know its own entity tag"],
}


@pytest.mark.parametrize("route", PROBLEMS, ids=lambda route: str(route.__name__))
def test_problems(make_site: Callable[..., Site], route: type[Route]) -> None:
    class Plugin:
        @hookimpl
        def register_rest_routes(self) -> list[type[Route]]:
            return [route]

    site = make_site({}, plugins=[Plugin()])
    routes = [each for each in rest_routes_of(site) if each is route]
    assert [text for check in ROUTE_CHECKS for text in check(site, routes)] == PROBLEMS[route]


def test_an_example_of_another_route_is_named(make_site: Callable[..., Site]) -> None:
    route = type("Elsewhere", (Cup,), {"examples": ("/tea/v0/pot",), "__doc__": "A cup."})
    with pytest.raises(ValueError, match="/tea/v0/pot' is not a request to"):
        list(ROUTE_CHECKS[1](make_site({}), [route]))
