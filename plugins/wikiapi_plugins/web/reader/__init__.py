"""The reader: the wiki's pages in a browser, with search, histories, differences and files."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from wsgiref.types import WSGIApplication

from wikiapi.hookspecs import hookimpl
from wikiapi.http import Mount
from wikiapi.site import Site
from wikiapi_plugins.web.reader import routes
from wikiapi_plugins.web.reader.reader import Reader, folder
from wikiapi_plugins.web.reader.routes import with_root_pages, with_styled_404


@hookimpl
def register_mounts(site: Site) -> Iterable[Mount]:
    """Mount pages, ``index.php``, static files, uploads, thumbnails, and a redirect at ``/``."""
    return routes.mounts(site.derived(Reader))


@hookimpl
def wrap_wsgi(app: WSGIApplication, site: Site) -> WSGIApplication:
    """Serve pages directly at the root of the site, if it is configured so, and pages for 404.

    This also gives the reader the application, through which it calls the API.
    """
    reader = site.derived(Reader)
    reader.api = app
    if reader.addresses.are_at_root:
        app = with_root_pages(app, routes.root_pages(reader), site.config.site.script_path)
    return with_styled_404(app, routes.nothing_here(reader))


@hookimpl
def register_messages() -> Iterable[Path]:
    """Return the folder with the reader's interface messages."""
    return (folder("messages"),)
