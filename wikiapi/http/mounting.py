"""Mounts wikis at paths of another WSGI application, such as one of Flask or Django."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from wsgiref.types import WSGIApplication

from werkzeug.middleware.dispatcher import DispatcherMiddleware

from wikiapi.config import Config
from wikiapi.errors import ConfigError
from wikiapi.factory import Source, configuration, open_existing
from wikiapi.http.app import make_app


def mount(app: WSGIApplication, wikis: Mapping[str, Source]) -> WSGIApplication:
    """Return an application with wikis mounted at some paths. They share nothing but the process.

    Args:
        app: the application for all other paths.
        wikis: the wikis by mount point, such as ``/handbook``. Each is given by its settings, the
            name of its configuration file or of the folder with its ``wikiapi.toml``, or a
            database, as for `wikiapi.open`.

    Raises:
        ConfigError: a mount point is not a path, or settings contradict each other.
        PluginError: a plugin cannot be loaded.
        StoreError: a database is missing, empty or of an unsupported version.
    """
    return DispatcherMiddleware(
        app, {point: wiki_at(point, source) for point, source in wikis.items()}
    )


def wiki_at(point: str, source: Source) -> WSGIApplication:
    """Return the application of a single wiki, to be mounted at a path by another framework.

    Raises:
        ConfigError, PluginError, StoreError: as for `mount`.
    """
    return make_app(open_existing(below(configuration(source), point)))


def below(config: Config, point: str) -> Config:
    """Return the settings of a wiki with the mount point prepended to its paths.

    ``server`` does not change.

    Raises:
        ConfigError: the mount point is not a path like ``/handbook``.
    """
    if not point.startswith("/") or point.endswith("/"):
        raise ConfigError(f"the mount point {point!r} is not a path like '/docs'")
    site = replace(
        config.site,
        script_path=point + config.site.script_path,
        article_path=point + config.site.article_path,
    )
    url = config.files.url
    files = replace(config.files, url=point + url if url.startswith("/") else url)
    return replace(config, site=site, files=files)
