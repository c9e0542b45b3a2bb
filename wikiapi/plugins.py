"""The plugin manager: created by a factory for each site, never stored in a module."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import metadata
from types import ModuleType
from typing import TYPE_CHECKING

import pluggy

from wikiapi import __version__, hookspecs
from wikiapi.errors import PluginError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

PROJECT = "wikiapi"
ENTRY_POINT_GROUP = "wikiapi"
BUNDLED = "wikiapi_plugins"
"""The package of the plugins that come with wikiapi."""
VERSION_PAGE = "https://www.mediawiki.org/wiki/Extension:"


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtensionCredits:
    """What a plugin says of itself, for ``siprop=extensions``: clients look for it by name.

    ``kind`` is one of MediaWiki's groups: ``parserhook``, ``api``, ``semantic``, ``other``... A
    plugin that does what a MediaWiki extension does takes that one's name and kind; ``url`` is
    then that one's description. ``license`` is an SPDX expression of the plugin's own.
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
        """Return the credits of a plugin that ships with wikiapi and stands in for an extension."""
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
    """Return a manager with every installed plugin but the disabled ones, and the extra ones given.

    Plugins announce themselves by an entry point in the group ``wikiapi``. They are loaded in the
    order of their names, those in ``order`` before all others.

    Raises:
        PluginError: a plugin cannot be imported, or implements a hook that does not exist.
    """
    manager = pluggy.PluginManager(PROJECT)
    manager.add_hookspecs(hookspecs)
    for name in disabled:
        manager.set_blocked(name)
    _load_entry_points(manager, order)
    try:
        for plugin in extra:
            manager.register(plugin, name=_own_name(manager, plugin))
        manager.check_pending()
    except pluggy.PluginValidationError as error:
        raise PluginError(f"plugin {manager.get_name(error.plugin)}: {error}") from error
    return manager


def bundled() -> list[str]:
    """Return the names of the plugins that come with wikiapi."""
    points = metadata.entry_points(group=ENTRY_POINT_GROUP)
    return [point.name for point in points if point.module.partition(".")[0] == BUNDLED]


def _own_name(manager: pluggy.PluginManager, plugin: object) -> str | None:
    """Return the class of a plugin that was given as an object, to name it in errors."""
    name = plugin.__name__ if isinstance(plugin, ModuleType) else type(plugin).__qualname__
    is_free = not manager.has_plugin(name) and not manager.is_blocked(name)
    return name if is_free else None


def _load_entry_points(manager: pluggy.PluginManager, order: Sequence[str]) -> None:
    places = {name: place for place, name in enumerate(order)}
    last = len(places)
    points = metadata.entry_points(group=ENTRY_POINT_GROUP)
    for point in sorted(points, key=lambda point: (places.get(point.name, last), point.name)):
        if manager.is_blocked(point.name) or manager.has_plugin(point.name):
            continue
        try:
            manager.register(point.load(), name=point.name)
        except Exception as error:
            raise PluginError(f"plugin {_described(point)} cannot be loaded: {error}") from error


def _described(point: metadata.EntryPoint) -> str:
    dist = point.dist
    return f"{point.name} ({dist.name} {dist.version})" if dist else point.name
