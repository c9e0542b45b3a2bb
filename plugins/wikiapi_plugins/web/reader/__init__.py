"""The wiki for people: its pages in a browser, with search, histories, differences and files."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wikiapi.hookspecs import hookimpl
from wikiapi_plugins.web.reader.skin import folder

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from wikiapi.http.mounts import Mount
    from wikiapi.site import Site


@hookimpl
def register_mounts(site: Site) -> Iterable[Mount]:
    """Pages, ``index.php``, style sheets, files, thumbnails, and the way to the main page."""
    from wikiapi_plugins.web.reader.reader import Reader

    return Reader(site).mounts()


@hookimpl
def register_messages() -> Iterable[Path]:
    """The texts of the interface."""
    return (folder("messages"),)
