"""Observing a request from outside the application: its status, size and duration."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from types import TracebackType
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

ExcInfo = tuple[type[BaseException], BaseException, TracebackType] | tuple[None, None, None]


class Exchange:
    """A request, and the status and number of bytes sent so far."""

    def __init__(self, environ: WSGIEnvironment) -> None:
        """Start the clock."""
        self.environ = environ
        self.status = 0
        self.sent = 0
        self._started = time.perf_counter()

    @property
    def seconds(self) -> float:
        """Time since the request arrived."""
        return time.perf_counter() - self._started


def observe(
    app: WSGIApplication,
    environ: WSGIEnvironment,
    start_response: StartResponse,
    done: Callable[[Exchange], None],
) -> Iterable[bytes]:
    """Run an application; ``done`` is called once with the exchange, when the response has ended.

    It is also called if the application raises an exception.
    """
    exchange = Exchange(environ)

    def noting(
        status: str, headers: list[tuple[str, str]], exc_info: ExcInfo | None = None, /
    ) -> Callable[[bytes], object]:
        exchange.status = int(status[:3])
        return start_response(status, headers, exc_info)

    try:
        body = app(environ, noting)
    except BaseException:
        done(exchange)
        raise
    return _Observed(body, exchange, done)


class _Observed:
    """A body that counts the bytes sent, and reports when it is closed."""

    def __init__(
        self, body: Iterable[bytes], exchange: Exchange, done: Callable[[Exchange], None]
    ) -> None:
        self._body = body
        self._exchange = exchange
        self._done = done

    def __iter__(self) -> Iterator[bytes]:
        for chunk in self._body:
            self._exchange.sent += len(chunk)
            yield chunk

    def close(self) -> None:
        try:
            if hasattr(self._body, "close"):
                self._body.close()
        finally:
            self._done(self._exchange)
