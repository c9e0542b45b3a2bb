"""The modules of a site by path: ``main``, ``parse``, ``query+info``, ``json``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TypeVar

from wikiapi.api import PARENT, Main, Module, Param, registries
from wikiapi.registry import Registry
from wikiapi.site import Site

M = TypeVar("M", bound="Module")

ROOT = "main"
SEPARATOR = "+"
OWN = "builtin"


@dataclass(frozen=True)
class Described:
    """A module with all its parameters; ``plugin`` is the name of the one that registered it."""

    path: str
    module: type[Module]
    params: tuple[Param, ...]
    plugin: str

    @property
    def name(self) -> str:
        """The name of the module within its parent."""
        return self.module.name

    @property
    def group(self) -> str:
        """The parameter of the parent that selects this module; empty for the main module."""
        return "" if self.path == ROOT else self.module.group


class ModuleTree:
    """All modules of a site; obtain it with ``site.derived(ModuleTree)``."""

    def __init__(self, site: Site) -> None:
        """Collect the modules from the site's registries."""
        self.site = site
        self._by_path: dict[str, Described] = {ROOT: self._described(ROOT, Main, OWN)}
        self._children: dict[str, list[str]] = {}
        self._add(ROOT, registries(site).actions)
        self._add(ROOT, registries(site).formats)
        self._add(PARENT, registries(site).query_modules)

    def _add(self, parent: str, registry: Registry[type[M]]) -> None:
        for name in sorted(registry):
            path = child_path(parent, name)
            self._by_path[path] = self._described(path, registry[name], registry.owner(name))
            self._children.setdefault(parent, []).append(path)

    def _described(self, path: str, module: type[Module], plugin: str) -> Described:
        return Described(path, module, module.param_set(self.site).params, plugin)

    @property
    def by_path(self) -> Mapping[str, Described]:
        """The modules by path."""
        return self._by_path

    def parent(self, path: str) -> str:
        """Return the path of a module's parent; empty for the main module."""
        return "" if path == ROOT else path.rpartition(SEPARATOR)[0] or ROOT

    def children(self, path: str) -> list[str]:
        """Return the paths of a module's submodules, sorted by name within each group."""
        return self._children.get(path, [])

    def below(self, path: str) -> Iterator[str]:
        """Yield the paths of all descendants of a module, each before its own submodules."""
        for child in self.children(path):
            yield child
            yield from self.below(child)

    def submodules(self, described: Described, param: Param, names: list[str]) -> dict[str, str]:
        """Return the paths of the modules that are values of a parameter, by name."""
        parent = ROOT if described.path == ROOT else PARENT
        return {name: child_path(parent, name) for name in names}


def child_path(parent: str, name: str) -> str:
    """Return the path of a submodule."""
    return name if parent == ROOT else f"{parent}{SEPARATOR}{name}"


class UnknownModule(Exception):
    """A name that leads to no module; ``key`` and ``params`` are those of its message."""

    def __init__(self, key: str, *params: str) -> None:
        """Initialise with the key and the parameters of the message."""
        super().__init__(key)
        self.key, self.params = key, params


def find_path(tree: ModuleTree, name: str) -> str:
    """Return the path of the module that a name leads to, resolved step by step.

    Raises:
        UnknownModule: a step leads nowhere; the message names that step.
    """
    if name == ROOT:
        return ROOT
    path = ROOT
    for step in name.split(SEPARATOR):
        children = children_of(tree, path)
        child = next((child for child in children if tree.by_path[child].name == step), None)
        if child is None:
            raise UnknownModule("apierror-badmodule-badsubmodule", path, step)
        path = child
    return path


def children_of(tree: ModuleTree, path: str) -> list[str]:
    """Return the paths of a module's submodules.

    Raises:
        UnknownModule: it has none.
    """
    children = tree.children(path)
    if not children:
        raise UnknownModule("apierror-badmodule-nosubmodules", path)
    return children
