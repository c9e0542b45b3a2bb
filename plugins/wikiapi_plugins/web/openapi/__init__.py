"""An OpenAPI description of the API, generated from the declarations of the modules.

``/openapi.json`` describes the whole API; ``/openapi/parse.json`` or ``/openapi/query+info.json``
describes a single module.
"""

from __future__ import annotations

from collections.abc import Iterable

from wikiapi.hookspecs import hookimpl
from wikiapi.http import Mount
from wikiapi.site import Site
from wikiapi_plugins.web.openapi import pages


@hookimpl
def register_mounts(site: Site) -> Iterable[Mount]:
    """Mount the description of the whole API, and those of its modules."""
    return (
        Mount(pages.WHOLE, pages.whole_app(site)),
        Mount(pages.PARTS, pages.parts_app(site)),
    )
