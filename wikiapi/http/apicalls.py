"""Requests to the wiki's own API on behalf of a browser's user, with the cookies of the browser.

Changes that users make in the reader are checked and performed by the API, as for any other client:
it handles sessions, tokens, rights and transactions.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from io import BytesIO
from typing import Any
from urllib.parse import unquote_to_bytes, urlencode
from wsgiref.types import WSGIApplication

from wikiapi.http.reply import Header, Reply
from wikiapi.http.webrequests import WebRequest
from wikiapi.site import Site

_KEPT = ("REMOTE_", "SERVER_", "wsgi.", "HTTP_COOKIE", "HTTP_HOST", "HTTP_USER_AGENT",
         "HTTP_X_FORWARDED", "HTTP_FORWARDED", "HTTP_AUTHORIZATION")  # fmt: skip
"""Prefixes of the WSGI variables that are copied from the browser's request."""
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
    """Sends requests to the API while one request is answered, and collects the cookies it sets."""

    def __init__(self, api: WSGIApplication | None, request: WebRequest, language: str) -> None:
        """Send requests on behalf of the sender of ``request``, for answers in a language.

        ``api`` is the application that answers the API; ``None`` if there is none.
        """
        self._api = api
        self._request = request
        self._language = language
        self._cookies: list[Header] = []

    def post(self, **params: str | int | bool | None) -> ApiReply:
        """Send a POST request and return the answer.

        ``True`` is sent as 1; parameters that are ``False`` or ``None`` are omitted.

        Raises:
            LookupError: there is no API.
        """
        if self._api is None:
            raise LookupError("no API is available")
        status: list[tuple[str, list[Header]]] = []

        def start_response(line: str, headers: list[Header], _: object = None) -> Any:
            status.append((line, headers))

        fixed = {
            "format": "json",
            "formatversion": "2",
            "errorformat": "plaintext",
            "uselang": self._language,
        }
        own = {
            key: "1" if text is True else str(text)
            for key, text in params.items()
            if text is not None and text is not False
        }
        # Bytes of an address that are not UTF-8 become question marks.
        content = urlencode({**fixed, **own}, errors="replace").encode()
        environ = self._request.environ
        kept = {key: text for key, text in environ.items() if key.startswith(_KEPT)}
        request = {
            **kept,
            "REQUEST_METHOD": "POST",
            "SCRIPT_NAME": unquote_to_bytes(self._request.root).decode("latin-1"),
            "PATH_INFO": _PATH,
            "QUERY_STRING": "",
            "CONTENT_TYPE": "application/x-www-form-urlencoded",
            "CONTENT_LENGTH": str(len(content)),
            "SERVER_PROTOCOL": environ.get("SERVER_PROTOCOL", "HTTP/1.1"),
            "wsgi.input": BytesIO(content),
        }
        pieces = self._api(request, start_response)
        try:
            body = b"".join(pieces)
        finally:
            if close := getattr(pieces, "close", None):
                close()
        self._cookies += [(name, value) for name, value in status[0][1] if name == "Set-Cookie"]
        return ApiReply(json.loads(body))

    def with_cookies(self, reply: Reply) -> Reply:
        """Return the reply with the cookies that the API has set."""
        return replace(reply, headers=[*reply.headers, *self._cookies])


def may_read(site: Site, api: WSGIApplication | None, request: WebRequest) -> bool:
    """Return whether the sender of a request may read the wiki.

    On a private wiki, the API tells; without an API, nobody may read it.
    """
    if not site.config.permissions.is_private:
        return True
    if api is None:
        return False
    calls = ApiCalls(api, request, site.language)
    answer = calls.post(action="query", meta="userinfo", uiprop="rights")
    return "read" in answer.data.get("query", {}).get("userinfo", {}).get("rights", ())
