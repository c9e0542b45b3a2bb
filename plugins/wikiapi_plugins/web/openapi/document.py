"""The description as a document: of the whole API, or of one module."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import wikiapi
from wikiapi_plugins.documentation.tree import ModuleTree
from wikiapi_plugins.web.openapi.answers import components
from wikiapi_plugins.web.openapi.operations import SCRIPT, operations_of, path_item
from wikiapi_plugins.web.openapi.shared import SharedParameters

if TYPE_CHECKING:
    from collections.abc import Mapping

    from wikiapi.site import Site

VERSION = "3.1.0"
_ABOUT = """\
{generator}'s Action API as {name} answers it. The description is of JSON in format version 2.

All operations share the path `/api.php`; the fragment behind it only tells them apart and is not
sent. `/openapi/query+info.json` describes one module alone, without a fragment. Whatever is sent
with GET can be sent with POST as well, as a form. Values of a list are parted by `|`; a list whose
values hold that character begins with U+001F and is parted by it.
"""
_TAGS = {
    "action": "What `action` may name.",
    "prop": "What `action=query` tells about pages.",
    "list": "Lists of pages and other things.",
    "meta": "What `action=query` tells about the wiki and the user.",
    "generator": "Modules that find the pages for `prop`.",
}


class OpenApi:
    """The descriptions of one site; made once, with ``site.api.derived(OpenApi)``."""

    def __init__(self, site: Site) -> None:
        """Describe the shared parameters; modules are described when they are asked for."""
        self._site = site
        self._tree = site.api.derived(ModuleTree)
        self._shared = SharedParameters(self._tree)
        self._made: dict[str, str] = {}

    def whole(self) -> str:
        """All operations, as JSON."""
        return self._once("", self._whole)

    def part(self, path: str) -> str | None:
        """The operation of the module at a path, as JSON; ``None`` where there is none."""
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
            document = self._document(make())
            self._made[key] = json.dumps(document, ensure_ascii=False, separators=(",", ":"))
        return self._made[key]

    def _document(self, paths: Mapping[str, Any]) -> dict[str, Any]:
        site = self._site.config.site
        about = _ABOUT.format(generator=site.generator, name=site.name)
        return {
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
