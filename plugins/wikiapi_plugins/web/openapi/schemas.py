"""Parameter types as JSON Schema, in the dialect of OpenAPI 3.1."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from functools import cache
from importlib import resources
from typing import Any

from wikiapi.api import LARGEST, Param
from wikiapi.site import Site

Schema = dict[str, Any]

_NUMBER = re.compile(r"-?[0-9]{1,9}\Z")
_BOUNDS = {"min": "minimum", "max": "maximum"}


def schema_of(site: Site, param: Param, data: Mapping[str, Any]) -> Schema:
    """Return the schema of a parameter's values.

    Args:
        site: the wiki.
        param: the declaration of the parameter.
        data: the description of the parameter in ``action=paraminfo``.
    """
    kind = data["type"]
    single: Schema
    if kind == "namespace":
        single = {"enum": [int(number) for number in param.type.choices(site) or ()]}
    elif isinstance(kind, list):
        single = {"type": "string", "enum": list(kind)} if kind else {"type": "string"}
    else:
        of_kind = _KINDS.get(kind)
        single = of_kind(data) if of_kind else {"type": "string"}
    schema = _several(single, data) if param.multi else single
    if param.required and not param.multi and single == {"type": "string"}:
        schema["minLength"] = 1
    if data.get("default") not in (None, ""):
        schema["default"] = value_of(param, data["default"])
    return schema


def value_of(param: Param, raw: Any) -> Any:
    """Return the JSON value for a value as it is written in a request."""
    if isinstance(raw, bool):
        return raw
    if param.multi:
        return [_scalar(param, part) for part in str(raw).split("|") if part]
    return True if param.type.type_name == "boolean" else _scalar(param, str(raw))


def _scalar(param: Param, raw: str) -> Any:
    is_number = param.type.type_name in ("integer", "limit", "namespace") and _NUMBER.match(raw)
    return int(raw) if is_number else raw


def _several(single: Schema, data: Mapping[str, Any]) -> Schema:
    """Return the schema of a list of values."""
    if data["type"] == []:
        return {"type": "array", "items": single, "maxItems": 0}
    schema: Schema = {"type": "array", "items": single}
    if "enum" not in single:
        return schema | {
            # A value of a list cannot contain the separator.
            "items": single | {"pattern": "^[^|]*$"} if single == {"type": "string"} else single,
            "maxItems": data["highlimit"],
        }
    if "allspecifier" in data and data["allspecifier"] not in single["enum"]:
        single["enum"].append(data["allspecifier"])
    return schema


def _integer(data: Mapping[str, Any]) -> Schema:
    return {"type": "integer"} | {
        keyword: data[name] for name, keyword in _BOUNDS.items() if name in data
    }


def _limit(data: Mapping[str, Any]) -> Schema:
    number = {
        "type": "integer",
        "minimum": data["min"],
        "maximum": data.get("highmax", data["max"]),
    }
    return {"anyOf": [number, {"const": LARGEST}]}


_MOMENTS = ({"format": "date-time"}, {"pattern": "^[0-9]{14}$"}, {"const": "now"})
_KINDS: Mapping[str, Callable[[Mapping[str, Any]], Schema]] = {
    "boolean": lambda _: {"type": "boolean", "const": True},
    "integer": _integer,
    "limit": _limit,
    "timestamp": lambda _: {"type": "string", "anyOf": list(_MOMENTS)},
    "password": lambda _: {"type": "string", "format": "password"},
    "upload": lambda _: {"type": "string", "contentMediaType": "application/octet-stream"},
}


_JSON = "application/json"
_FEED = ("application/xml",)
_OTHER_MEDIA: Mapping[str, tuple[str, ...]] = {
    "feedcontributions": _FEED,
    "feedrecentchanges": _FEED,
    "feedwatchlist": _FEED,
    "help": ("text/html",),
    "query": ("text/xml",),
    "rsd": ("application/rsd+xml",),
}
"""Media types of the answers of actions that ignore the format. Their errors are still JSON."""


def _ref(name: str) -> Schema:
    return {"$ref": f"#/components/schemas/{name}"}


_SUGGESTIONS: Schema = {
    "anyOf": [{"type": "array", "minItems": 4, "maxItems": 4}, _ref("Envelope")],
    "description": "The search text, and the titles, descriptions and URLs of the pages found.",
}
_DATA: Mapping[str, Schema] = {
    "checktoken": _ref("Checked"),
    "parse": _ref("Parsed"),
    "query": _ref("Query"),
}
"""The schemas of the data under the action's name, where they are known."""


def responses(action: str) -> dict[str, Any]:
    """Return the Responses Object of an action."""
    shape = {"allOf": [_ref("Envelope"), {"properties": {action: _DATA.get(action, {})}}]}
    if action == "opensearch":
        shape = _SUGGESTIONS
    content: dict[str, Any] = {_JSON: {"schema": shape}}
    for media_type in _OTHER_MEDIA.get(action, ()):
        content[media_type] = {"schema": {"type": "string"}}
    answer = {
        "description": "The answer, which may be an error.",
        "headers": {"MediaWiki-API-Error": {"$ref": "#/components/headers/MediaWiki-API-Error"}},
        "content": content,
    }
    return {"200": answer, "4XX": {"$ref": "#/components/responses/Refused"}}


@cache
def components() -> Mapping[str, Any]:
    """Return the components that operations share. The caller must not change them."""
    file = resources.files(__package__) / "components.json"
    return dict(json.loads(file.read_text("utf-8")))
