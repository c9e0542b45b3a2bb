"""The OpenAPI document of the whole API or of one module."""

from __future__ import annotations

import inspect
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

import wikiapi
from wikiapi.api import GENERATOR_PREFIX, PARENT, QueryModule, TextType
from wikiapi.site import Site
from wikiapi_plugins.shared.documentation.tree import Described, ModuleTree
from wikiapi_plugins.web.openapi.parameters import (
    FIXED,
    Field,
    SharedParameters,
    fields_of,
    fixed,
    form_of,
)
from wikiapi_plugins.web.openapi.schemas import components, responses

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
    data, own = _operation_data(operation), _own_fields(tree, operation)
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


def _own_fields(tree: ModuleTree, operation: Operation) -> list[Field]:
    """Return the module's own parameters; those of query are shared with its modules."""
    if operation.described.path == PARENT:
        return []
    fields = fields_of(tree, operation.described, operation.prefix)
    return [field for field in fields if field.name not in FIXED]


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
