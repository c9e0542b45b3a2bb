"""The API explorer: a page with forms for all modules, generated from their descriptions."""

from __future__ import annotations

from collections.abc import Iterable

from wikiapi.hookspecs import hookimpl
from wikiapi.http import Mount
from wikiapi.site import Site
from wikiapi_plugins.interface.explorer import PATH
from wikiapi_plugins.web.explorer.page import FILES, ExplorerPage
from wikiapi_plugins.web.replies import web_app


@hookimpl
def register_mounts(site: Site) -> Iterable[Mount]:
    """Mount the page, and the folder of its scripts and style sheet."""
    page = ExplorerPage(site)
    return (Mount(PATH, web_app(page.answer, PATH), "Explorer"), Mount(FILES, page.files.app()))
