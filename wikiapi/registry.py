"""Registries: names to declarations, filled once at start-up from the plugins.

Afterwards they are plain dictionaries; no hook is called per request or per token.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar

from wikiapi.errors import PluginError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

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
    **arguments: object,
) -> Registry[T]:
    """Ask every plugin for its declarations of one kind, built-in ones first.

    Args:
        manager: the site's plugin manager.
        hook: name of a ``register_*`` hook.
        names: the names that a declaration is found by.
        arguments: what the hook is called with.

    Raises:
        PluginError: two plugins register the same name, or a plugin's hook fails.
    """
    entries: dict[str, T] = {}
    owners: dict[str, str] = {}
    for implementation in getattr(manager.hook, hook).get_hookimpls():
        plugin = implementation.plugin_name
        for declaration in _declared(implementation, hook, arguments):
            for name in names(declaration):
                if name in owners:
                    raise PluginError(
                        f"{hook}: {name!r} is registered by {owners[name]} and by {plugin}"
                    )
                entries[name] = declaration
                owners[name] = plugin
    return Registry(entries, owners)


def _declared(
    implementation: pluggy.HookImpl, hook: str, arguments: Mapping[str, object]
) -> list[Any]:
    selected = {name: arguments[name] for name in implementation.argnames}
    try:
        declared: Any = implementation.function(**selected)
        return list(declared or ())
    except Exception as error:
        raise PluginError(f"plugin {implementation.plugin_name}: {hook} failed: {error}") from error


def own_name(declaration: Named) -> tuple[str, ...]:
    """Return the usual ``names`` of :func:`collect`: a declaration's single name."""
    return (declaration.name,)
