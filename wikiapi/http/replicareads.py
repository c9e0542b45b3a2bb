"""Lets clients read what they have written, although replicas of the database lag."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from typing import Any
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

from werkzeug.http import parse_cookie

from wikiapi.http.cookies import PositionCookie
from wikiapi.site import Site


class ReplicaReads:
    """An application around that of a wiki, which follows its clients by a cookie.

    Who writes gets the position of the primary database in the cookie ``cpPosIndex``. Requests with
    it read from replicas that have reached this position.
    """

    def __init__(self, app: WSGIApplication, site: Site) -> None:
        """Take the application that answers."""
        self._app, self._db = app, site.db
        self._cookie = PositionCookie(site.config)

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        """Answer one request according to WSGI."""
        value = parse_cookie(environ).get(self._cookie.name, "")
        position = self._cookie.read(value, time.time()) if value else 0

        def start(
            status: str, headers: list[tuple[str, str]], exc_info: Any = None
        ) -> Callable[[bytes], object]:
            written = self._db.written_position()
            if written is not None:
                headers = [*headers, self._cookie.header(written, time.time())]
            return start_response(status, headers, exc_info)

        with self._db.following(position):
            return self._app(environ, start)
