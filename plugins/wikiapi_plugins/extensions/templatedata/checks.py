"""Declares what a description may contain, and reports the first mistake.

The format is the one described at https://www.mediawiki.org/wiki/Help:TemplateData.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from wikiapi.languages import Message, Plain

TYPES = frozenset(
    {
        "content", "line", "number", "boolean", "string", "date", "unbalanced-wikitext", "unknown",
        "url", "wiki-page-name", "wiki-user-name", "wiki-file-name", "wiki-template-name",
    }
)  # fmt: skip
OLD_TYPES = MappingProxyType(
    {
        "string/line": "line",
        "string/wiki-page-name": "wiki-page-name",
        "string/wiki-user-name": "wiki-user-name",
        "string/wiki-file-name": "wiki-file-name",
    }
)
_FORM = re.compile(r"\n?\{\{ *_+\n? *\|\n? *_+ *= *_+\n? *\}\}\n?\Z")


class Mistake(Exception):
    """A description that is invalid; ``message`` gives the reason."""

    def __init__(self, key: str, *params: str) -> None:
        """Store the message with this key and these parameters."""
        super().__init__(key)
        self.message = Message(key, tuple(Plain(param) for param in params))


@dataclass(frozen=True, slots=True)
class Kind:
    """A type of values; ``name`` is its name in error messages."""

    name: str
    allows: Callable[[Any], bool]


def _is_text(value: Any) -> bool:
    return (
        value is None
        or isinstance(value, str)
        or (isinstance(value, dict) and all(isinstance(text, str) for text in value.values()))
    )


STRING = Kind("string", lambda value: isinstance(value, str))
BOOLEAN = Kind("boolean", lambda value: isinstance(value, bool))
ARRAY = Kind("array", lambda value: isinstance(value, list))
OBJECT = Kind("object", lambda value: isinstance(value, dict))
TEXT = Kind("string|object", _is_text)
STRING_OR_NULL = Kind("string|null", lambda value: value is None or isinstance(value, str))
FLAG = Kind("boolean|string", lambda value: isinstance(value, bool | str))

ROOT: Mapping[str, Kind] = MappingProxyType(
    {
        "description": TEXT,
        "params": OBJECT,
        "paramOrder": ARRAY,
        "sets": ARRAY,
        "maps": OBJECT,
        "format": STRING_OR_NULL,
    }
)
PARAM: Mapping[str, Kind] = MappingProxyType(
    {
        "label": TEXT,
        "required": BOOLEAN,
        "suggested": BOOLEAN,
        "description": TEXT,
        "example": TEXT,
        "deprecated": FLAG,
        "aliases": ARRAY,
        "autovalue": STRING_OR_NULL,
        "default": TEXT,
        "inherits": STRING,
        "type": STRING,
        "suggestedvalues": ARRAY,
    }
)
SET: Mapping[str, Kind] = MappingProxyType({"label": TEXT, "params": ARRAY})


def check(data: Any) -> None:
    """Check a description.

    Raises:
        Mistake: the description is invalid; the first mistake is reported.
    """
    if not isinstance(data, dict):
        raise Mistake("templatedata-invalid-parse")
    _check_properties(data, ROOT, "")
    if "params" not in data:
        raise Mistake("templatedata-invalid-missing", "params", "object")
    form = data.get("format")
    if form not in (None, "inline", "block") and not _FORM.match(form):
        raise Mistake("templatedata-invalid-format", "format")
    params = data["params"]
    for name, param in params.items():
        _check_param(f"params.{name}", param, params)
    if "paramOrder" in data:
        _check_order(data["paramOrder"], params)
    _check_sets(data.get("sets", []), params)
    for consumer, mapped in data.get("maps", {}).items():
        _check_kind(f"maps.{consumer}", mapped, OBJECT)
        for parameter, value in mapped.items():
            _check_mapped(f"maps.{consumer}.{parameter}", value, params, lists=2)


def _check_properties(data: Mapping[str, Any], kinds: Mapping[str, Kind], where: str) -> None:
    for name, value in data.items():
        place = f"{where}{name}"
        if name not in kinds:
            raise Mistake("templatedata-invalid-unknown", place)
        _check_kind(place, value, kinds[name])


def _check_kind(place: str, value: Any, kind: Kind) -> None:
    if not kind.allows(value):
        raise Mistake("templatedata-invalid-type", place, kind.name)


def _check_param(place: str, param: Any, params: Mapping[str, Any]) -> None:
    _check_kind(place, param, OBJECT)
    _check_properties(param, PARAM, f"{place}.")
    for name in ("aliases", "suggestedvalues"):
        for number, value in enumerate(param.get(name, [])):
            if not isinstance(value, str | int) or isinstance(value, bool):
                raise Mistake("templatedata-invalid-type", f"{place}.{name}[{number}]", "string")
    kind = param.get("type", "unknown")
    if kind not in TYPES and kind not in OLD_TYPES:
        raise Mistake("templatedata-invalid-value", f"{place}.type")
    if param.get("inherits", None) is not None and param["inherits"] not in params:
        raise Mistake("templatedata-invalid-missing", f"params.{param['inherits']}")


def _check_order(order: list[Any], params: Mapping[str, Any]) -> None:
    positions: dict[str, int] = {}
    for number, name in enumerate(order):
        _check_name(f"paramOrder[{number}]", name, params)
        if name in positions:
            places = (f"paramOrder[{number}]", f"paramOrder[{positions[name]}]", name)
            raise Mistake("templatedata-invalid-duplicate-value", *places)
        positions[name] = number
    for name in params:
        if name not in positions:
            raise Mistake("templatedata-invalid-missing", f'paramOrder[ "{name}" ]')


def _check_sets(sets: list[Any], params: Mapping[str, Any]) -> None:
    for number, one in enumerate(sets):
        place = f"sets.{number}"
        _check_kind(place, one, OBJECT)
        for name in SET:
            if name not in one:
                raise Mistake("templatedata-invalid-missing", f"{place}.{name}", SET[name].name)
        _check_properties(one, SET, f"{place}.")
        if not one["params"]:
            raise Mistake("templatedata-invalid-empty-array", f"{place}.params")
        for position, name in enumerate(one["params"]):
            _check_name(f"{place}.params[{position}]", name, params)


def _check_mapped(place: str, value: Any, params: Mapping[str, Any], *, lists: int) -> None:
    if isinstance(value, list) and lists:
        for number, inner in enumerate(value):
            _check_mapped(f"{place}[{number}]", inner, params, lists=lists - 1)
        return
    _check_name(place, value, params, other="string|array")


def _check_name(place: str, name: Any, params: Mapping[str, Any], other: str = "string") -> None:
    if not isinstance(name, str):
        raise Mistake("templatedata-invalid-type", place, other)
    if name not in params:
        raise Mistake("templatedata-invalid-param", name, place)
