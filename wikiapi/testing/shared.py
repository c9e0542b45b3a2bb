"""Objects that the wikis of a test run share, so that creating a wiki takes milliseconds."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import replace
from typing import TypeVar

from pluggy import PluginManager

from wikiapi.config import PluginsConfig
from wikiapi.factory import open_site
from wikiapi.plugins import make_plugin_manager
from wikiapi.site import Site
from wikiapi.testing.clock import Clock
from wikiapi.testing.declaration import Declaration
from wikiapi.testing.sites import made_settings, make_site
from wikiapi.testing.snapshots import image_of, restored

_MAX_IMAGES = 32
_MAX_MANAGERS = 8

V = TypeVar("V")


class SharedParts:
    """Caches of loaded plugins and of store images, from which equal wikis are copied.

    The least recently used entries are evicted.
    """

    def __init__(self) -> None:
        """Create empty caches."""
        # The plugins are kept with each image, because their identities are part of the key.
        self._images: OrderedDict[object, tuple[bytes, tuple[object, ...]]] = OrderedDict()
        self._managers: OrderedDict[object, PluginManager] = OrderedDict()

    def site(self, declared: Declaration, clock: Clock, folder: str = "") -> Site:
        """Return a new site with its own store, which has the declared content.

        Args:
            declared: the content and the settings.
            clock: the clock of the site.
            folder: the upload folder, unless one is declared.

        Raises:
            ConfigError, InvalidTitle, PluginError: see :func:`~wikiapi.testing.make_site`.
        """
        config = made_settings(declared.settings, tuple(declared.namespaces))
        if not config.files.folder:
            config = replace(config, files=replace(config.files, folder=folder))
        manager = self._manager(config.plugins, tuple(declared.plugins))
        key = declared.same_content()
        if key in self._images:
            self._images.move_to_end(key)
            database = restored(self._images[key][0])
            return open_site(config, database=database, clock=clock, manager=manager)
        site = make_site(
            declared.pages,
            config=config,
            users=declared.users,
            files=declared.files,
            interwiki=declared.interwiki,
            clock=clock,
            manager=manager,
        )
        _keep(self._images, key, (image_of(site.db), tuple(declared.plugins)), _MAX_IMAGES)
        return site

    def _manager(self, chosen: PluginsConfig, plugins: tuple[object, ...]) -> PluginManager:
        key = (chosen.disabled, chosen.order, tuple(map(id, plugins)))
        if key in self._managers:
            self._managers.move_to_end(key)
            return self._managers[key]
        manager = make_plugin_manager(disabled=chosen.disabled, order=chosen.order, extra=plugins)
        _keep(self._managers, key, manager, _MAX_MANAGERS)
        return manager


def _keep(cache: OrderedDict[object, V], key: object, value: V, most: int) -> None:
    cache[key] = value
    if len(cache) > most:
        cache.popitem(last=False)
