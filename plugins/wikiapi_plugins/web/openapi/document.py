"""The OpenAPI document of the whole API or of one module.

The parameters of a module are in the query string, or fields of a form.
"""

from __future__ import annotations

import dataclasses
import inspect
import json
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import parse_qs, urlencode

import wikiapi
from wikiapi.api import GENERATOR_PREFIX, PARENT, Param, QueryModule, TextType
from wikiapi.site import Site
from wikiapi_plugins.shared.documentation.parameters import described_param
from wikiapi_plugins.shared.documentation.texts import NONE
from wikiapi_plugins.shared.documentation.tree import ROOT, Described, ModuleTree
from wikiapi_plugins.web.openapi.schemas import Schema, components, responses, schema_of, value_of

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
        descriptions: list[str] = []
        if param.help:
            descriptions.append(param.help)
        if param.value_help:
            descriptions.append(
                "\n".join(f"- `{value}`: {text}" for value, text in param.value_help)
            )
        if param.type.type_name == "boolean":
            descriptions.append("True if present, whatever its value.")
        if param.type.type_name == "limit":
            higher = (
                f", {data['highmax']} for users with higher limits" if "highmax" in data else ""
            )
            descriptions.append(f"At most {data['max']}{higher}.")
        if param.multi and param.type.type_name not in _CHOSEN:
            descriptions.append(
                f"At most {data['lowlimit']} values, {data['highlimit']} with higher limits."
            )
        if data.get("deprecatedvalues"):
            descriptions.append(
                f"Deprecated: {', '.join(f'`{value}`' for value in data['deprecatedvalues'])}."
            )
        if param.sensitive:
            descriptions.append("Must be sent in the body of a POST request.")
        made = Field(
            name=prefix + param.name,
            schema=schema_of(tree.site, param, data),
            description="\n\n".join(descriptions),
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


VERSION = "3.1.0"
_ABOUT = """\
{generator}'s Action API of {name}. Answers are described in JSON with format version 2.

All operations share the path `/api.php`; the fragment after it only distinguishes them here and is
not sent. `/openapi/query+info.json` describes a single module, without a fragment. All parameters
of a GET request can also be sent as a form by POST. Values of a list are separated by `|`; if a
value contains this character, the list begins with U+001F and is separated by it.
"""
_TAGS = {
    "action": "The values of `action`.",
    "prop": "Data about pages from `action=query`.",
    "list": "Lists of pages and other items from `action=query`.",
    "meta": "Data about the wiki and the user from `action=query`.",
    "generator": "Modules that select the pages for `prop`.",
}


class OpenApi:
    """A cache of the descriptions of a site. Get it with ``site.derived(OpenApi)``."""

    def __init__(self, site: Site) -> None:
        """Describe the shared parameters; modules are described when first requested."""
        self._site = site
        self._tree = site.derived(ModuleTree)
        self._shared = SharedParameters(self._tree)
        self._made: dict[str, str] = {}

    def whole(self) -> str:
        """Return the document with all operations, as JSON."""
        return self._once("", self._whole)

    def part(self, path: str) -> str | None:
        """Return the document with the operation of one module, as JSON.

        ``None`` if there is no module with this path, or it has no operation.
        """
        described = self._tree.by_path.get(path)
        operation = next(operations_of(described), None) if described else None
        if operation is None:
            return None
        return self._once(path, lambda: {SCRIPT: path_item(self._tree, self._shared, operation)})

    def _whole(self) -> dict[str, Any]:
        return {
            operation.path: path_item(self._tree, self._shared, operation)
            for described in self._tree.by_path.values()
            for operation in operations_of(described)
        }

    def _once(self, key: str, make: Any) -> str:
        if key not in self._made:
            paths = make()
            site = self._site.config.site
            about = _ABOUT.format(generator=site.generator, name=site.name)
            document = {
                "openapi": VERSION,
                "info": {
                    "title": f"{site.name}: Action API",
                    "version": wikiapi.__version__,
                    "description": about,
                },
                "servers": [{"url": site.server + site.script_path}],
                "tags": [{"name": name, "description": text} for name, text in _TAGS.items()],
                "paths": paths,
                "components": {"parameters": self._shared.components(), **components()},
            }
            self._made[key] = json.dumps(document, ensure_ascii=False, separators=(",", ":"))
        return self._made[key]


# The operations share one path, so that they are distinguished by a fragment, which clients do not
# send (``/api.php#action=query&prop=info``). The description of a single module has no fragment.

SCRIPT = "/api.php"
GENERATOR = "generator"


@dataclass(frozen=True)
class Operation:
    """One of the ways in which a module can be requested.

    Attributes:
        described: the module.
        fixed: the parameters that select it, with their values.
        prefix: the prefix of its parameters.
        tag: the group in which it is listed.
        name: the unique ``operationId``.
    """

    described: Described
    fixed: Mapping[str, str]
    prefix: str
    tag: str
    name: str

    @property
    def path(self) -> str:
        """The key of the operation among the paths of the whole description."""
        return f"{SCRIPT}#{urlencode(self.fixed)}"

    @property
    def action(self) -> str:
        """The action to which the operation belongs."""
        return self.fixed["action"]

    @property
    def is_in_query(self) -> bool:
        """Whether the operation has the parameters of ``action=query`` as well."""
        return self.action == PARENT


def operations_of(described: Described) -> Iterator[Operation]:
    """Yield the operations of a module; formats and the main module have none."""
    module = described.module
    if described.group == "action":
        yield Operation(described, {"action": module.name}, module.prefix, "action", described.path)
    elif issubclass(module, QueryModule):
        chosen = {"action": PARENT, module.group: module.name}
        yield Operation(
            described, chosen, module.prefix, module.group, f"{described.group}_{described.name}"
        )
        if module.can_generate():
            chosen = {"action": PARENT, GENERATOR: module.name}
            prefix = GENERATOR_PREFIX + module.prefix
            yield Operation(described, chosen, prefix, GENERATOR, f"generator_{module.name}")


def path_item(tree: ModuleTree, shared: SharedParameters, operation: Operation) -> dict[str, Any]:
    """Return the path item of an operation: its HTTP methods."""
    module = operation.described.module
    data = _operation_data(operation)
    own: list[Field] = []
    # The parameters of query are shared with its modules.
    if operation.described.path != PARENT:
        fields = fields_of(tree, operation.described, operation.prefix)
        own = [field for field in fields if field.name not in FIXED]
    chosen = [fixed(name, value).in_query() for name, value in operation.fixed.items()]
    names = {*operation.fixed, *(field.name for field in own)}
    common = shared.references(in_query=operation.is_in_query, without=names)
    item: dict[str, Any] = {}
    if not module.must_be_posted:
        parameters = [*chosen, *(field.in_query() for field in own), *common]
        item["get"] = {"operationId": operation.name, **data, "parameters": parameters}
    if module.must_be_posted or any(
        isinstance(param.type, TextType) for param in operation.described.params
    ):
        item["post"] = {
            "operationId": f"{operation.name}_post",
            **data,
            "parameters": [*chosen, *common],
            "requestBody": form_of(own),
        }
    return item


def _operation_data(operation: Operation) -> dict[str, Any]:
    module = operation.described.module
    parts = [inspect.getdoc(module) or ""]
    if operation.tag == GENERATOR:
        parts.append("As a generator: selects the pages for the modules in `prop`.")
    if module.is_internal:
        parts.append("Internal: it may change at any time.")
    if module.dynamic_params:
        parts.append(module.dynamic_params)
    parts += (f"{text}: `{query}`" for query, text in module.examples)
    data: dict[str, Any] = {
        "tags": [operation.tag],
        "summary": module.summary(),
        "description": "\n\n".join(parts),
    }
    if module.help_urls:
        data["externalDocs"] = {"url": module.help_urls[0]}
    if module.is_deprecated:
        data["deprecated"] = True
    return data | {"responses": responses(operation.action)}
