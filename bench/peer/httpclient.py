"""A keep-alive client of an API."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import urlencode

from bench.client import Connection
from bench.peer.servers import Server

Params = dict[str, str]
PATH = "/w/api.php"
FORMAT = {"format": "json", "formatversion": "2"}


class HttpClient:
    """Sends requests to one server, all over the same connection."""

    def __init__(self, server: Server) -> None:
        """Connect."""
        self.server = server
        self._connection = Connection(server.port, PATH)

    def measure(self, params: Params) -> float:
        """Return the seconds from sending a request to the last byte of its answer."""
        self._connection.set_target(_target(params))
        return self._connection.measure()

    def get(self, params: Params) -> dict[str, Any]:
        """Return the decoded answer.

        Raises:
            RuntimeError: If it is an error.
        """
        answer = self.answer(params)
        if "error" in answer:
            raise RuntimeError(f"{params}: {answer['error']}")
        return answer

    def answer(self, params: Params) -> dict[str, Any]:
        """Return the decoded answer, which may be an error."""
        return dict(json.loads(self.raw(params)))

    def raw(self, params: Params) -> bytes:
        """Return the bytes of the answer."""
        self._connection.set_target(_target(params))
        return self._connection.body()

    def walk(self, params: Params) -> Iterator[Mapping[str, Any]]:
        """Yield the ``query`` of every batch of a query."""
        more: Params = {}
        while True:
            answer = self.get({"action": "query", **params, **more})
            yield answer.get("query", {})
            if "continue" not in answer:
                return
            more = {name: str(value) for name, value in answer["continue"].items()}


def _target(params: Params) -> str:
    return f"{PATH}?{urlencode({**FORMAT, **params})}"
