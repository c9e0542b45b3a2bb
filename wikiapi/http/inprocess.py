"""Requests to a WSGI application in the same process, without a server."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from io import BytesIO
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import TracebackType
    from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

    ExcInfo = tuple[type[BaseException], BaseException, TracebackType] | tuple[None, None, None]


@dataclass(frozen=True)
class Reply:
    """What an application answered. Header names are in lower case."""

    status: int
    headers: dict[str, str]
    body: bytes


def get(app: WSGIApplication, url: str, query: str) -> Reply:
    """Send a GET request to an application.

    Args:
        app: the application.
        url: full address of the script, without a query.
        query: the encoded query string.
    """
    received: list[tuple[int, dict[str, str]]] = []
    body = app(_environ(url, query), _start_response(received))
    try:
        content = b"".join(body)
    finally:
        close = getattr(body, "close", None)
        if close:
            close()
    status, headers = received[-1]
    return Reply(status, headers, content)


def _start_response(received: list[tuple[int, dict[str, str]]]) -> StartResponse:
    def start_response(
        status: str, headers: list[tuple[str, str]], exc_info: ExcInfo | None = None, /
    ) -> Callable[[bytes], object]:
        lowered = {name.lower(): value for name, value in headers}
        received.append((int(status.split(" ", 1)[0]), lowered))
        return lambda _: None

    return start_response


def _environ(url: str, query: str) -> WSGIEnvironment:
    parts = urlsplit(url)
    port = parts.port or (443 if parts.scheme == "https" else 80)
    return {
        "REQUEST_METHOD": "GET",
        "SCRIPT_NAME": "",
        "PATH_INFO": parts.path,
        "QUERY_STRING": query,
        "SERVER_NAME": parts.hostname or "localhost",
        "SERVER_PORT": str(port),
        "SERVER_PROTOCOL": "HTTP/1.1",
        "HTTP_HOST": parts.netloc,
        "REMOTE_ADDR": "127.0.0.1",
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": parts.scheme,
        "wsgi.input": BytesIO(),
        "wsgi.errors": sys.stderr,
        "wsgi.multithread": False,
        "wsgi.multiprocess": False,
        "wsgi.run_once": True,
    }
