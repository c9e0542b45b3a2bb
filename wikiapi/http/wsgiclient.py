"""A client of a WSGI application in the same process, with cookies and forms."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from wsgiref.types import WSGIApplication

from werkzeug.datastructures import FileStorage, Headers
from werkzeug.test import Client, EnvironBuilder, encode_multipart

from wikiapi.api.request import LOOPBACK
from wikiapi.http.app import make_app
from wikiapi.http.requests import MULTIPART
from wikiapi.site import Site


def multipart(values: Mapping[str, str | FileStorage]) -> tuple[bytes, str]:
    """Return the fields of a form as a multipart body, and its media type."""
    # Werkzeug's own boundary may exceed the 70 characters allowed by RFC 2046.
    boundary, body = encode_multipart(values, secrets.token_hex(16))
    return body, f"{MULTIPART}; boundary={boundary}"


@dataclass(frozen=True, slots=True)
class Received:
    """The answer of an application. Header names are in lower case, repeated ones are joined."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def text(self) -> str:
        """The body as UTF-8."""
        return self.body.decode()


class InProcess:
    """A client that sends requests to one application, from one address."""

    def __init__(self, app: WSGIApplication, remote_address: str) -> None:
        """Take the application and the address of the client."""
        self._client = Client(app)
        self._remote_address = remote_address

    def send(
        self,
        method: str,
        path: str,
        query: str = "",
        *,
        headers: Mapping[str, str] | None = None,
        form: Mapping[str, str] | None = None,
        body: bytes | None = None,
        content_type: str | None = None,
    ) -> Received:
        """Send a request.

        Args:
            method: GET, POST...
            path: the path on the server, including the mount point.
            query: the encoded query string.
            headers: additional request headers.
            form: the fields of a form, encoded by ``content_type`` (urlencoded or multipart).
            body: a raw body instead of a form.
            content_type: the media type of the body.
        """
        data: bytes | dict[str, str] | None = dict(form) if form is not None else body
        if form is not None and content_type == MULTIPART:
            data, content_type = multipart(form)
        builder = EnvironBuilder(
            path=path,
            query_string=query,
            method=method,
            headers=Headers(dict(headers or {})),
            data=data,
            content_type=content_type,
            environ_overrides={"REMOTE_ADDR": self._remote_address},
        )
        try:
            response = self._client.open(builder)
        finally:
            builder.close()
        received = {
            name.lower(): ", ".join(response.headers.getlist(name)) for name, _ in response.headers
        }
        with response:
            return Received(response.status_code, received, response.get_data())

    def set_cookie(self, name: str, value: str) -> None:
        """Set a cookie that the application has not set."""
        self._client.set_cookie(name, value)

    def cookie(self, name: str) -> str | None:
        """Return the value of a cookie that the application has set."""
        cookie = self._client.get_cookie(name)
        return cookie.value if cookie else None


def send_to_api(
    site: Site, method: str, query: str = "", form: Mapping[str, str] | None = None
) -> Received:
    """Send a request to a site's api.php from this machine, without cookies."""
    path = f"{site.config.site.script_path}/api.php"
    return InProcess(make_app(site), LOOPBACK).send(method, path, query, form=form)
