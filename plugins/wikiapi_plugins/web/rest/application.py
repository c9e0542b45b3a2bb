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

from werkzeug.http import parse_date, parse_etags, quote_etag, unquote_etag

from wikiapi.errors import BudgetExceeded, StoreTimeout, StoreUnavailable
from wikiapi.http import (
    ApiCalls,
    Reply,
    WebRequest,
    cookie_prefix,
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
_UNCACHED = "private,no-cache,s-maxage=0"
_READING = ("GET", "HEAD")
_PREFLIGHT_HEADERS = ", ".join(
    (
        "Accept",
        "Accept-Language",
        "Content-Language",
        "Content-Type",
        "Accept-Encoding",
        "DNT",
        "Origin",
        "User-Agent",
        "Api-User-Agent",
        "Access-Control-Max-Age",
        "Authorization",
        "If-Match",
        "If-None-Match",
        "If-Modified-Since",
    )
)
"""What scripts may send, as far as their origin is allowed."""

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
            if reply.status == HTTPStatus.OK and request.method in _READING:
                reply = _conditional(request, reply)
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
                methods = ", ".join(route.methods())
                headers = [
                    _NO_CONTENT,
                    ("Allow", methods),
                    ("Access-Control-Allow-Methods", methods),
                    ("Access-Control-Allow-Headers", _PREFLIGHT_HEADERS),
                ]
                return Reply(204, protect(headers))
            if request.method not in route.methods():
                raise WrongMethod(request.method, route.methods())
            handler: Callable[[Route, RestCall], RestReply] = getattr(
                route, "get" if request.method == "HEAD" else request.method.lower()
            )
            if not may_read(self._site, self.api, request):
                raise RestError(HTTPStatus.FORBIDDEN, "rest-read-denied")
            params = {**request.params, **values}
            read = {param.name: param.read(params.get(param.name)) for param in route.params}
            if request.method not in _READING and _needs_state(request):
                # What is written has neither tag nor date, which therefore cannot agree.
                return Reply(HTTPStatus.PRECONDITION_FAILED, protect([_NO_CONTENT]))
            call = RestCall(self._site, request, calls, read, route.fields)
            reply = self._written(request, handler(route(), call))
        except RestError as error:
            reply = self._refused(error)
        except (BudgetExceeded, StoreTimeout, StoreUnavailable) as error:
            logger.warning("%s: %s", ascii(path), error)
            reply = self._refused(Unavailable("timeout"))
        # Nothing that is only read begins or ends a session.
        return reply if request.method in _READING else calls.with_cookies(reply)

    def _find(self, path: str) -> tuple[type[Route], dict[str, str]]:
        parts = [unquote(part) for part in path.split("/")[1:]]
        for route in self._routes:
            if (values := route.match(parts)) is not None:
                return route, values
        raise RestError(HTTPStatus.NOT_FOUND, "rest-no-match", unquote(path))

    def _written(self, request: WebRequest, reply: RestReply) -> Reply:
        if reply.location and reply.data is None:
            link = quote(reply.location, safe="/?=&%:#{}")
            body = f'<!doctype html><title>Redirect</title><a href="{link}">{link}</a>'.encode()
            headers = [("Content-Type", _HTML)]
        elif isinstance(reply.data, str):
            body = reply.data.encode("utf-8", "replace")
            headers = [("Content-Type", reply.media_type or _HTML)]
        else:
            body = _encoded(reply.data)
            headers = [("Content-Type", reply.media_type or _JSON)]
        if reply.location:
            headers.append(("Location", local(reply.location)))
        if self._has_session(request) or self._site.config.permissions.is_private:
            headers.append(("Cache-Control", _PRIVATE))
        elif reply.cache or request.method not in _READING:
            headers.append(("Cache-Control", reply.cache or _UNCACHED))
        # Imported revisions may have timestamps that are no dates.
        if (moment := parse_moment(reply.modified)) is not None:
            headers.append(("Last-Modified", format_datetime(moment, usegmt=True)))
        if reply.has_etag and reply.data is not None:
            headers.append(("ETag", quote_etag(hashlib.sha256(body).hexdigest()[:16], weak=True)))
        headers += reply.headers
        return Reply(reply.status, protect(headers), body)

    def _has_session(self, request: WebRequest) -> bool:
        """Return whether the reply may be for one person only, by what was sent with the request.

        Cookies of other applications on the host do not count.
        """
        prefix = cookie_prefix(self._site.config)
        cookies = request.headers.get("cookie", "").split(";")
        has_cookie = any(cookie.strip().startswith(prefix) for cookie in cookies)
        return has_cookie or "authorization" in request.headers

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


_NO_CONTENT = ("Content-Type", "text/html; charset=UTF-8")


def _needs_state(request: WebRequest) -> bool:
    """Return whether a request is only to be answered if the resource is in a certain state."""
    since = parse_date(request.headers.get("if-unmodified-since"))
    return "if-match" in request.headers or since is not None


def _conditional(request: WebRequest, reply: Reply) -> Reply:
    """Return the reply, or what the conditions of the request ask for instead (RFC 9110, 13.2.2).

    Tags are compared weakly, since all are weak.
    """
    conditions, headers = request.headers, dict(reply.headers)
    tag, _ = unquote_etag(headers.get("ETag"))
    modified = parse_date(headers.get("Last-Modified"))
    if "if-match" in conditions:
        agrees = tag is not None and parse_etags(conditions["if-match"]).contains_weak(tag)
    elif since := parse_date(conditions.get("if-unmodified-since")):
        agrees = modified is not None and modified <= since
    else:
        agrees = True
    if not agrees:
        return Reply(HTTPStatus.PRECONDITION_FAILED, protect([_NO_CONTENT]))
    if "if-none-match" in conditions:
        return revalidated(reply, conditions["if-none-match"])
    since = parse_date(conditions.get("if-modified-since"))
    if since is None or modified is None or modified > since:
        return reply
    repeated = ("cache-control", "etag", "last-modified", "vary")
    return Reply(
        HTTPStatus.NOT_MODIFIED,
        [header for header in reply.headers if header[0].lower() in repeated],
    )


def _encoded(data: Any) -> bytes:
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")


def _path_below(environ: WSGIEnvironment) -> str:
    """Return the percent-encoded path below the mount.

    ``PATH_INFO`` is decoded, so that a slash in a title is not told from one between two parts.
    Servers pass the path as it was sent under different names; without it, slashes separate.
    """
    sent: str = environ.get("REQUEST_URI") or environ.get("RAW_URI") or ""
    start = f"/{SCRIPT}/"
    path, mark, below = sent.partition("?")[0].partition(start)
    if mark and not path.endswith(start):
        return below
    return quote(environ.get("PATH_INFO", "").encode("latin-1").removeprefix(b"/"))
