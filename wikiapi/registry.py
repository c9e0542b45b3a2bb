"""Registries of the plugins' declarations by name, filled once at start-up.

Looking up a name only reads a dictionary; no hook is called per request or per token.
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
    """A declaration with a name."""

    @property
    def name(self) -> str:
        """The name under which it is registered."""


T = TypeVar("T")


class Registry(Mapping[str, T], Generic[T]):
    """A read-only mapping of names to declarations of plugins, in order of registration."""

    def __init__(self, entries: Mapping[str, T], owners: Mapping[str, str]) -> None:
        """Take the declarations by name, and the plugins that registered them by name."""
        self._entries = MappingProxyType(dict(entries))
        self._owners = owners

    def __getitem__(self, name: str) -> T:
        """Return the declaration with a name."""
        return self._entries[name]

    def __iter__(self) -> Iterator[str]:
        """Yield the names in order of registration."""
        return iter(self._entries)

    def __len__(self) -> int:
        """Return the number of names."""
        return len(self._entries)

    def owner(self, name: str) -> str:
        """Return the name of the plugin that registered a name."""
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
    """Return a registry of what every plugin declares with a hook.

    Args:
        manager: the site's plugin manager.
        hook: name of a ``register_*`` hook.
        names: returns the names under which a declaration is registered.
        instances_of: the class of the declarations, if they are objects.
        subclasses_of: the base class of the declarations, if they are classes.
        arguments: the arguments of the hook.

    Raises:
        PluginError: two plugins register the same name, or a plugin's hook fails or returns
            anything else.
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
    """Return what every plugin declares with a hook, for declarations that have no name.

    They are in the order in which pluggy calls plugins, the last one loaded first.

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
    """Return a text that describes what is wrong with a declaration, empty if nothing is.

    The text completes a sentence such as "the plugin returned".
    """
    if subclasses_of and not (
        isinstance(declaration, type) and issubclass(declaration, subclasses_of)
    ):
        return f"{_shown(declaration)}, which is not a class derived from {subclasses_of.__name__}"
    if instances_of and not isinstance(declaration, instances_of):
        return f"{_shown(declaration)}, which is not of type {instances_of.__name__}"
    if subclasses_of and inspect.isabstract(declaration):
        missing = ", ".join(sorted(declaration.__abstractmethods__))
        return f"{_shown(declaration)}, which does not define {missing}"
    if subclasses_of and not _is_name(getattr(declaration, "name", "")):
        return f"{_shown(declaration)}, which has no name"
    return ""


def _is_name(name: object) -> bool:
    return isinstance(name, str) and bool(name)


def _shown(declaration: object) -> str:
    """Return a declaration as errors show it: a class with its file and line, a value with its
    type.
    """
    if isinstance(declaration, type):
        return f"{declaration.__name__}{place_of(declaration)}"
    text = repr(declaration)
    if callable(declaration):
        return f"{getattr(declaration, '__name__', text)}{place_of(declaration)}"
    return f"{text if len(text) <= 60 else text[:60] + '…'} ({type(declaration).__name__})"


def own_name(declaration: Named) -> tuple[str, ...]:
    """Return a declaration's only name; the usual ``names`` of :func:`collect`."""
    return (declaration.name,)
