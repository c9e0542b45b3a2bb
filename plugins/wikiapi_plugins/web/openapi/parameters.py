"""The parameters of modules in OpenAPI, in the query string or as fields of a form."""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import parse_qs

from wikiapi.api import PARENT, Param
from wikiapi_plugins.shared.documentation.parameters import described_param
from wikiapi_plugins.shared.documentation.texts import NONE
from wikiapi_plugins.shared.documentation.tree import ROOT, Described, ModuleTree
from wikiapi_plugins.web.openapi.schemas import Schema, schema_of, value_of

_CHOSEN = ("enum", "namespace")
"""Types with a fixed set of values. A list may contain all of them."""
_DELIMITED = {"style": "pipeDelimited", "explode": False}


@dataclass(frozen=True)
class Field:
    """A parameter under its full name, in the query string or in a form."""

    name: str
    schema: Schema
    description: str = ""
    required: bool = False
    deprecated: bool = False
    multi: bool = False
    examples: Mapping[str, Any] = dataclasses.field(default_factory=dict)

    def in_query(self) -> dict[str, Any]:
        """Return the Parameter Object for the query string."""
        data: dict[str, Any] = {"name": self.name, "in": "query", "schema": self.schema}
        flags = {"required": self.required, "deprecated": self.deprecated}
        data |= {name: True for name, is_on in flags.items() if is_on}
        data |= {"description": self.description} if self.description else {}
        data |= {"examples": dict(self.examples)} if self.examples else {}
        return data | _DELIMITED if self.multi else data

    def in_form(self) -> Schema:
        """Return the schema of the property in a form."""
        data = dict(self.schema)
        data |= {"description": self.description} if self.description else {}
        return data | {"deprecated": True} if self.deprecated else data


def fixed(name: str, value: str) -> Field:
    """Return a parameter with a single value."""
    return Field(name, {"type": "string", "const": value}, required=True)


def fields_of(tree: ModuleTree, owner: Described, prefix: str) -> Iterator[Field]:
    """Yield the parameters of a module, with a prefix before their names."""
    for param in owner.params:
        data = described_param(tree, owner, param, 0, NONE, high_limits=False)
        made = Field(
            name=prefix + param.name,
            schema=schema_of(tree.site, param, data),
            description="\n\n".join(_description(param, data)),
            required=param.required,
            deprecated=param.deprecated,
            multi=param.multi,
            examples=_examples(owner, param),
        )
        if param.template:
            # It has one form for each of the names that its template can have.
            word, source = param.template or ("", "")
            values = next(p for p in owner.params if p.name == source).type.choices(tree.site)
            for value in values or ():
                yield replace(made, name=made.name.replace(f"{{{word}}}", value))
        else:
            yield made


def form_of(fields: Iterable[Field]) -> dict[str, Any]:
    """Return the Request Body Object of a POST request."""
    fields = list(fields)
    schema = {
        "type": "object",
        "properties": {f.name: f.in_form() for f in fields},
        "required": [f.name for f in fields if f.required],
    }
    is_upload = any("contentMediaType" in f.schema for f in fields)
    media_type = "multipart/form-data" if is_upload else "application/x-www-form-urlencoded"
    content: dict[str, Any] = {"schema": schema}
    if encoding := {f.name: dict(_DELIMITED) for f in fields if f.multi}:
        content["encoding"] = encoding
    return {"required": True, "content": {media_type: content}}


def _description(param: Param, data: Mapping[str, Any]) -> Iterator[str]:
    if param.help:
        yield param.help
    if param.value_help:
        yield "\n".join(f"- `{value}`: {text}" for value, text in param.value_help)
    if param.type.type_name == "boolean":
        yield "True if present, whatever its value."
    if param.type.type_name == "limit":
        higher = f", {data['highmax']} for users with higher limits" if "highmax" in data else ""
        yield f"At most {data['max']}{higher}."
    if param.multi and param.type.type_name not in _CHOSEN:
        yield f"At most {data['lowlimit']} values, {data['highlimit']} with higher limits."
    if data.get("deprecatedvalues"):
        yield f"Deprecated: {', '.join(f'`{value}`' for value in data['deprecatedvalues'])}."
    if param.sensitive:
        yield "Must be sent in the body of a POST request."


def _examples(owner: Described, param: Param) -> dict[str, Any]:
    full, examples = owner.module.prefix + param.name, {}
    for number, (query, text) in enumerate(owner.module.examples, 1):
        values = parse_qs(query, keep_blank_values=True).get(full)
        if values:
            examples[f"example{number}"] = {"summary": text, "value": value_of(param, values[-1])}
    return examples


_FORMAT = "json"
FIXED = {"format": _FORMAT, "formatversion": "2"}
"""Parameters that all described requests send; an action's own parameters of these names are
omitted."""
_OWN = {
    ROOT: tuple(fixed(name, value) for name, value in FIXED.items()),
    _FORMAT: (),
    PARENT: (),
}
_LEFT_OUT = {
    ROOT: ("action", "format"),
    _FORMAT: ("formatversion", "callback"),  # with a callback the answer is a script
    PARENT: (),
}


class SharedParameters:
    """The parameters of the main module, the format and, for its submodules, of ``query``."""

    def __init__(self, tree: ModuleTree) -> None:
        """Describe the parameters."""
        self._fields = {path: list(_fields(tree, path)) for path in _OWN}

    def references(self, *, in_query: bool, without: Collection[str]) -> list[dict[str, str]]:
        """Return references to the parameters of an operation, except those with fixed values."""
        paths = (PARENT, ROOT, _FORMAT) if in_query else (ROOT, _FORMAT)
        return [
            {"$ref": f"#/components/parameters/{_key(path, field)}"}
            for path in paths
            for field in self._fields[path]
            if field.name not in without
        ]

    def components(self) -> dict[str, Any]:
        """Return the parameters by the keys that references use."""
        return {
            _key(path, field): field.in_query()
            for path, fields in self._fields.items()
            for field in fields
        }


def _fields(tree: ModuleTree, path: str) -> Iterator[Field]:
    yield from _OWN[path]
    for field in fields_of(tree, tree.by_path[path], ""):
        if field.name not in _LEFT_OUT[path]:
            yield field


def _key(path: str, field: Field) -> str:
    return f"{path}.{field.name}"
