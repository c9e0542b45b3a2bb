"""Serving pages directly at the root of a site (``article_path = "/$1"``).

These pages have no common path at which they could be mounted. So all other applications answer
first; if the status is 404, the path is taken as the name of a page.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

from wikiapi.http import PART

_ANSWERED = ("GET", "HEAD", "POST")


def with_root_pages(
    app: WSGIApplication, pages: WSGIApplication, script_path: str
) -> WSGIApplication:
    """Return an application that calls ``pages`` for requests that ``app`` answers with status 404.

    Paths below ``script_path`` are never pages.
    """
    scripts = f"{script_path.rstrip('/')}/"

    def wrapped(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        path: str = environ.get("PATH_INFO", "")
        is_script = scripts != "/" and path.startswith(scripts)
        if environ["REQUEST_METHOD"] not in _ANSWERED or is_script or path in ("", "/"):
            return app(environ, start_response)
        held = _HeldStart()
        body = app(environ, held)
        if not held.status:  # the application starts the response only when its body is read
            body = _whole(body)
        if held.status.startswith("404"):
            _close(body)
            environ[PART] = "reader"
            return pages(environ, start_response)
        start_response(held.status, held.headers, *held.more)
        return body

    return wrapped


class _HeldStart:
    """A ``start_response`` that stores its arguments instead of passing them on."""

    def __init__(self) -> None:
        self.status = ""
        self.headers: list[tuple[str, str]] = []
        self.more: tuple[Any, ...] = ()

    def __call__(self, status: str, headers: list[tuple[str, str]], *more: Any) -> Any:
        self.status, self.headers, self.more = status, headers, more
        return _never_written


def _never_written(_: bytes) -> object:
    raise RuntimeError("the write() callable of WSGI is not supported")


def _whole(body: Iterable[bytes]) -> Iterable[bytes]:
    try:
        return [b"".join(body)]
    finally:
        _close(body)


def _close(body: Iterable[bytes]) -> None:
    close = getattr(body, "close", None)
    if close:
        close()
