"""An OpenAPI description of the API, made from what the modules declare.

``/openapi.json`` describes all of it, ``/openapi/parse.json`` or ``/openapi/query+info.json`` one
module.
"""

from __future__ import annotations

from collections.abc import Iterable

from wikiapi.hookspecs import hookimpl
from wikiapi.http import Mount
from wikiapi.site import Site
from wikiapi_plugins.web.openapi import pages


@hookimpl
def register_mounts(site: Site) -> Iterable[Mount]:
    """Return the description as a whole and by module."""
    return (
        Mount(pages.WHOLE, pages.whole_app(site)),
        Mount(pages.PARTS, pages.parts_app(site)),
    )
