"""Requests to a WSGI application in this process, without HTTP."""

from __future__ import annotations

import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass
from io import BytesIO
from typing import Any
from urllib.parse import urlencode
from wsgiref.types import WSGIApplication

PATH = "/w/api.php"
FORMAT = {"format": "json", "formatversion": "2"}


def query_of(params: Mapping[str, str]) -> str:
    """Return the query string of a request for JSON."""
    return urlencode({**FORMAT, **params})


@dataclass(frozen=True)
class Response:
    """An answer, and the time that the application took for it.

    ``seconds`` is wall-clock time. ``processor_seconds`` is the CPU time of this process, on which
    other programs have little influence.
    """

    seconds: float
    processor_seconds: float
    status: str
    headers: Mapping[str, str]
    body: bytes

    @property
    def is_error(self) -> bool:
        """Whether it is an HTTP error or an API error."""
        return self.status[0] not in "23" or "MediaWiki-API-Error" in self.headers


def respond(app: WSGIApplication, query: str, path: str = PATH) -> Response:
    """Send a request and return the answer, even if it is an error."""
    environ = _environ(path, query)
    responses: list[Any] = []

    def start_response(status: str, headers: list[tuple[str, str]], _error: Any = None) -> Any:
        responses.append((status, dict(headers)))

    start, processor_start = time.perf_counter(), time.process_time()
    body = b"".join(app(environ, start_response))
    seconds, processor = time.perf_counter() - start, time.process_time() - processor_start
    status, headers = responses[0]
    return Response(seconds, processor, status, headers, body)


def send(app: WSGIApplication, query: str, path: str = PATH) -> tuple[float, bytes]:
    """Send a request; return the seconds that the application took to answer, and the body.

    Raises:
        RuntimeError: If the answer is an error.
    """
    response = respond(app, query, path)
    if response.is_error:
        raise RuntimeError(f"{query}: {response.status} {response.body[:200]!r}")
    return response.seconds, response.body


def _environ(path: str, query: str) -> dict[str, Any]:
    return {
        "REQUEST_METHOD": "GET",
        "SCRIPT_NAME": "",
        "PATH_INFO": path,
        "QUERY_STRING": query,
        "REMOTE_ADDR": "192.0.2.1",
        "SERVER_NAME": "localhost",
        "SERVER_PORT": "80",
        "SERVER_PROTOCOL": "HTTP/1.1",
        "HTTP_HOST": "localhost",
        "HTTP_CONNECTION": "keep-alive",
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": "http",
        "wsgi.input": BytesIO(),
        "wsgi.errors": sys.stderr,
        "wsgi.multithread": True,
        "wsgi.multiprocess": False,
        "wsgi.run_once": False,
    }
