"""Parameters that many operations take, described once among the components."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from wikiapi.api.query.module import PARENT
from wikiapi_plugins.documentation.tree import ROOT
from wikiapi_plugins.web.openapi.parameters import fields_of, fixed

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from wikiapi_plugins.documentation.tree import ModuleTree
    from wikiapi_plugins.web.openapi.parameters import Field

_FORMAT = "json"
FIXED = {"format": _FORMAT, "formatversion": "2"}
"""What every described request sends; an action's own parameter of the name is left out."""
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
    """The parameters of the main module and format, and of query for its modules."""

    def __init__(self, tree: ModuleTree) -> None:
        """Describe them."""
        self._fields = {path: list(_fields(tree, path)) for path in _OWN}

    def references(self, *, in_query: bool, without: Collection[str]) -> list[dict[str, str]]:
        """References to those that an operation takes, but for the names it has fixed."""
        paths = (PARENT, ROOT, _FORMAT) if in_query else (ROOT, _FORMAT)
        return [
            {"$ref": f"#/components/parameters/{_key(path, field)}"}
            for path in paths
            for field in self._fields[path]
            if field.name not in without
        ]

    def components(self) -> dict[str, Any]:
        """The parameters by what the references call them."""
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
