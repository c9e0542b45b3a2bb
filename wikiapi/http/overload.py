"""Refusing at once what could only be answered too late.

waitress queues requests that no thread is free for. Behind a long queue every client waits for
answers that earlier ones have given up on, so a server under more load than it bears answers
nobody in time. Past a bound we say so instead, cheaply, and the rest are still served.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from wikiapi.http.reply import Page

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

_BUSY = Page(
    503,
    "The server is busier than it can bear. Ask again in a moment.",
    (("Retry-After", "1"),),
)


class Shedding:
    """An application that refuses requests while more than ``most`` others wait behind them."""

    def __init__(self, app: WSGIApplication, waiting: Callable[[], int], most: int) -> None:
        """Take the application, and what tells how many requests wait for a thread."""
        self._app = app
        self._waiting = waiting
        self._most = most

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        """Answer one request, as WSGI has it."""
        if self._waiting() <= self._most:
            return self._app(environ, start_response)
        reply = _BUSY.reply()
        reply.headers.append(("Content-Length", str(len(reply.body))))
        start_response(reply.status_line, reply.headers)
        return (reply.body,)
