"""Checks of routes of the REST API, with their examples."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from http import HTTPStatus
from typing import Any, NamedTuple
from urllib.parse import parse_qsl, quote, unquote, urlencode

from wikiapi.http import InProcess, make_app
from wikiapi.http.wsgiclient import Received
from wikiapi.rest import SCRIPT, RestField, RestParam, Route
from wikiapi.site import Site
from wikiapi.testing.client import ELSEWHERE

_METHODS = ("GET", "POST", "PUT", "DELETE")
_ABSENT = "no such value"


class _Example(NamedTuple):
    """A request in the examples of a route."""

    route: type[Route]
    params: Mapping[str, str]
    """The parameters in the path and in the query string."""

    def path(self, changes: Mapping[str, str | None]) -> tuple[str, str]:
        """Return the path below the API, and the query string, with changed parameters."""
        params = {**self.params, **changes}
        path = self.route.path
        for name, text in params.items():
            path = path.replace(f"{{{name}}}", quote(text or "", safe=""))
        query = {
            name: text
            for name, text in params.items()
            if text is not None and f"{{{name}}}" not in self.route.path
        }
        return path, urlencode(query)


def routes_are_documented(site: Site, routes: Iterable[type[Route]]) -> Iterator[str]:
    """Check that routes, their methods, parameters and fields are described, and have examples."""
    for route in routes:
        if not route.__doc__:
            yield f"{route.path}: the class has no docstring"
        for name in ("get", "post", "put", "delete"):
            if hasattr(route, name) and not getattr(route, name).__doc__:
                yield f"{route.path}: {name} has no docstring"
        declarations: list[RestParam | RestField] = [*route.params, *route.fields]
        for declaration in declarations:
            if not declaration.help:
                yield f"{route.path}: {declaration.name} has no help"
        if hasattr(route, "get") and not route.examples:
            yield f"{route.path}: there is no example"


def route_examples_answer(site: Site, routes: Iterable[type[Route]]) -> Iterator[str]:
    """Check that examples succeed, that ``HEAD`` agrees, and that an entity tag revalidates."""
    send = _Client(site).send
    for example in _examples(routes):
        name = f"{example.route.path}: {dict(example.params)}"
        reply, again = send("GET", example), send("HEAD", example)
        if reply.status >= HTTPStatus.BAD_REQUEST:
            yield f"{name} fails with {reply.status}"
        if reply.headers.get("content-type") == "application/json" and _data(reply) is None:
            yield f"{name} is not JSON"
        if again.status != reply.status or again.body:
            yield f"{name} has another answer to HEAD"
        etag = reply.headers.get("etag")
        if etag and send("GET", example, headers={"If-None-Match": etag}).status != 304:
            yield f"{name} does not know its own entity tag"


def route_parameters_are_checked(site: Site, routes: Iterable[type[Route]]) -> Iterator[str]:
    """Check that values that a declaration excludes are refused in the form of the API."""
    send = _Client(site).send
    for example in _examples(routes):
        for param in example.route.params:
            for value in _excluded(example, param):
                reply = send("GET", example, {param.name: value})
                if reply.status != HTTPStatus.BAD_REQUEST or "errorKey" not in (_data(reply) or {}):
                    yield f"{example.route.path}: {param.name}={value!r} is not refused"


def route_methods_are_checked(site: Site, routes: Iterable[type[Route]]) -> Iterator[str]:
    """Check that other methods are refused, and that ``OPTIONS`` lists those that are answered."""
    send = _Client(site).send
    for example in _examples(routes):
        allowed = ", ".join(example.route.methods())
        if send("OPTIONS", example).headers.get("allow") != allowed:
            yield f"{example.route.path}: OPTIONS does not list {allowed}"
        for method in _METHODS:
            if method not in example.route.methods():
                reply = send(method, example)
                if reply.status != HTTPStatus.METHOD_NOT_ALLOWED:
                    yield f"{example.route.path}: {method} has the status {reply.status}"


class _Client:
    """Sends examples to the REST API of a site."""

    def __init__(self, site: Site) -> None:
        """Make the application of the site."""
        self._client = InProcess(make_app(site), ELSEWHERE)
        self._folder = site.config.site.script_path.rstrip("/")

    def send(
        self,
        method: str,
        example: _Example,
        changes: Mapping[str, str | None] | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> Received:
        """Return the reply to an example with changed parameters; those that are ``None`` lack."""
        path, query = example.path(changes or {})
        return self._client.send(method, f"{self._folder}/{SCRIPT}{path}", query, headers=headers)


def _examples(routes: Iterable[type[Route]]) -> Iterator[_Example]:
    for route in routes:
        for request in route.examples:
            path, _, query = request.partition("?")
            params = route.match([unquote(part) for part in path.split("/")[1:]])
            if params is None:
                raise ValueError(f"{request!r} is not a request to {route.path}")
            yield _Example(route, {**dict(parse_qsl(query)), **params})


def _excluded(example: _Example, param: RestParam) -> Iterator[str | None]:
    """Yield values that a parameter must not have; ``None`` for no value."""
    if param.is_required and f"{{{param.name}}}" not in example.route.path:
        yield None
    if param.values or param.is_integer or param.is_boolean:
        yield _ABSENT
    if param.bounds:
        least, most = param.bounds
        yield from (str(least - 1), str(most + 1))


def _data(reply: Received) -> Any:
    """Return the JSON data of a reply; ``None`` if it is not JSON."""
    try:
        return json.loads(reply.body)
    except ValueError:
        return None
