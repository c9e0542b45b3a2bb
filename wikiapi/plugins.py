"""The plugin manager. Each site has its own; none is stored in a module."""

from __future__ import annotations

import inspect
from importlib import metadata
from types import ModuleType
from typing import TYPE_CHECKING

import pluggy

from wikiapi import hookspecs
from wikiapi.errors import PluginError
from wikiapi.extension import Extension
from wikiapi.registry import ExtensionCredits, place_of, raised_at

__all__ = [
    "DISTRIBUTION",
    "Extension",
    "ExtensionCredits",
]


if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

PROJECT = "wikiapi"
ENTRY_POINT_GROUP = "wikiapi"
DISTRIBUTION = "wikiapi-server"
"""The project's name on PyPI, where ``wikiapi`` is another project."""
BUNDLED = "wikiapi_plugins"
"""The package that contains the plugins bundled with wikiapi."""
BUILTIN = "builtin"
"""The bundled plugin that is the package itself. Its hooks import what they need when called."""


def make_plugin_manager(
    *, disabled: Iterable[str] = (), order: Sequence[str] = (), extra: Iterable[object] = ()
) -> pluggy.PluginManager:
    """Return a manager with all installed plugins that are not disabled, and the extra ones.

    Installed plugins have an entry point in the group ``wikiapi``. They are loaded in the order of
    their names, those in ``order`` before all others.

    Raises:
        PluginError: a plugin cannot be imported, or implements a hook that does not exist.
    """
    manager = pluggy.PluginManager(PROJECT)
    manager.add_hookspecs(hookspecs)
    for name in disabled:
        manager.set_blocked(name)
    extra = list(extra)
    modules = {plugin.__name__ for plugin in extra if isinstance(plugin, ModuleType)}
    _load_entry_points(manager, order, modules)
    try:
        for plugin in extra:
            manager.register(plugin, name=_own_name(manager, plugin))
        manager.check_pending()
    except pluggy.PluginValidationError as error:
        refused = manager.get_name(error.plugin) or _own_name(manager, error.plugin)
        hooks = (name for name in dir(error.plugin) if f"{name!r}" in str(error))
        place = next((place_of(getattr(error.plugin, name)) for name in hooks), "")
        text = f"plugin {refused}: {error}{place}"
        raise PluginError(text) from error
    for registered, plugin in manager.list_name_plugin():
        _check_marks(registered, plugin)
    return manager


def installed() -> frozenset[str]:
    """Return the names of the installed plugins."""
    return frozenset(point.name for point in metadata.entry_points(group=ENTRY_POINT_GROUP))


def bundled() -> list[str]:
    """Return the names of the plugins that are bundled with wikiapi."""
    points = metadata.entry_points(group=ENTRY_POINT_GROUP)
    return [point.name for point in points if point.module.partition(".")[0] == BUNDLED]


def _check_marks(name: str, plugin: object) -> None:
    """Check that the functions of a plugin that have a hook's name are marked with ``hookimpl``.

    Raises:
        PluginError: a function is not marked, or is a wrapper, and would never be called.
    """
    owner = plugin if isinstance(plugin, ModuleType) else type(plugin)
    for hook in hookspecs.HOOK_NAMES:
        function = vars(owner).get(hook)
        if not inspect.isfunction(function):
            continue
        if marks := getattr(function, f"{PROJECT}_impl", None):
            # Hooks are called one plugin at a time, so that errors can name the failing plugin.
            if marks["wrapper"] or marks["hookwrapper"]:
                text = f"{hook}{place_of(function)} must not be a wrapper"
                raise PluginError(f"plugin {name}: {text}")
            continue
        if not isinstance(plugin, ModuleType) or function.__module__ == plugin.__name__:
            raise PluginError(f"plugin {name}: {hook}{place_of(function)} lacks @hookimpl")


def _own_name(manager: pluggy.PluginManager, plugin: object) -> str | None:
    """Return the name under which an extra plugin is registered and named in errors.

    That is the name of its module or class, or None if that name is taken or blocked.
    """
    name = plugin.__name__ if isinstance(plugin, ModuleType) else type(plugin).__qualname__
    is_free = not manager.has_plugin(name) and not manager.is_blocked(name)
    return name if is_free else None


def _load_entry_points(
    manager: pluggy.PluginManager, order: Sequence[str], modules: Collection[str]
) -> None:
    """Load the installed plugins, except modules in ``modules``, which are registered later."""
    places = {name: place for place, name in enumerate(order)}
    last = len(places)
    points = metadata.entry_points(group=ENTRY_POINT_GROUP)
    for point in sorted(points, key=lambda point: (places.get(point.name, last), point.name)):
        if (
            manager.is_blocked(point.name)
            or manager.has_plugin(point.name)
            or point.value in modules
        ):
            continue
        try:
            manager.register(point.load(), name=point.name)
        except Exception as error:
            text = f"{error}{raised_at(error)}"
            dist = point.dist
            described = f"{point.name} ({dist.name} {dist.version})" if dist else point.name
            raise PluginError(f"plugin {described} cannot be loaded: {text}") from error
