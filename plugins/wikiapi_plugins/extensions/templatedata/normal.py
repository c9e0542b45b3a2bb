"""The normal form of a description, which has all properties, and texts by language."""

from __future__ import annotations

import json
from typing import Any

from wikiapi.languages import language as facts
from wikiapi_plugins.extensions.templatedata.checks import OLD_TYPES, Mistake, check

LARGEST = 2_000_000
"""Maximum size of a description in bytes."""

_TEXTS = ("label", "description", "example", "default")
_DEFAULTS: tuple[tuple[str, Any], ...] = (
    ("label", None),
    ("description", None),
    ("example", None),
    ("default", None),
    ("required", False),
    ("suggested", False),
    ("deprecated", False),
    ("aliases", ()),
    ("autovalue", None),
    ("type", "unknown"),
    ("suggestedvalues", ()),
)


def parse(text: str, language: str) -> dict[str, Any]:
    """Return the normal form of a description in JSON; plain texts are in the given language.

    Raises:
        Mistake: the text is not JSON, or the description is invalid.
    """
    try:
        data = json.loads(text, parse_constant=_refuse)
        # JSON can contain half of a surrogate pair, which cannot be stored.
        size = len(encoded(data).encode("utf-8"))
    except (ValueError, RecursionError) as error:
        raise Mistake("templatedata-invalid-parse") from error
    if size > LARGEST:
        raise Mistake("templatedata-invalid-length", str(size), str(LARGEST))
    check(data)
    return normalised(data, language)


def _refuse(constant: str) -> None:
    raise ValueError(f"{constant} is no JSON")


def normalised(data: dict[str, Any], language: str) -> dict[str, Any]:
    """Return the normal form of a description that has been checked."""
    defaults: dict[str, Any] = {"description": None, "sets": [], "maps": {}, "format": None}
    normal = {**data, **{name: value for name, value in defaults.items() if name not in data}}
    normal["description"] = _translated(normal["description"], language)
    size, params = 0, {}
    inherited = _inherited(data["params"])
    for name in data["params"]:
        described = inherited[name]
        param = described | {key: value for key, value in _DEFAULTS if key not in described}
        param.pop("inherits", None)
        for key in _TEXTS:
            param[key] = _translated(param[key], language)
        for key in ("aliases", "suggestedvalues"):
            param[key] = [str(value) for value in param[key]]
        param["type"] = OLD_TYPES.get(param["type"], param["type"])
        params[name] = param
        size += len(encoded(param).encode())
        if size > LARGEST:
            raise Mistake("templatedata-invalid-length", str(size), str(LARGEST))
    normal["params"] = params
    normal["sets"] = [
        one | {"label": _translated(one["label"], language)} for one in data_sets(normal)
    ]
    return normal


def data_sets(data: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the sets of related parameters."""
    sets: list[dict[str, Any]] = data["sets"]
    return sets


def _inherited(params: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """Return each parameter with the properties of those that it inherits from, in a chain.

    In a cycle, a parameter takes each property from the nearest one that has it, itself included.
    """
    merged: dict[str, dict[str, Any]] = {}
    for first in params:
        chain: dict[str, None] = {}
        name = first
        while name in params and name not in merged and name not in chain:
            chain[name] = None
            name = params[name].get("inherits")
        order = [*chain][::-1]
        properties = merged.get(name, {})
        if name in chain:
            # One turn around the cycle gives the properties that its last parameter inherits.
            for one in order[: order.index(name) + 1]:
                properties = properties | params[one]
        for one in order:
            merged[one] = properties = properties | params[one]
    return merged


def _translated(text: Any, language: str) -> Any:
    return {language: text} if isinstance(text, str) else text


def encoded(data: dict[str, Any]) -> str:
    """Return the stored form: JSON without spaces, as PHP writes it except for escapes."""
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"))


def in_language(data: dict[str, Any], language: str) -> dict[str, Any]:
    """Return a normal form with one text in place of each set of translations."""
    described = data | {"description": in_one(data["description"], language)}
    described["params"] = {
        name: param | {key: in_one(param.get(key), language) for key in _TEXTS}
        for name, param in data["params"].items()
    }
    described["sets"] = [one | {"label": in_one(one["label"], language)} for one in data_sets(data)]
    return described


def in_one(text: dict[str, str] | None, language: str) -> str | None:
    """Return the text in a language, or in the nearest available one."""
    if not text:
        return None
    codes = (code for code in facts(language).chain if code in text)
    return text[next(codes, next(iter(text)))]
