"""Requests to the wiki's own API in the name of a browser's user, whose cookies they bring.

What people change in the reader is checked and done by the actions of the API, as for any other
client: session, token, rights and transaction are theirs.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from io import BytesIO
from typing import Any
from urllib.parse import unquote_to_bytes, urlencode
from wsgiref.types import WSGIApplication, WSGIEnvironment

from wikiapi.http import Header, Reply
from wikiapi.site import Site
from wikiapi_plugins.web.requests import WebRequest

_KEPT = ("REMOTE_", "SERVER_", "wsgi.", "HTTP_COOKIE", "HTTP_HOST", "HTTP_USER_AGENT",
         "HTTP_X_FORWARDED", "HTTP_FORWARDED", "HTTP_AUTHORIZATION")  # fmt: skip
"""Beginnings of the variables that a request to the API has in common with the reader's."""
_PATH = "/api.php"


@dataclass(frozen=True, slots=True)
class ApiReply:
    """An answer of the API in ``formatversion=2``, with errors as plain text."""

    data: Mapping[str, Any]

    @property
    def codes(self) -> list[str]:
        """The codes of the errors; empty for none."""
        return [error["code"] for error in self._errors]

    @property
    def reasons(self) -> list[str]:
        """The texts of the errors."""
        return [error["text"] for error in self._errors]

    @property
    def _errors(self) -> Sequence[Mapping[str, str]]:
        errors: Sequence[Mapping[str, str]] = self.data.get("errors", ())
        return errors


class ApiCalls:
    """Asks the API during one request, and keeps the cookies that it sets."""

    def __init__(self, api: WSGIApplication | None, request: WebRequest, language: str) -> None:
        """Ask in the name of whoever sent a request, for answers in a language.

        ``api`` is the application that answers the API; ``None`` where there is none.
        """
        self._api = api
        self._request = request
        self._language = language
        self._cookies: list[Header] = []

    def post(self, **params: str | int | bool | None) -> ApiReply:
        """Return the answer to a request; ``True`` is sent as 1, ``False`` and ``None`` are not.

        Raises:
            LookupError: there is no API.
        """
        if self._api is None:
            raise LookupError("there is no API to ask")
        status: list[tuple[str, list[Header]]] = []

        def start_response(line: str, headers: list[Header], _: object = None) -> Any:
            status.append((line, headers))

        pieces = self._api(self._environ(params), start_response)
        try:
            body = b"".join(pieces)
        finally:
            if close := getattr(pieces, "close", None):
                close()
        self._cookies += [(name, value) for name, value in status[0][1] if name == "Set-Cookie"]
        return ApiReply(json.loads(body))

    def with_cookies(self, reply: Reply) -> Reply:
        """Return a reply that sets the cookies which the API has set."""
        return replace(reply, headers=[*reply.headers, *self._cookies])

    def _environ(self, params: Mapping[str, str | int | bool | None]) -> WSGIEnvironment:
        fixed = {
            "format": "json",
            "formatversion": "2",
            "errorformat": "plaintext",
            "uselang": self._language,
        }
        given = {
            name: "1" if value is True else str(value)
            for name, value in params.items()
            if value is not None and value is not False
        }
        body = urlencode({**fixed, **given}).encode()
        environ = self._request.environ
        kept = {name: value for name, value in environ.items() if name.startswith(_KEPT)}
        return {
            **kept,
            "REQUEST_METHOD": "POST",
            "SCRIPT_NAME": unquote_to_bytes(self._request.root).decode("latin-1"),
            "PATH_INFO": _PATH,
            "QUERY_STRING": "",
            "CONTENT_TYPE": "application/x-www-form-urlencoded",
            "CONTENT_LENGTH": str(len(body)),
            "SERVER_PROTOCOL": environ.get("SERVER_PROTOCOL", "HTTP/1.1"),
            "wsgi.input": BytesIO(body),
        }


def may_read(site: Site, api: WSGIApplication | None, request: WebRequest) -> bool:
    """Return whether whoever sent a request may read the wiki; the API is asked if it is private.

    Without an API, nobody is known.
    """
    if not site.config.permissions.is_private:
        return True
    if api is None:
        return False
    calls = ApiCalls(api, request, site.language)
    answer = calls.post(action="query", meta="userinfo", uiprop="rights")
    return "read" in answer.data.get("query", {}).get("userinfo", {}).get("rights", ())
