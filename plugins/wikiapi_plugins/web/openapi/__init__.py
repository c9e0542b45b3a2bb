"""An OpenAPI description of the API, made from what the modules declare.

``/openapi.json`` describes all of it, ``/openapi/parse.json`` or ``/openapi/query+info.json`` one
module.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from wikiapi.hookspecs import hookimpl
from wikiapi.http import Mount
from wikiapi_plugins.web.openapi import pages

if TYPE_CHECKING:
    from collections.abc import Iterable

    from wikiapi.site import Site


@hookimpl
def register_mounts(site: Site) -> Iterable[Mount]:
    """The description as a whole and by module."""
    return (
        Mount(pages.WHOLE, pages.whole_app(site)),
        Mount(pages.PARTS, pages.parts_app(site)),
    )
