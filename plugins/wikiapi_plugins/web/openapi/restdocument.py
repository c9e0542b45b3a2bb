"""The OpenAPI document of the REST API, made from the declarations of its routes."""

from __future__ import annotations

import inspect
import json
import re
from collections.abc import Iterator
from typing import Any

import wikiapi
from wikiapi.rest import SCRIPT, RestParam, Route, routes_of
from wikiapi.site import Site
from wikiapi_plugins.web.openapi.document import VERSION
from wikiapi_plugins.web.openapi.schemas import Schema

NAME = "rest"
"""The name of the document among those of single modules."""
_PLUGIN = "rest"
_JSON = "application/json"
_NOT_IN_IDS = re.compile(r"[^A-Za-z0-9]+")
_WRITING = ("POST", "PUT")
_ABOUT = """\
{generator}'s REST API of {name}. A slash in a title is sent as `%2F`. Answers have an `ETag`, by
which they can be revalidated.
"""
_ERROR: Schema = {
    "type": "object",
    "properties": {
        "errorKey": {"type": "string", "description": "For programs."},
        "messageTranslations": {
            "type": "object",
            "description": "For people: texts by language.",
            "additionalProperties": {"type": "string"},
        },
        "httpCode": {"type": "integer"},
        "httpReason": {"type": "string"},
    },
    "required": ["messageTranslations", "httpCode", "httpReason"],
}


class RestOpenApi:
    """A cache of the description of a site's REST API. Get it with ``site.derived(RestOpenApi)``.

    ``text`` is the document as JSON; ``None`` if the REST API is disabled.
    """

    def __init__(self, site: Site) -> None:
        """Describe the routes of all plugins."""
        self.text: str | None = None
        if site.plugins.has_plugin(_PLUGIN):
            self.text = json.dumps(_document(site), ensure_ascii=False, separators=(",", ":"))


def _document(site: Site) -> dict[str, Any]:
    settings = site.config.site
    operations = {
        route.path: dict(_operations(route))
        for route in sorted(routes_of(site).values(), key=lambda route: route.path)
    }
    tags = {operation["tags"][0] for item in operations.values() for operation in item.values()}
    return {
        "openapi": VERSION,
        "info": {
            "title": f"{settings.name}: REST API",
            "version": wikiapi.__version__,
            "description": _ABOUT.format(generator=settings.generator, name=settings.name),
        },
        "servers": [{"url": f"{settings.server}{settings.script_path.rstrip('/')}/{SCRIPT}"}],
        "tags": [{"name": tag} for tag in sorted(tags)],
        "paths": operations,
        "components": {"schemas": {"Error": _ERROR}},
    }


def _operations(route: type[Route]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the operations of a route by their HTTP methods."""
    in_path = [f"{{{param.name}}}" in route.path for param in route.params]
    parameters = list(map(_parameter, route.params, in_path))
    for method in route.methods():
        if method == "HEAD":
            continue
        name = method.lower()
        described = inspect.getdoc(getattr(route, name)) or ""
        operation: dict[str, Any] = {
            "operationId": _NOT_IN_IDS.sub("_", f"{name}{route.path}").strip("_"),
            "tags": [" ".join(route.path.split("/")[1:3])],
            "summary": described.partition("\n")[0],
            "description": f"{inspect.getdoc(route) or ''}\n\n{described}".strip(),
            "parameters": parameters,
            "responses": _RESPONSES,
        }
        if route.fields and method in _WRITING:
            schema = {
                "type": "object",
                "properties": {
                    field.name: {"type": field.type, "description": field.help}
                    for field in route.fields
                },
                "required": [field.name for field in route.fields if field.is_required],
            }
            operation["requestBody"] = {"required": True, "content": {_JSON: {"schema": schema}}}
        yield name, operation


def _parameter(param: RestParam, is_in_path: bool) -> dict[str, Any]:
    """Return the Parameter Object of a parameter."""
    kind = "integer" if param.is_integer else "boolean" if param.is_boolean else "string"
    schema: Schema = {"type": kind}
    if param.values:
        schema["enum"] = list(param.values)
    if param.bounds:
        schema["minimum"], schema["maximum"] = param.bounds
    if param.default is not None:
        schema["default"] = param.default
    if param.is_required and schema == {"type": "string"}:
        schema["minLength"] = 1
    return {
        "name": param.name,
        "in": "path" if is_in_path else "query",
        "required": is_in_path or param.is_required,
        "description": param.help,
        "schema": schema,
    }


_RESPONSES = {
    "2XX": {"description": "The answer.", "content": {_JSON: {}, "text/html": {}}},
    "3XX": {"description": "Another address, or an answer that the client has already."},
    "default": {
        "description": "Why the request was refused.",
        "content": {_JSON: {"schema": {"$ref": "#/components/schemas/Error"}}},
    },
}
