"""Routes of the REST API, requests to them, and replies.

A route is a class with a path such as ``/v1/page/{title}``, and a method for each HTTP method that
it answers. It asks the wiki's own Action API, on behalf of the sender of the request, so that
sessions, rights and what is hidden are treated in one place.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from http import HTTPStatus
from types import MappingProxyType
from typing import Any, ClassVar
from urllib.parse import urlencode

from wikiapi.http import ApiCalls, ApiReply, Header, Parameters, WebRequest, read_form
from wikiapi.rest.errors import RestError, Unavailable
from wikiapi.rest.params import RestField, RestParam
from wikiapi.site import Site
from wikiapi.store import Row, chunked

SCRIPT = "rest.php"
_JSON = "application/json"
_METHODS = ("HEAD", "GET", "POST", "PUT", "DELETE")
_MAX_BODY = 4 * 1024 * 1024
_PAGES_PER_QUERY = 50
_NO_QUERY: Mapping[str, object] = MappingProxyType({})


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
        media_type: the media type; by default that of JSON, or of HTML.
        headers: further headers.
    """

    data: Any = None
    cache: str = ""
    modified: str = ""
    has_etag: bool = True
    status: int = HTTPStatus.OK
    location: str = ""
    media_type: str = ""
    headers: Sequence[Header] = ()


@dataclass(slots=True)
class RestCall:
    """One request to a route.

    Attributes:
        site: the wiki.
        request: the request as it was sent.
        calls: what sends requests to the Action API.
        values: the values of the route's parameters by name.
        fields: the fields that the body of the request may have.
    """

    site: Site
    request: WebRequest
    calls: ApiCalls
    values: Mapping[str, Any] = field(default_factory=dict)
    fields: Sequence[RestField] = ()

    def text(self, name: str) -> str:
        """Return the value of a parameter that has one."""
        return str(self.values[name])

    def body(self) -> dict[str, Any]:
        """Return the fields of the JSON object in the body of the request.

        Fields that the object does not have are ``None``; those that the route does not declare are
        left out. Other media types are refused, so that no form on another website can send a body.

        Raises:
            RestError: the body is not a JSON object, is declared as something else, or a field is
                missing or has another type.
        """
        content_type = self.request.environ.get("CONTENT_TYPE", "").partition(";")[0].strip()
        unsupported = RestError(
            HTTPStatus.UNSUPPORTED_MEDIA_TYPE, "rest-unsupported-content-type", content_type
        )
        if content_type and content_type.lower() != _JSON:
            raise unsupported
        body = read_form(self.request.environ, Parameters(0), _MAX_BODY)
        if body and not content_type:
            raise unsupported
        try:
            data = json.loads(body or b"{}")
        except (ValueError, RecursionError):
            data = None
        if not isinstance(data, dict):
            raise RestError(HTTPStatus.BAD_REQUEST, "rest-json-body-parse-error")
        return {each.name: each.read(data) for each in self.fields}

    def ask(self, **params: str | int | bool | None) -> ApiReply:
        """Return the answer of the Action API.

        Raises:
            Unavailable: the wiki cannot answer now.
        """
        answer = self.calls.post(**params)
        for code in answer.codes:
            if code in ("readonly", "maxlag") or code.startswith("internal_api_error_"):
                raise Unavailable(code)
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

    def address(self, path: str, query: Mapping[str, object] = _NO_QUERY) -> str:
        """Return the absolute URL of a path of the API, with a query string."""
        return f"{self.site.config.site.server}{self.path(path, query)}"

    def path(self, path: str, query: Mapping[str, object] = _NO_QUERY) -> str:
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
    fields: ClassVar[Sequence[RestField]] = ()
    """The fields of the JSON object that is sent to it, in the order in which they are checked."""
    examples: ClassVar[Sequence[str]] = ()
    """Requests by ``GET`` as paths with query strings, for the description of the API."""

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
