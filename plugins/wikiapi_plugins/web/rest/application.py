"""Routes of the REST API: their paths and parameters, replies and errors.

A route is a class with a path such as ``/v1/page/{title}``, and a method for each HTTP method that
it answers. It asks the wiki's own Action API, on behalf of the sender of the request, so that
sessions, rights and what is hidden are treated in one place.
"""

from __future__ import annotations

import hashlib
import json
import logging
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from email.utils import format_datetime
from http import HTTPStatus
from types import MappingProxyType
from typing import Any, ClassVar
from urllib.parse import quote, unquote, urlencode
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

from werkzeug.http import quote_etag

from wikiapi.errors import BudgetExceeded, StoreTimeout, StoreUnavailable
from wikiapi.http import (
    ApiCalls,
    ApiReply,
    Header,
    Parameters,
    Reply,
    WebRequest,
    local,
    protect,
    read_form,
    read_request,
    revalidated,
)
from wikiapi.languages import ENGLISH, Message, Plain
from wikiapi.site import Site
from wikiapi.store import Row, chunked
from wikiapi.timestamps import parse_moment

SCRIPT = "rest.php"
_JSON = "application/json"
_HTML = "text/html; charset=utf-8"
_METHODS = ("HEAD", "GET", "POST", "PUT", "DELETE")
_PRIVATE = "private,must-revalidate,s-maxage=0"
_MAX_BODY = 4 * 1024 * 1024
_PAGES_PER_QUERY = 50
NO_QUERY: Mapping[str, object] = MappingProxyType({})

logger = logging.getLogger(__name__)


class RestError(Exception):
    """An error, which is reported in the form of MediaWiki's REST API."""

    headers: tuple[Header, ...] = ()

    def __init__(
        self, status: int, key: str, *params: str, data: Mapping[str, Any] | None = None
    ) -> None:
        """Initialise the error.

        Args:
            status: the HTTP status.
            key: the key of the message.
            params: the parameters of the message.
            data: the fields of the answer, by default the key as its ``errorKey``.
        """
        super().__init__(key)
        self.status = status
        self.message = Message(key, tuple(Plain(param) for param in params))
        self.data = {"errorKey": key} if data is None else dict(data)


class WrongMethod(RestError):
    """A route does not answer requests of this method."""

    def __init__(self, method: str, allowed: Sequence[str]) -> None:
        """Take the method, and those that the route answers."""
        names = ", ".join(allowed)
        super().__init__(HTTPStatus.METHOD_NOT_ALLOWED, "rest-wrong-method", method, names, data={})
        self.headers = (("Allow", names),)


def invalid_parameter(
    name: str, value: str | None, code: str, *params: str, data: Any = None
) -> RestError:
    """Return the error for a parameter whose value cannot be used."""
    fields = {
        "error": "parameter-validation-failed",
        "name": name,
        "value": value,
        "failureCode": code,
        "failureData": data,
        **(data if isinstance(data, dict) else {}),
        "errorKey": code,
    }
    status = HTTPStatus.BAD_REQUEST
    return RestError(status, f"rest-{code}", name, value or "", *params, data=fields)


@dataclass(frozen=True, slots=True)
class RestParam:
    """A parameter in the path or in the query string.

    Attributes:
        name: the name, as in the path.
        is_integer: whether the value is an integer.
        values: the allowed values; empty for any.
        bounds: the least and the greatest allowed integer.
        default: the value if the request has none.
        is_required: whether the request must have a value.
    """

    name: str
    is_integer: bool = False
    values: tuple[str, ...] = ()
    bounds: tuple[int, int] | None = None
    default: str | int | None = None
    is_required: bool = False

    def read(self, text: str | None) -> str | int | None:
        """Return the value of the parameter.

        Raises:
            RestError: the value is missing or not allowed.
        """
        if text is None or (self.is_required and text == ""):
            if self.is_required:
                raise invalid_parameter(self.name, text, "missingparam")
            return self.default
        if self.values and text not in self.values:
            raise invalid_parameter(self.name, text, "badvalue", data=[])
        if not self.is_integer:
            return text
        digits = text.removeprefix("-")
        if not (digits.isascii() and digits.isdigit() and len(digits) < 19):
            raise invalid_parameter(self.name, text, "badinteger")
        number = int(text)
        if self.bounds and not self.bounds[0] <= number <= self.bounds[1]:
            least, most = self.bounds
            data = {"min": least, "curmax": most, "max": most, "highmax": most}
            raise invalid_parameter(self.name, text, "outofrange", str(least), str(most), data=data)
        return number


@dataclass(frozen=True, slots=True)
class RestReply:
    """What a route answers.

    Attributes:
        data: the JSON data, or the HTML if it is a text.
        cache: the value of ``Cache-Control``; empty for none.
        modified: when the content was changed, as the API writes times; empty if it has no date.
        has_etag: whether the reply has an entity tag, made from its content.
        status: the HTTP status.
        location: where to go instead, or with data where it is; empty for neither.
    """

    data: Any = None
    cache: str = ""
    modified: str = ""
    has_etag: bool = True
    status: int = HTTPStatus.OK
    location: str = ""


