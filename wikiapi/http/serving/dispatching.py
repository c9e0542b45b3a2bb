"""Distributes requests to threads, and refuses more than the server can bear.

waitress queues requests for which no thread is free. With a long queue, the server computes answers
for clients that have already given up, so that an overloaded server answers nobody in time. Beyond
a maximum length, requests are therefore refused (load shedding).

One thread is reserved for what takes no time: these refusals, and the health check, whose answer
must not wait for other requests. Load balancers would take an unanswered check for a dead server.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

from waitress.task import ThreadedTaskDispatcher

from wikiapi.http.reply import Page

if TYPE_CHECKING:
    from waitress.channel import HTTPChannel

_BUSY = Page(
    503,
    "The server is overloaded. Try again in a moment.",
    (("Retry-After", "1"),),
)
REFUSED = "wikiapi.refused"
"""Key in the WSGI environment of requests that are refused."""


class Dispatcher(ThreadedTaskDispatcher):  # type: ignore[misc]
    """The threads of a server, one of which answers at once what is refused or checks health."""

    def __init__(self, most_waiting: int, health_path: str) -> None:
        """Take the maximum number of requests that wait for a thread, and the path of the check."""
        super().__init__()
        self._most_waiting = most_waiting
        self._health_path = health_path
        self._at_once = ThreadedTaskDispatcher()

    def set_thread_count(self, count: int) -> None:
        """Start or stop threads, until there are ``count``, and the reserved one unless it is 0."""
        super().set_thread_count(count)
        self._at_once.set_thread_count(min(count, 1))

    def add_task(self, task: HTTPChannel) -> None:
        """Let a thread answer the first request of a connection."""
        request = task.requests[0]
        # A request that cannot be read has no path.
        is_check = bool(self._health_path) and getattr(request, "path", "") == self._health_path
        if is_check:
            self._at_once.add_task(task)
        elif self._is_full():
            request.is_refused = True
            self._at_once.add_task(task)
        else:
            super().add_task(task)

    def _is_full(self) -> bool:
        with self.lock:
            idle = len(self.threads) - self.stop_count - self.active_count
            return bool(len(self.queue) - idle >= self._most_waiting)

    def shutdown(self, cancel_pending: bool = True, timeout: float = 5) -> Any:
        """Stop all threads after their present requests; wait for them up to ``timeout`` s."""
        stopped = super().shutdown(cancel_pending, timeout)
        self._at_once.shutdown(cancel_pending, timeout)
        return stopped


class Shedding:
    """An application that refuses the requests which the dispatcher has marked so."""

    def __init__(self, app: WSGIApplication) -> None:
        """Take the application that answers the others."""
        self._app = app

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        """Answer one request according to WSGI."""
        if REFUSED not in environ:
            return self._app(environ, start_response)
        reply = _BUSY.reply()
        reply.headers.append(("Content-Length", str(len(reply.body))))
        start_response(reply.status_line, reply.headers)
        return (reply.body,)
