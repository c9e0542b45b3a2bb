"""A client of the API that needs no server: it calls the WSGI application."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, cast
from urllib.parse import urlencode
from wsgiref.types import WSGIApplication

from wikiapi.http.wsgiclient import InProcess, Received

Value = str | int | bool | None | list[str] | tuple[str, ...]
Answer = dict[str, Any]

URLENCODED = "application/x-www-form-urlencoded"
MULTIPART = "multipart/form-data"
_DEFAULTS: Mapping[str, Value] = {"format": "json", "formatversion": 2}
ELSEWHERE = "192.0.2.1"
"""An address that is not this machine's: answers to it carry no ``debuginfo`` by default."""


class RequestFailed(Exception):
    """The wiki answered a request with an error.

    ``code`` is the code of the first error, ``info`` its text, ``answer`` the whole answer.
    """

    def __init__(self, code: str, info: str, answer: Answer) -> None:
        """Take what was answered."""
        super().__init__(f"{code}: {info}")
        self.code = code
        self.info = info
        self.answer = answer


class ApiClient:
    """Asks one wiki's API and keeps its cookies.

    Parameters are given by name, or as a mapping where the name is a word of Python::

        client.get(action="query", titles=["Main Page", "Help:Contents"], redirects=True)
        client.get({"continue": ""}, action="query", list="allpages")

    Lists are joined by ``|``, ``True`` is sent as ``1``, ``False`` and ``None`` are left out.
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
        """Take the application.

        Args:
            app: the wiki.
            path: the path of the API.
            remote_address: the address that requests come from.
            defaults: parameters that are sent with every request that does not set them.
            raises: whether ``get`` and ``post`` raise for answers that are errors.
        """
        self.path = path
        self._wsgi = InProcess(app, remote_address)
        self._defaults = _DEFAULTS if defaults is None else defaults
        self._raises = raises

    def get(self, params: Mapping[str, Value] | None = None, /, **named: Value) -> Answer:
        """Return the answer to a GET request, decoded.

        Raises:
            RequestFailed: the answer is an error, and the client was made to raise.
        """
        return self._answer("GET", {**(params or {}), **named})

    def post(self, params: Mapping[str, Value] | None = None, /, **named: Value) -> Answer:
        """Return the answer to a POST request with all parameters in its body, decoded.

        Raises:
            RequestFailed: as for :meth:`get`.
        """
        return self._answer("POST", {**(params or {}), **named})

    def token(self, kind: str = "csrf") -> str:
        """Return a token of this client's session."""
        answer = self.get(action="query", meta="tokens", type=kind)
        return str(answer["query"]["tokens"][f"{kind}token"])

    def login(self, name: str, password: str) -> None:
        """Log in with the password of an account, or as ``User@app`` with a bot password.

        Raises:
            PermissionError: the wiki does not accept them; the text is its reason.
        """
        token = self.token("login")
        answer = self.post(action="login", lgname=name, lgpassword=password, lgtoken=token)
        outcome = answer.get("login", answer)
        if outcome.get("result") != "Success":
            raise PermissionError(str(outcome.get("reason", outcome)))

    def write(self, params: Mapping[str, Value] | None = None, /, **named: Value) -> Answer:
        """Return the answer to a POST request with a token of the type ``csrf``, decoded.

        Raises:
            RequestFailed: as for :meth:`get`.
        """
        return self.post({"token": self.token(), **(params or {}), **named})

    def _answer(self, method: str, params: Mapping[str, Value]) -> Answer:
        answer = decoded(self.reply(method, params))
        if self._raises and isinstance(answer, dict):
            _raise_error(answer)
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
        """Send a query string as it is; ``options`` are those of :meth:`InProcess.send`."""
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
        """Set a cookie that the wiki has not set."""
        self._wsgi.set_cookie(name, value)

    def cookie(self, name: str) -> str | None:
        """Return the value of a cookie that the wiki has set."""
        return self._wsgi.cookie(name)


def _raise_error(answer: Answer) -> None:
    """Raise the error of an answer, in whichever form the request asked for it."""
    error = answer.get("error") or next(iter(answer.get("errors", ())), None)
    if error:
        text = error.get("info") or error.get("text") or error.get("html") or ""
        raise RequestFailed(str(error.get("code", "")), str(text), answer)


def encoded(params: Mapping[str, Value]) -> dict[str, str]:
    """Return parameters as in a request."""
    return {
        name: _text(value)
        for name, value in params.items()
        if value is not None and value is not False
    }


def decoded(reply: Received) -> Answer:
    """Return the JSON in a reply's body."""
    return cast("Answer", json.loads(reply.body))


def _text(value: Value) -> str:
    if value is True:
        return "1"
    if isinstance(value, list | tuple):
        return _joined(value)
    return str(value)


def _joined(values: Iterable[str]) -> str:
    """Return values joined by ``|``, or by U+001F if they contain it."""
    values = list(values)
    if any("|" in value for value in values):
        return "".join(f"\x1f{value}" for value in values)
    return "|".join(values)
