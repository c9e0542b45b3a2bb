"""Which modules a request names: by path, or by a path that ends with ``*`` or ``**``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wikiapi_plugins.documentation.paths import UnknownModule, children_of, find_path
from wikiapi_plugins.documentation.tree import ROOT, SEPARATOR

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from wikiapi_plugins.documentation.tree import ModuleTree

CHILDREN, ALL = "*", "**"


def chosen_paths(tree: ModuleTree, names: Iterable[str], warn: Callable[..., None]) -> list[str]:
    """The paths of the modules named, in the order of the names and each once."""
    chosen: dict[str, None] = {}
    for name in names:
        try:
            parent, _, last = name.rpartition(SEPARATOR)
            if last in (CHILDREN, ALL):
                chosen |= dict.fromkeys(sorted(_under(tree, parent or ROOT, last)))
            else:
                chosen[find_path(tree, name)] = None
        except UnknownModule as unknown:
            warn(unknown.key, *unknown.params)
    return list(chosen)


def _under(tree: ModuleTree, parent: str, wildcard: str) -> Iterator[str]:
    path = find_path(tree, parent)
    children = children_of(tree, path)
    return iter(children) if wildcard == CHILDREN else tree.below(path)
