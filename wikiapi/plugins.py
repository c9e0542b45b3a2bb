"""The plugin manager. Each site has its own; none is stored in a module."""

from __future__ import annotations

import functools
import inspect
import traceback
from dataclasses import dataclass
from importlib import metadata
from types import ModuleType
from typing import TYPE_CHECKING, Any

import pluggy

from wikiapi import __version__, hookspecs
from wikiapi.errors import PluginError

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

PROJECT = "wikiapi"
ENTRY_POINT_GROUP = "wikiapi"
DISTRIBUTION = "wikiapi-server"
"""The project's name on PyPI, where ``wikiapi`` is another project."""
BUNDLED = "wikiapi_plugins"
"""The package that contains the plugins bundled with wikiapi."""
VERSION_PAGE = "https://www.mediawiki.org/wiki/Extension:"


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtensionCredits:
    """A plugin's entry in ``siprop=extensions``, where clients look for extensions by name.

    ``kind`` is one of MediaWiki's groups: ``parserhook``, ``api``, ``semantic``, ``other``... A
    plugin that replaces a MediaWiki extension has the extension's name and kind, and ``url`` is the
    page that describes the extension. ``license`` is the plugin's own license as an SPDX
    expression.
    """

    name: str
    kind: str = "other"
    url: str = ""
    version: str = ""
    license: str = ""
    author: str = ""
    description: str = ""

    @classmethod
    def bundled(cls, name: str, kind: str, description: str) -> ExtensionCredits:
        """Return the credits of a bundled plugin that replaces a MediaWiki extension."""
        return cls(
            name=name,
            kind=kind,
            url=VERSION_PAGE + name,
            version=__version__,
            license="MIT",
            author="wikiapi",
            description=description,
        )


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
    given = {plugin.__name__ for plugin in extra if isinstance(plugin, ModuleType)}
    _load_entry_points(manager, order, given)
    try:
        for plugin in extra:
            manager.register(plugin, name=_own_name(manager, plugin))
        manager.check_pending()
    except pluggy.PluginValidationError as error:
        refused = manager.get_name(error.plugin) or _own_name(manager, error.plugin)
        text = f"plugin {refused}: {error}{_named_place(error)}"
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


def place_of(declared: object) -> str:
    """Return the file and line of a function or class in parentheses, or an empty string."""
    try:
        unwrapped: Any = inspect.unwrap(declared) if callable(declared) else declared
        file = inspect.getsourcefile(unwrapped)
        line = inspect.getsourcelines(unwrapped)[1]
    except (OSError, TypeError):
        return ""
    return f" ({file}:{line})"


def owner_of(function: object, manager: pluggy.PluginManager) -> str:
    """Return the name of the plugin that a function or method belongs to, or ``?``."""
    while isinstance(function, functools.partial):
        function = function.func
    if name := manager.get_name(getattr(function, "__self__", None)):
        return name
    module = f"{getattr(function, '__module__', '')}."
    owners = [
        (len(own), name)
        for name, plugin in manager.list_name_plugin()
        if plugin is not None
        for own in [plugin.__name__ if isinstance(plugin, ModuleType) else type(plugin).__module__]
        if module.startswith(f"{own}.")
    ]
    return max(owners)[1] if owners else "?"


def raised_at(error: BaseException) -> str:
    """Return the file and line where an exception was raised in parentheses, or an empty string."""
    frames = traceback.extract_tb(error.__traceback__)
    outside = [frame for frame in frames if not frame.filename.startswith("<")]
    return f" ({outside[-1].filename}:{outside[-1].lineno})" if outside else ""


def _named_place(error: pluggy.PluginValidationError) -> str:
    """Return the file and line of the function that pluggy's error names."""
    named = (name for name in dir(error.plugin) if f"{name!r}" in str(error))
    return next((place_of(getattr(error.plugin, name)) for name in named), "")


def _check_marks(name: str, plugin: object) -> None:
    """Check that the functions of a plugin that have a hook's name are marked with ``hookimpl``.

    Raises:
        PluginError: a function is not marked, or is a wrapper, and would never be called.
    """
    owner = plugin if isinstance(plugin, ModuleType) else type(plugin)
    for hook in hookspecs.HOOK_NAMES:
        found = vars(owner).get(hook)
        if not inspect.isfunction(found):
            continue
        if marks := getattr(found, f"{PROJECT}_impl", None):
            # Hooks are called one plugin at a time, so that errors can name the failing plugin.
            if marks["wrapper"] or marks["hookwrapper"]:
                raise PluginError(f"plugin {name}: {hook}{place_of(found)} must not be a wrapper")
            continue
        if not isinstance(plugin, ModuleType) or found.__module__ == plugin.__name__:
            raise PluginError(f"plugin {name}: {hook}{place_of(found)} lacks @hookimpl")


def _own_name(manager: pluggy.PluginManager, plugin: object) -> str | None:
    """Return the name under which an extra plugin is registered and named in errors.

    That is the name of its module or class, or None if that name is taken or blocked.
    """
    name = plugin.__name__ if isinstance(plugin, ModuleType) else type(plugin).__qualname__
    is_free = not manager.has_plugin(name) and not manager.is_blocked(name)
    return name if is_free else None


def _load_entry_points(
    manager: pluggy.PluginManager, order: Sequence[str], given: Collection[str]
) -> None:
    """Load the installed plugins, except modules in ``given``, which are registered later."""
    places = {name: place for place, name in enumerate(order)}
    last = len(places)
    points = metadata.entry_points(group=ENTRY_POINT_GROUP)
    for point in sorted(points, key=lambda point: (places.get(point.name, last), point.name)):
        if manager.is_blocked(point.name) or manager.has_plugin(point.name) or point.value in given:
            continue
        try:
            manager.register(point.load(), name=point.name)
        except Exception as error:
            text = f"{error}{raised_at(error)}"
            raise PluginError(f"plugin {_described(point)} cannot be loaded: {text}") from error


def _described(point: metadata.EntryPoint) -> str:
    dist = point.dist
    return f"{point.name} ({dist.name} {dist.version})" if dist else point.name
