"""Registries: names to declarations, filled once at start-up from the plugins.

Afterwards they are plain dictionaries; no hook is called per request or per token.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar

from wikiapi.errors import PluginError
from wikiapi.plugins import place_of, raised_at

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    import pluggy


class Named(Protocol):
    """What a registry holds: anything with a name."""

    @property
    def name(self) -> str:
        """The name it is found by."""


T = TypeVar("T")


class Registry(Mapping[str, T], Generic[T]):
    """A read-only mapping of names to what plugins declared, in order of registration."""

    def __init__(self, entries: Mapping[str, T], owners: Mapping[str, str]) -> None:
        """Take the entries and, for each name, the plugin it comes from."""
        self._entries = MappingProxyType(dict(entries))
        self._owners = owners

    def __getitem__(self, name: str) -> T:
        """Return the declaration of a name."""
        return self._entries[name]

    def __iter__(self) -> Iterator[str]:
        """Yield the names in order of registration."""
        return iter(self._entries)

    def __len__(self) -> int:
        """Number of names."""
        return len(self._entries)

    def owner(self, name: str) -> str:
        """Return the plugin that registered a name."""
        return self._owners[name]


def collect(
    manager: pluggy.PluginManager,
    hook: str,
    names: Callable[[T], Iterable[str]],
    *,
    instances_of: type | None = None,
    subclasses_of: type | None = None,
    **arguments: object,
) -> Registry[T]:
    """Ask every plugin for its declarations of one kind, built-in ones first.

    Args:
        manager: the site's plugin manager.
        hook: name of a ``register_*`` hook.
        names: the names that a declaration is found by.
        instances_of: what declarations have to be, if they are objects.
        subclasses_of: the base of declarations that are classes.
        arguments: what the hook is called with.

    Raises:
        PluginError: two plugins register the same name, a plugin's hook fails, or it returns
            something else.
    """
    entries: dict[str, T] = {}
    owners: dict[str, str] = {}
    for implementation in getattr(manager.hook, hook).get_hookimpls():
        plugin = implementation.plugin_name
        for declaration in _declared(implementation, arguments):
            if problem := _problem(declaration, instances_of, subclasses_of):
                raise PluginError(f"plugin {plugin}: {hook} returned {problem}")
            for name in names(declaration):
                if name in owners:
                    raise PluginError(
                        f"{hook}: {name!r} is registered by {owners[name]} and by {plugin}"
                    )
                entries[name] = declaration
                owners[name] = plugin
    return Registry(entries, owners)


def declarations(manager: pluggy.PluginManager, hook: str, **arguments: object) -> list[Any]:
    """Return what plugins declare that has no name, in the order in which pluggy calls them.

    Raises:
        PluginError: a plugin's hook fails, or does not return a list.
    """
    implementations = getattr(manager.hook, hook).get_hookimpls()
    return [
        declaration
        for implementation in reversed(implementations)
        for declaration in _declared(implementation, arguments)
    ]


def _declared(implementation: pluggy.HookImpl, arguments: Mapping[str, object]) -> list[Any]:
    selected = {name: arguments[name] for name in implementation.argnames}
    where = f"plugin {implementation.plugin_name}: {implementation.function.__name__}"
    try:
        declared: Any = implementation.function(**selected)
        if declared is None:
            return []
        if not isinstance(declared, str) and isinstance(declared, Iterable):
            return list(declared)
    except Exception as error:
        raise PluginError(f"{where} failed: {error}{raised_at(error)}") from error
    place = place_of(implementation.function)
    raise PluginError(f"{where}{place} returned {_shown(declared)} and not a list of declarations")


def _problem(declaration: Any, instances_of: type | None, subclasses_of: type | None) -> str:
    """Return what is wrong with a declaration, in the words that follow "returned"."""
    if subclasses_of and not (
        isinstance(declaration, type) and issubclass(declaration, subclasses_of)
    ):
        return f"{_shown(declaration)}, which is no class derived from {subclasses_of.__name__}"
    if instances_of and not isinstance(declaration, instances_of):
        return f"{_shown(declaration)}, which is no {instances_of.__name__}"
    if subclasses_of and inspect.isabstract(declaration):
        missing = ", ".join(sorted(declaration.__abstractmethods__))
        return f"{_shown(declaration)}, which does not define {missing}"
    if subclasses_of and not _is_name(getattr(declaration, "name", "")):
        return f"{_shown(declaration)}, which has no name"
    return ""


def _is_name(name: object) -> bool:
    return isinstance(name, str) and bool(name)


def _shown(declaration: object) -> str:
    """Return a declaration as errors name it: a class with its place, a value with its type."""
    if isinstance(declaration, type):
        return f"{declaration.__name__}{place_of(declaration)}"
    text = repr(declaration)
    if callable(declaration):
        return f"{getattr(declaration, '__name__', text)}{place_of(declaration)}"
    return f"{text if len(text) <= 60 else text[:60] + '…'} ({type(declaration).__name__})"


def own_name(declaration: Named) -> tuple[str, ...]:
    """Return the usual ``names`` of :func:`collect`: a declaration's single name."""
    return (declaration.name,)
