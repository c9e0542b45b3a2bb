"""The wiki for people: its pages in a browser, with search, histories, differences and files."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from wsgiref.types import WSGIApplication

from wikiapi.hookspecs import hookimpl
from wikiapi.http import Mount
from wikiapi.site import Site
from wikiapi_plugins.web.reader.reader import Reader
from wikiapi_plugins.web.reader.rootpages import with_root_pages
from wikiapi_plugins.web.reader.skin import folder


@hookimpl
def register_mounts(site: Site) -> Iterable[Mount]:
    """Pages, ``index.php``, style sheets, files, thumbnails, and the way to the main page."""
    return _reader(site).mounts()


@hookimpl
def wrap_wsgi(app: WSGIApplication, site: Site) -> WSGIApplication | None:
    """Pages at the root of the site, where the settings have them there."""
    reader = _reader(site)
    if not reader.addresses.are_at_root:
        return None
    return with_root_pages(app, reader.root_pages(), site.config.site.script_path)


@hookimpl
def register_messages() -> Iterable[Path]:
    """The texts of the interface."""
    return (folder("messages"),)


def _reader(site: Site) -> Reader:
    """The site's reader; imported only where pages are served."""
    from wikiapi_plugins.web.reader.reader import Reader

    return site.api.derived(Reader)
