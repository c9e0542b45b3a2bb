"""OpenAPI descriptions of both APIs, generated from the declarations of modules and routes.

``/openapi.json`` describes the whole Action API; ``/openapi/parse.json`` or
``/openapi/query+info.json`` describes a single module, ``/openapi/rest.json`` the REST API.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from wsgiref.types import WSGIApplication

from wikiapi.hookspecs import hookimpl
from wikiapi.http import Mount, Reply, WebRequest
from wikiapi.site import Site
from wikiapi_plugins.web.openapi import restdocument
from wikiapi_plugins.web.openapi.document import OpenApi
from wikiapi_plugins.web.openapi.restdocument import RestOpenApi
from wikiapi_plugins.web.replies import REVALIDATE, content_reply, web_app

WHOLE = "/openapi.json"
PARTS = "/openapi/"
_SUFFIX = ".json"
_MEDIA_TYPE = "application/json"
_NO_MODULE = b"There is no module with this name. /openapi.json describes all modules.\n"
_ANYBODY = (("Access-Control-Allow-Origin", "*"),)
"""The documents are public, and tools in browsers need to fetch them."""


def whole_app(site: Site) -> WSGIApplication:
    """Return the application for ``/openapi.json``."""
    return web_app(lambda _: _json(site.derived(OpenApi).whole()), WHOLE)


def parts_app(site: Site) -> WSGIApplication:
    """Return the application for paths below ``/openapi/``."""

    def answer(request: WebRequest) -> Reply:
        name = request.path.removeprefix("/")
        part = name.removesuffix(_SUFFIX)
        is_rest = part == restdocument.NAME
        described = site.derived(RestOpenApi).text if is_rest else site.derived(OpenApi).part(part)
        if described is None or not name.endswith(_SUFFIX):
            return content_reply(_NO_MODULE, "text/plain; charset=utf-8", status=404)
        return _json(described)

    return web_app(answer, PARTS)


def _json(text: str) -> Reply:
    body = text.encode("utf-8", "replace")
    etag = hashlib.sha256(body).hexdigest()[:16]
    return content_reply(body, _MEDIA_TYPE, cache=REVALIDATE, etag=etag, headers=_ANYBODY)


@hookimpl
def register_mounts(site: Site) -> Iterable[Mount]:
    """Mount the description of the whole API, those of its modules, and that of the REST API."""
    return (
        Mount(WHOLE, whole_app(site)),
        Mount(PARTS, parts_app(site)),
    )
