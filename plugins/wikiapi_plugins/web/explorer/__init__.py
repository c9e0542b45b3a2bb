"""A page to try the API on: forms made from what its modules say about themselves."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wikiapi.hookspecs import hookimpl
from wikiapi.http import Mount
from wikiapi_plugins.interface.explorer import PATH
from wikiapi_plugins.web.explorer.page import FILES, ExplorerPage
from wikiapi_plugins.web.replies import web_app

if TYPE_CHECKING:
    from collections.abc import Iterable

    from wikiapi.site import Site


@hookimpl
def register_mounts(site: Site) -> Iterable[Mount]:
    """The page, and the scripts and style sheet it uses."""
    page = ExplorerPage(site)
    return (Mount(PATH, web_app(page.answer, PATH)), Mount(FILES, page.files.app()))
