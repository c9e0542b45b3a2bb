"""The application that answers requests to ``rest.php``: routing, headers and errors."""

from __future__ import annotations

import hashlib
import json
import logging
from collections.abc import Callable, Iterable
from email.utils import format_datetime
from http import HTTPStatus
from typing import Any
from urllib.parse import quote, unquote
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

from werkzeug.http import quote_etag

from wikiapi.errors import BudgetExceeded, StoreTimeout, StoreUnavailable
from wikiapi.http import (
    ApiCalls,
    Reply,
    WebRequest,
    local,
    may_read,
    protect,
    read_request,
    revalidated,
)
from wikiapi.languages import ENGLISH
from wikiapi.rest import (
    SCRIPT,
    RestCall,
    RestError,
    RestReply,
    Route,
    Unavailable,
    WrongMethod,
    routes_of,
)
from wikiapi.site import Site
from wikiapi.timestamps import parse_moment

_JSON = "application/json"
_HTML = "text/html; charset=utf-8"
_PRIVATE = "private,must-revalidate,s-maxage=0"

logger = logging.getLogger(__name__)


class RestApi:
    """``rest.php`` of one wiki.

    ``api`` is the application that answers the Action API; it is set when the application is
    complete.
    """

    def __init__(self, site: Site) -> None:
        """Serve the routes of all plugins.

        Raises:
            PluginError: two plugins register the same path, or a route is declared wrongly.
        """
        self._site = site
        self._routes = tuple(routes_of(site).values())
        self.api: WSGIApplication | None = None

    def app(self, mounted: str) -> WSGIApplication:
        """Return the application for a mount, a path that ends with a slash."""

        def app(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
            path = f"/{_path_below(environ)}"
            request = read_request(environ, mounted)
            reply = self._reply(request, path)
            if reply.status == HTTPStatus.OK and request.method in ("GET", "HEAD"):
                reply = revalidated(reply, environ.get("HTTP_IF_NONE_MATCH"))
            if reply.status not in (HTTPStatus.NO_CONTENT, HTTPStatus.NOT_MODIFIED):
                reply.headers.append(("Content-Length", str(len(reply.body))))
            start_response(reply.status_line, reply.headers)
            return () if request.method == "HEAD" else (reply.body,)

        return app

    def _reply(self, request: WebRequest, path: str) -> Reply:
        calls = ApiCalls(self.api, request, self._site.language)
        try:
            route, values = self._find(path)
            if request.method == "OPTIONS":
                allowed = ("Allow", ", ".join(route.methods()))
                return Reply(204, protect([("Content-Type", "text/html; charset=UTF-8"), allowed]))
            handler = self._handler(route, request.method)
            if not may_read(self._site, self.api, request):
                raise RestError(HTTPStatus.FORBIDDEN, "rest-read-denied")
            params = {**request.params, **values}
            read = {param.name: param.read(params.get(param.name)) for param in route.params}
            call = RestCall(self._site, request, calls, read, route.fields)
            reply = self._written(request, handler(route(), call))
        except RestError as error:
            reply = self._refused(error)
        except (BudgetExceeded, StoreTimeout, StoreUnavailable) as error:
            logger.warning("%s: %s", ascii(path), error)
            reply = self._refused(Unavailable("timeout"))
        # Nothing that is only read begins or ends a session.
        return reply if request.method in ("GET", "HEAD") else calls.with_cookies(reply)

    def _find(self, path: str) -> tuple[type[Route], dict[str, str]]:
        parts = [unquote(part) for part in path.split("/")[1:]]
        for route in self._routes:
            if (values := route.match(parts)) is not None:
                return route, values
        raise RestError(HTTPStatus.NOT_FOUND, "rest-no-match", unquote(path))

    def _handler(self, route: type[Route], method: str) -> Callable[[Route, RestCall], RestReply]:
        if method not in route.methods():
            raise WrongMethod(method, route.methods())
        handler: Callable[[Route, RestCall], RestReply] = getattr(
            route, "get" if method == "HEAD" else method.lower()
        )
        return handler

    def _written(self, request: WebRequest, reply: RestReply) -> Reply:
        if reply.location and reply.data is None:
            link = quote(reply.location, safe="/?=&%:#{}")
            body = f'<!doctype html><title>Redirect</title><a href="{link}">{link}</a>'.encode()
            headers = [("Content-Type", _HTML)]
        elif isinstance(reply.data, str):
            body, headers = reply.data.encode("utf-8", "replace"), [("Content-Type", _HTML)]
        else:
            body, headers = _encoded(reply.data), [("Content-Type", _JSON)]
        if reply.location:
            headers.append(("Location", local(reply.location)))
        # What was sent with cookies may be for one person only.
        is_own = "cookie" in request.headers or "authorization" in request.headers
        if is_own or self._site.config.permissions.is_private:
            headers.append(("Cache-Control", _PRIVATE))
        elif reply.cache:
            headers.append(("Cache-Control", reply.cache))
        # Imported revisions may have timestamps that are no dates.
        if (moment := parse_moment(reply.modified)) is not None:
            headers.append(("Last-Modified", format_datetime(moment, usegmt=True)))
        if reply.has_etag and reply.data is not None:
            headers.append(("ETag", quote_etag(hashlib.sha256(body).hexdigest()[:16], weak=True)))
        return Reply(reply.status, protect(headers), body)

    def _refused(self, error: RestError) -> Reply:
        languages = dict.fromkeys((self._site.language, ENGLISH))
        texts = {
            language: self._site.messages.catalog.text(error.message, language)
            for language in languages
        }
        status = HTTPStatus(error.status)
        data = {
            **error.data,
            "messageTranslations": texts,
            "httpCode": int(status),
            "httpReason": status.phrase,
        }
        headers = [("Content-Type", _JSON), *error.headers]
        return Reply(error.status, protect(headers), _encoded(data))


def _encoded(data: Any) -> bytes:
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")


def _path_below(environ: WSGIEnvironment) -> str:
    """Return the percent-encoded path below the mount.

    ``PATH_INFO`` is decoded, so that a slash in a title is not told from one between two parts.
    Servers pass the path as it was sent under different names; without it, slashes separate.
    """
    sent: str = environ.get("REQUEST_URI") or environ.get("RAW_URI") or ""
    start = f"/{SCRIPT}/"
    path, found, below = sent.partition("?")[0].partition(start)
    if found and not path.endswith(start):
        return below
    return quote(environ.get("PATH_INFO", "").encode("latin-1").removeprefix(b"/"))
