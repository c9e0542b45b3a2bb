"""``load.php``: serving the style sheets and scripts of extensions, the wiki and its gadgets."""

from __future__ import annotations

from collections.abc import Iterable
from wsgiref.types import WSGIApplication

from wikiapi.hookspecs import hookimpl
from wikiapi.http import Mount
from wikiapi.site import Site
from wikiapi_plugins.web.load.answering import Loader
from wikiapi_plugins.web.load.startup import SCRIPT
from wikiapi_plugins.web.paths import script, suffixes


@hookimpl
def register_mounts(site: Site) -> Iterable[Mount]:
    """Mount ``load.php`` beside the API."""
    loader = site.derived(Loader)
    paths = suffixes(script(site, SCRIPT), f"/{SCRIPT}")
    return [Mount(path, loader.app(path)) for path in paths]


@hookimpl
def wrap_wsgi(app: WSGIApplication, site: Site) -> WSGIApplication | None:
    """Give ``load.php`` the application, which knows who may read a private wiki."""
    site.derived(Loader).api = app
    return None
