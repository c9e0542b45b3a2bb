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
    ) -> None:
        """Take the application; ``defaults`` are sent with every request that does not set them."""
        self.path = path
        self._wsgi = InProcess(app, remote_address)
        self._defaults = _DEFAULTS if defaults is None else defaults

    def get(self, params: Mapping[str, Value] | None = None, /, **named: Value) -> Answer:
        """Return the answer to a GET request, decoded."""
        return decoded(self.reply("GET", {**(params or {}), **named}))

    def post(self, params: Mapping[str, Value] | None = None, /, **named: Value) -> Answer:
        """Return the answer to a POST request with all parameters in its body, decoded."""
        return decoded(self.reply("POST", {**(params or {}), **named}))

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
        asked = {**(params or {}), **named}
        going_on: Mapping[str, Value] = {}
        while True:
            answer = self.get({**asked, **going_on})
            yield answer
            if "continue" not in answer:
                return
            going_on = answer["continue"]

    def set_cookie(self, name: str, value: str) -> None:
        """Have a cookie that the wiki has not set."""
        self._wsgi.set_cookie(name, value)

    def cookie(self, name: str) -> str | None:
        """Return the value of a cookie that the wiki has set."""
        return self._wsgi.cookie(name)


def encoded(params: Mapping[str, Value]) -> dict[str, str]:
    """Parameters as a request writes them."""
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
    """Values that hold ``|`` themselves are parted by U+001F."""
    values = list(values)
    if any("|" in value for value in values):
        return "".join(f"\x1f{value}" for value in values)
    return "|".join(values)
