"""The schemas of answers: an envelope that is the same for all, and what is known of each."""

from __future__ import annotations

import json
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

    from wikiapi_plugins.web.openapi.schemas import Schema

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
"""Media types in which an action answers whatever the format; its errors are JSON none the less."""


def _ref(name: str) -> Schema:
    return {"$ref": f"#/components/schemas/{name}"}


_SUGGESTIONS: Schema = {
    "anyOf": [{"type": "array", "minItems": 4, "maxItems": 4}, _ref("Envelope")],
    "description": "What was searched for; then titles, descriptions and addresses found.",
}
_DATA: Mapping[str, Schema] = {
    "checktoken": _ref("Checked"),
    "parse": _ref("Parsed"),
    "query": _ref("Query"),
}
"""What an answer holds under the action's name, where that is known."""


def responses(action: str) -> dict[str, Any]:
    """What an action may answer, by status."""
    shape = _SUGGESTIONS if action == "opensearch" else _under_its_name(action)
    content: dict[str, Any] = {_JSON: {"schema": shape}}
    for media_type in _OTHER_MEDIA.get(action, ()):
        content[media_type] = {"schema": {"type": "string"}}
    answer = {
        "description": "The answer; an error as well.",
        "headers": {"MediaWiki-API-Error": {"$ref": "#/components/headers/MediaWiki-API-Error"}},
        "content": content,
    }
    return {"200": answer, "4XX": {"$ref": "#/components/responses/Refused"}}


def _under_its_name(action: str) -> Schema:
    return {"allOf": [_ref("Envelope"), {"properties": {action: _DATA.get(action, {})}}]}


@cache
def components() -> Mapping[str, Any]:
    """What the operations refer to; not to be changed."""
    file = resources.files(__package__) / "components.json"
    return dict(json.loads(file.read_text("utf-8")))
