"""From the names that a request gives modules to their paths."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wikiapi_plugins.documentation.tree import ROOT, SEPARATOR

if TYPE_CHECKING:
    from wikiapi_plugins.documentation.tree import ModuleTree


class UnknownModule(Exception):
    """A name that leads to no module; ``key`` and ``params`` are those of its message."""

    def __init__(self, key: str, *params: str) -> None:
        """Take the message."""
        super().__init__(key)
        self.key, self.params = key, params


def find_path(tree: ModuleTree, name: str) -> str:
    """The path that a name leads to, found step by step.

    Raises:
        UnknownModule: a step leads nowhere; the message names that step.
    """
    if name == ROOT:
        return ROOT
    path = ROOT
    for step in name.split(SEPARATOR):
        children = children_of(tree, path)
        found = next((child for child in children if tree.by_path[child].name == step), None)
        if found is None:
            raise UnknownModule("apierror-badmodule-badsubmodule", path, step)
        path = found
    return path


def children_of(tree: ModuleTree, path: str) -> list[str]:
    """The paths of a module's submodules.

    Raises:
        UnknownModule: it has none.
    """
    children = tree.children(path)
    if not children:
        raise UnknownModule("apierror-badmodule-nosubmodules", path)
    return children