@dataclass(slots=True)
class RestCall:
    """One request to a route."""

    site: Site
    request: WebRequest
    calls: ApiCalls
    values: Mapping[str, Any] = field(default_factory=dict)

    def text(self, name: str) -> str:
        """Return the value of a parameter that has one."""
        return str(self.values[name])

    def ask(self, **params: str | int | bool | None) -> ApiReply:
        """Return the answer of the Action API.

        Raises:
            RestError: the sender may not read the wiki, or the wiki cannot answer now.
        """
        answer = self.calls.post(**params)
        if "readapidenied" in answer.codes:
            raise RestError(HTTPStatus.FORBIDDEN, "rest-read-denied")
        if unavailable := {"readonly", "maxlag", "internal_api_error"}.intersection(answer.codes):
            raise RestError(HTTPStatus.SERVICE_UNAVAILABLE, "rest-unavailable", *unavailable)
        return answer

    def query(self, **params: str | int | bool | None) -> Mapping[str, Any]:
        """Return what a query answers; empty if it answers nothing."""
        answer: Mapping[str, Any] = self.ask(action="query", **params).data.get("query", {})
        return answer

    def queries(
        self, name: str, values: Iterable[str | int], **params: str | int | bool | None
    ) -> Iterator[Mapping[str, Any]]:
        """Yield what queries for many pages answer, as many in each as anybody may ask for.

        Args:
            name: the parameter that names the pages.
            values: the titles or ids of the pages.
            params: the other parameters.
        """
        for some in chunked(values, _PAGES_PER_QUERY):
            yield self.query(**{name: "|".join(map(str, some))}, **params)

    def read(self, query: Any) -> list[Row]:
        """Return the rows of a query to the store, within the limits of a request."""
        with self.site.answering():
            return self.site.db.execute(query)

    def address(self, path: str, query: Mapping[str, object] = NO_QUERY) -> str:
        """Return the absolute URL of a path of the API, with a query string."""
        return f"{self.site.config.site.server}{self.path(path, query)}"

    def path(self, path: str, query: Mapping[str, object] = NO_QUERY) -> str:
        """Return the path of a route below the server's root, with a query string.

        Parameters that are ``None`` are left out.
        """
        folder = self.site.config.site.script_path.rstrip("/")
        present = {name: value for name, value in query.items() if value is not None}
        encoded = urlencode(present, errors="replace")
        return f"{folder}/{SCRIPT}{path}" + (f"?{encoded}" if encoded else "")


class Route:
    """A route of the REST API. A subclass has a method for each HTTP method: ``get``, ``put``."""

    path: ClassVar[str]
    """The path, with parameters in braces, each of which is one part between slashes."""
    params: ClassVar[Sequence[RestParam]] = ()
    """The parameters, in the order in which they are checked."""

    @classmethod
    def methods(cls) -> list[str]:
        """Return the HTTP methods that the route answers, in the order of errors."""
        return [
            name for name in _METHODS if hasattr(cls, "get" if name == "HEAD" else name.lower())
        ]

    @classmethod
    def match(cls, parts: Sequence[str]) -> dict[str, str] | None:
        """Return the parameters in a path; ``None`` if this is not the route for it."""
        own = cls.path.split("/")[1:]
        if len(own) != len(parts):
            return None
        values = {}
        for name, part in zip(own, parts, strict=True):
            if name.startswith("{"):
                values[name[1:-1]] = part
            elif name != part:
                return None
        return values


class RestApi:
    """``rest.php`` of one wiki.

    ``api`` is the application that answers the Action API; it is set when the application is
    complete.
    """

    def __init__(self, site: Site, routes: Iterable[type[Route]]) -> None:
        """Serve these routes."""
        self._site = site
        self._routes = tuple(routes)
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
            params = {**request.params, **values}
            read = {param.name: param.read(params.get(param.name)) for param in route.params}
            call = RestCall(self._site, request, calls, read)
            reply = self._written(request, handler(route(), call))
        except RestError as error:
            reply = self._refused(error)
        except (BudgetExceeded, StoreTimeout, StoreUnavailable) as error:
            logger.warning("%s: %s", ascii(path), error)
            status = HTTPStatus.SERVICE_UNAVAILABLE
            reply = self._refused(RestError(status, "rest-unavailable", "timeout"))
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


def json_body(call: RestCall) -> Mapping[str, Any]:
    """Return the object that a request has as its body.

    Other types are refused, so that no form on another website can send a body.

    Raises:
        RestError: the body is not a JSON object, or is declared as something else.
    """
    content_type = call.request.environ.get("CONTENT_TYPE", "").partition(";")[0].strip()
    unsupported = RestError(
        HTTPStatus.UNSUPPORTED_MEDIA_TYPE, "rest-unsupported-content-type", content_type
    )
    if content_type and content_type.lower() != _JSON:
        raise unsupported
    body = read_form(call.request.environ, Parameters(0), _MAX_BODY)
    if body and not content_type:
        raise unsupported
    try:
        data = json.loads(body or b"{}")
    except (ValueError, RecursionError):
        data = None
    if not isinstance(data, dict):
        raise RestError(HTTPStatus.BAD_REQUEST, "rest-json-body-parse-error")
    return data


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
