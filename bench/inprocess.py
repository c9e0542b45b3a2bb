"""Requests to a WSGI application in this process, without HTTP."""

from __future__ import annotations

import sys
import time
from collections.abc import Mapping
from io import BytesIO
from typing import Any
from urllib.parse import urlencode
from wsgiref.types import WSGIApplication

PATH = "/w/api.php"
FORMAT = {"format": "json", "formatversion": "2"}


def query_of(params: Mapping[str, str]) -> str:
    """Return the query string of a request for JSON."""
    return urlencode({**FORMAT, **params})


def send(app: WSGIApplication, query: str, path: str = PATH) -> tuple[float, bytes]:
    """Send a request; return the seconds that the application took to answer, and the body.

    Raises:
        RuntimeError: If the answer is an error.
    """
    environ = _environ(path, query)
    responses: list[Any] = []

    def start_response(status: str, headers: list[tuple[str, str]], _error: Any = None) -> Any:
        responses.append((status, dict(headers)))

    start = time.perf_counter()
    body = b"".join(app(environ, start_response))
    seconds = time.perf_counter() - start
    status, headers = responses[0]
    if not status.startswith("200") or "MediaWiki-API-Error" in headers:
        raise RuntimeError(f"{query}: {status} {body[:200]!r}")
    return seconds, body


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
