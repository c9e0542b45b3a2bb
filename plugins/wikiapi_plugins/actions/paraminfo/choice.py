"""Which modules a request names: by path, or by a path that ends with ``*`` or ``**``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wikiapi_plugins.documentation.tree import ROOT, SEPARATOR

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from wikiapi_plugins.documentation.tree import ModuleTree


CHILDREN, ALL = "*", "**"


class _Unknown(Exception):
    """A path that leads nowhere; ``key`` and ``params`` are those of the warning."""

    def __init__(self, key: str, *params: str) -> None:
        super().__init__(key)
        self.key, self.params = key, params


def chosen_paths(tree: ModuleTree, names: Iterable[str], warn: Callable[..., None]) -> list[str]:
    """The paths of the modules named, in the order of the names and each once."""
    chosen: dict[str, None] = {}
    for name in names:
        try:
            parent, _, last = name.rpartition(SEPARATOR)
            if last in (CHILDREN, ALL):
                chosen |= dict.fromkeys(sorted(_under(tree, parent or ROOT, last)))
            else:
                chosen[_find(tree, name)] = None
        except _Unknown as unknown:
            warn(unknown.key, *unknown.params)
    return list(chosen)


def _under(tree: ModuleTree, parent: str, wildcard: str) -> Iterator[str]:
    path = _find(tree, parent)
    children = tree.children(path)
    if not children:
        raise _Unknown("apierror-badmodule-nosubmodules", path)
    return iter(children) if wildcard == CHILDREN else tree.below(path)


def _find(tree: ModuleTree, name: str) -> str:
    """The path that a name leads to, step by step, so that the step that fails can be told."""
    if name == ROOT:
        return ROOT
    path = ROOT
    for step in name.split(SEPARATOR):
        children = tree.children(path)
        if not children:
            raise _Unknown("apierror-badmodule-nosubmodules", path)
        found = next((child for child in children if tree.by_path[child].name == step), None)
        if found is None:
            raise _Unknown("apierror-badmodule-badsubmodule", path, step)
        path = found
    return path
