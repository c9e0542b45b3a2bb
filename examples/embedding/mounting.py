"""Mount wikis below paths of another WSGI application; the other examples use this module."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from wsgiref.types import WSGIApplication

from werkzeug.middleware.dispatcher import DispatcherMiddleware

from wikiapi.config import Config
from wikiapi.factory import open_site
from wikiapi.http import make_app


def below(config: Config, mount: str) -> Config:
    """Return the settings of a wiki with the mount point added to its paths.

    ``server`` is not changed. It is never taken from a request.
    """
    site = replace(
        config.site,
        script_path=mount + config.site.script_path,
        article_path=mount + config.site.article_path,
    )
    url = config.files.url
    files = replace(config.files, url=mount + url if url.startswith("/") else url)
    return replace(config, site=site, files=files)


def mounted(app: WSGIApplication, wikis: Mapping[str, Config]) -> WSGIApplication:
    """Return an application with wikis at some of its paths. The wikis share only the process."""
    sites = {mount: open_site(below(config, mount)) for mount, config in wikis.items()}
    return DispatcherMiddleware(app, {mount: make_app(site) for mount, site in sites.items()})
