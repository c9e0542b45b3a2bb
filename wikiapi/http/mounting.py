"""Mount wikis below paths of another WSGI application, such as one of Flask or Django."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from wsgiref.types import WSGIApplication

from werkzeug.middleware.dispatcher import DispatcherMiddleware

from wikiapi.config import Config
from wikiapi.errors import ConfigError
from wikiapi.factory import Source, configuration, open_site
from wikiapi.http.app import make_app


def mount(app: WSGIApplication, wikis: Mapping[str, Source]) -> WSGIApplication:
    """Return an application with wikis at some of its paths. They share nothing but the process.

    Args:
        app: the application that answers everything else.
        wikis: each wiki by its mount point, such as ``/docs``: its settings, the name of its
            configuration file, or a database with default settings.

    Raises:
        ConfigError: a mount point is no path, or settings contradict each other.
        PluginError: a plugin cannot be loaded.
        StoreError: a database cannot be opened.
    """
    return DispatcherMiddleware(
        app, {point: wiki_at(point, source) for point, source in wikis.items()}
    )


def wiki_at(point: str, source: Source) -> WSGIApplication:
    """Return the application of a single wiki, for another framework to mount at this path.

    Raises:
        ConfigError, PluginError, StoreError: as for `mount`.
    """
    return make_app(open_site(below(configuration(source), point)))


def below(config: Config, point: str) -> Config:
    """Return the settings of a wiki with the mount point added to its paths.

    ``server`` is not changed. It is never taken from a request.

    Raises:
        ConfigError: the mount point is no path like ``/docs``.
    """
    if not point.startswith("/") or point.endswith("/"):
        raise ConfigError(f"the mount point {point!r} is not like '/docs'")
    site = replace(
        config.site,
        script_path=point + config.site.script_path,
        article_path=point + config.site.article_path,
    )
    url = config.files.url
    files = replace(config.files, url=point + url if url.startswith("/") else url)
    return replace(config, site=site, files=files)
