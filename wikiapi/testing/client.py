"""An API client that calls the WSGI application directly, without a server."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, cast
from urllib.parse import urlencode
from wsgiref.types import WSGIApplication

from wikiapi.api.calling import Answer, Value, encoded, failure, is_error
from wikiapi.errors import RequestFailed
from wikiapi.http.wsgiclient import InProcess, Received

__all__ = ["ApiClient", "RequestFailed"]

URLENCODED = "application/x-www-form-urlencoded"
MULTIPART = "multipart/form-data"
_DEFAULTS: Mapping[str, Value] = {"format": "json", "formatversion": 2}
ELSEWHERE = "192.0.2.1"
"""An address that is not local, so that answers have no ``debuginfo`` by default."""


class ApiClient:
    """A client of one wiki's API that keeps cookies.

    Parameters are keyword arguments, or a mapping for names that are keywords of Python::

        client.get(action="query", titles=["Main Page", "Help:Contents"], redirects=True)
        client.get({"continue": ""}, action="query", list="allpages")

    Lists are joined by ``|``, ``True`` is sent as ``1``, ``False`` and ``None`` are omitted.
    """

    def __init__(
        self,
        app: WSGIApplication,
        *,
        path: str = "/w/api.php",
        remote_address: str = ELSEWHERE,
        defaults: Mapping[str, Value] | None = None,
        raises: bool = False,
    ) -> None:
        """Create a client of an application.

        Args:
            app: the wiki.
            path: the path of the API.
            remote_address: the address that requests come from.
            defaults: parameters of every request that does not set them.
            raises: whether ``get`` and ``post`` raise RequestFailed if the answer is an error.
        """
        self.path = path
        self._wsgi = InProcess(app, remote_address)
        self._defaults = _DEFAULTS if defaults is None else defaults
        self._raises = raises

    def get(self, params: Mapping[str, Value] | None = None, /, **named: Value) -> Answer:
        """Return the decoded answer to a GET request.

        Raises:
            RequestFailed: the answer is an error, and the client was created with ``raises``.
        """
        return self._answer("GET", {**(params or {}), **named})

    def post(self, params: Mapping[str, Value] | None = None, /, **named: Value) -> Answer:
        """Return the decoded answer to a POST request with all parameters in its body.

        Raises:
            RequestFailed: see :meth:`get`.
        """
        return self._answer("POST", {**(params or {}), **named})

    def token(self, kind: str = "csrf") -> str:
        """Return a token of this client's session."""
        answer = self.get(action="query", meta="tokens", type=kind)
        return str(answer["query"]["tokens"][f"{kind}token"])

    def login(self, name: str, password: str) -> None:
        """Log in with the password of an account, or as ``User@app`` with a bot password.

        Raises:
            PermissionError: the login failed; the text is the reason given by the wiki.
        """
        token = self.token("login")
        try:
            answer = self.post(action="login", lgname=name, lgpassword=password, lgtoken=token)
        except RequestFailed as error:  # for instance on a wiki that is read-only
            raise PermissionError(str(error)) from error
        outcome = answer.get("login", answer)
        if outcome.get("result") != "Success":
            raise PermissionError(str(outcome.get("reason", outcome)))

    def write(self, params: Mapping[str, Value] | None = None, /, **named: Value) -> Answer:
        """Return the decoded answer to a POST request with a CSRF token.

        Raises:
            RequestFailed: see :meth:`get`.
        """
        return self.post({"token": self.token(), **(params or {}), **named})

    def _answer(self, method: str, params: Mapping[str, Value]) -> Answer:
        answer = decoded(self.reply(method, params))
        if self._raises and isinstance(answer, dict) and is_error(answer):
            raise failure(answer)
        return answer

    def reply(
        self,
        method: str = "GET",
        params: Mapping[str, Value] | None = None,
        /,
        *,
        headers: Mapping[str, str] | None = None,
        content_type: str = URLENCODED,
        **named: Value,
    ) -> Received:
        """Return the whole reply to a request: status, headers and body."""
        fields = encoded({**self._defaults, **(params or {}), **named})
        if method == "POST":
            return self._wsgi.send(
                method, self.path, headers=headers, form=fields, content_type=content_type
            )
        return self._wsgi.send(method, self.path, urlencode(fields), headers=headers)

    def raw(self, method: str, query: str = "", **options: Any) -> Received:
        """Send an unchanged query string; ``options`` are those of :meth:`InProcess.send`."""
        path = options.pop("path", self.path)
        return self._wsgi.send(method, path, query, **options)

    def walk(
        self, params: Mapping[str, Value] | None = None, /, **named: Value
    ) -> Iterator[Answer]:
        """Yield every answer to a query, following its continuation to the end."""
        query = {**(params or {}), **named}
        continuation: Mapping[str, Value] = {}
        while True:
            answer = self.get({**query, **continuation})
            yield answer
            if "continue" not in answer:
                return
            continuation = answer["continue"]

    def set_cookie(self, name: str, value: str) -> None:
        """Set a cookie that the client sends from now on."""
        self._wsgi.set_cookie(name, value)

    def cookie(self, name: str) -> str | None:
        """Return the value of a cookie, or ``None`` if it is not set."""
        return self._wsgi.cookie(name)


def decoded(reply: Received) -> Answer:
    """Return the decoded JSON in the body of a reply."""
    return cast("Answer", json.loads(reply.body))
