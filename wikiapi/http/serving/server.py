"""Serves a WSGI application with waitress."""

from __future__ import annotations

import ctypes
import gc
import logging
import os
import socket
import sys
import threading
from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack, suppress
from io import RawIOBase
from signal import Signals
from typing import Any
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

import waitress
from waitress.adjustments import Adjustments
from waitress.channel import HTTPChannel
from waitress.parser import HTTPRequestParser, ParsingError
from waitress.task import ErrorTask, Task, ThreadedTaskDispatcher, WSGITask
from waitress.utilities import BadRequest, RequestEntityTooLarge

from wikiapi.config import ADDRESS, HttpConfig, is_address
from wikiapi.errors import ConfigError
from wikiapi.http.errors import BODY, too_large
from wikiapi.http.reply import Page
from wikiapi.http.serving.balance import Place, let_others_accept_first
from wikiapi.http.serving.connections import (
    Connections,
    allow_files,
    listeners_of,
    most_connections,
    sockets_of,
)
from wikiapi.http.serving.draining import STOPPING, run_until_stopped

MAX_HEADER_BYTES = 65_536
SLACK = 65_536
"""Difference between waitress's own limits and the lower ones that the application enforces."""
_IN_MEMORY = 1 << 40
"""Size from which waitress uses temporary files; so large that it never does, as a full disk would
make it fail."""
_BACKLOG = 1024
"""Maximum number of connections that wait to be accepted by processes which share a socket."""
_FRAMING = 65_536
"""Maximum number of bytes of a chunked body besides its content, plus an eighth of the content."""


_BUSY = Page(
    503,
    "The server is overloaded. Try again in a moment.",
    (("Retry-After", "1"),),
)
REFUSED = "wikiapi.refused"
"""Key in the WSGI environment of requests that are refused."""


class IdleThreads:
    """The idle threads of a dispatcher, of which the one that was busy last is woken first.

    It stands in for a ``Condition``, which wakes the one that has been idle for longest, so that
    threads take turns. Each has its own connection to the database, whose pages in memory are out
    of date as soon as another connection has written. With four threads that take turns, an edit
    that creates a page reads some 120 pages again, which is a tenth of its time.
    """

    def __init__(self, lock: threading.Lock) -> None:
        """Take the lock that is held while any method is called."""
        self._lock = lock
        self._idle: list[threading.Lock] = []

    def wait(self) -> None:
        """Release the lock, wait to be woken, and take the lock again."""
        waiter = threading.Lock()
        waiter.acquire()
        self._idle.append(waiter)
        self._lock.release()
        waiter.acquire()
        self._lock.acquire()

    def notify(self) -> None:
        """Wake the thread that began to wait last, if any waits."""
        if self._idle:
            self._idle.pop().release()

    def notify_all(self) -> None:
        """Wake all threads that wait."""
        while self._idle:
            self.notify()


class Dispatcher(ThreadedTaskDispatcher):  # type: ignore[misc]
    """The threads of a server, and one more for refusals and for the health check.

    waitress queues requests for which no thread is free. With a long queue, the server computes
    answers for clients that have already given up, so that an overloaded server answers nobody in
    time. Beyond a maximum length, requests are therefore refused (load shedding).

    The other thread is for what takes no time: these refusals, and the health check, whose answer
    must not wait for other requests. Load balancers would take an unanswered check for a dead
    server.
    """

    def __init__(self, most_waiting: int, health_path: str) -> None:
        """Take the maximum number of requests that wait for a thread, and the path of the check."""
        super().__init__()
        self.queue_cv = IdleThreads(self.lock)
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


class Parser(HTTPRequestParser):  # type: ignore[misc]
    """waitress's parser, which also refuses two kinds of malformed requests.

    Some malformed heads raise exceptions in waitress's main loop, which closes the connection
    without an answer. Endless lines of chunks or trailers are searched again with all data that is
    received, in quadratic time.
    """

    completed: bool
    is_refused = False
    """Whether the server is too busy to answer."""

    def parse_header(self, header_plus: bytes) -> None:
        """Parse the first line and the header fields.

        Raises:
            ParsingError: they are malformed.
            TransferEncodingNotImplemented: the transfer encoding of the body is unknown.
        """
        try:
            super().parse_header(header_plus)
        except ValueError as error:  # such as a host with a single bracket, a length of 5000 digits
            raise ParsingError("The request's head is malformed") from error

    def received(self, data: bytes) -> int:
        """Parse received bytes; return how many of them belong to this request."""
        consumed = int(super().received(data))
        if self.chunked and not self.completed:
            content = len(self.body_rcv)
            if self.body_bytes_received - content > _FRAMING + content // 8:
                self.error = BadRequest("The chunks of the body are malformed")
                self.completed = True
        return consumed


class _Unread(RawIOBase):
    """The input of a request whose body is too large and has not been received."""

    def readable(self) -> bool:
        return True

    def readinto(self, _: object) -> int:
        raise too_large(BODY)


class _AnsweringTask(WSGITask):  # type: ignore[misc]
    """Calls the application; closes the connection after the last answer if the server stops."""

    def get_environment(self) -> WSGIEnvironment:
        """Return the environment, which says whether the request is refused."""
        environ: WSGIEnvironment = super().get_environment()
        return environ | {REFUSED: True} if self.request.is_refused else environ

    def build_response_header(self) -> bytes:
        """Return the status line and the header fields."""
        if self.channel.is_draining and self.channel.has_one_request():
            self.request.headers["CONNECTION"] = "close"
        header: bytes = super().build_response_header()
        return header


class _TooLarge(_AnsweringTask):
    """Calls the application for a body that is too large, which the application refuses."""

    def execute(self) -> None:
        """Call the application, and close the connection, because the body may still follow."""
        self.set_close_on_finish()
        super().execute()

    def get_environment(self) -> WSGIEnvironment:
        """Return the environment with the announced size of the body."""
        environ: WSGIEnvironment = super().get_environment()
        size = max(self.request.content_length, self.request.body_bytes_received)
        return environ | {"CONTENT_LENGTH": str(size), "wsgi.input": _Unread()}


def _task_of(channel: HTTPChannel, request: HTTPRequestParser) -> Task:
    """Return the task that answers a request with an error."""
    kind = _TooLarge if isinstance(request.error, RequestEntityTooLarge) else ErrorTask
    return kind(channel, request)


class Channel(HTTPChannel):  # type: ignore[misc]
    """waitress's connection with another parser and other tasks."""

    is_draining = False
    """Whether the connection is closed after the requests that have been received."""
    parser_class = Parser
    task_class = _AnsweringTask
    error_task_class = staticmethod(_task_of)

    def has_one_request(self) -> bool:
        """Return whether no other request follows the one that is being answered."""
        with self.requests_lock:  # held while received data are split into requests
            return len(self.requests) == 1


def create_server(
    app: WSGIApplication, http: HttpConfig, sockets: Sequence[socket.socket] = ()
) -> Any:
    """Return a waitress server bound to ``http.listen`` (port 0 for any free one), not yet running.

    If listening sockets are given, it uses these instead.

    Headers of proxies are passed on unchanged, because the application decides which proxies it
    trusts, and must be able to detect unknown ones.

    Raises:
        ConfigError: the address cannot be used.
    """
    check_port(http.listen)
    where: dict[str, Any] = {"sockets": list(sockets)} if sockets else {"listen": http.listen}
    dispatcher = Dispatcher(http.max_waiting, http.health_path)
    try:
        server = waitress.create_server(
            Shedding(app),
            _dispatcher=dispatcher,
            **where,
            threads=http.threads,
            ident="wikiapi",
            clear_untrusted_proxy_headers=False,
            max_request_header_size=MAX_HEADER_BYTES,
            # The application refuses large bodies itself; this avoids reading them completely.
            max_request_body_size=http.max_body + SLACK,
            inbuf_overflow=_IN_MEMORY,
            outbuf_overflow=_IN_MEMORY,
            # ``Connections`` closes idle connections, and accepts no more, before waitress would.
            connection_limit=most_connections(http) + SLACK,
            channel_timeout=int(http.keep_alive) + SLACK,
            expose_tracebacks=False,
        )
    except (OSError, ValueError) as error:
        raise ConfigError(f"cannot listen on {http.listen!r}: {error}") from error
    dispatcher.set_thread_count(http.threads)
    for listener in listeners_of(sockets_of(server)):
        listener.channel_class = Channel
    # waitress would log a warning for every request that waits, just when it is overloaded.
    logging.getLogger("waitress.queue").setLevel(logging.ERROR)
    return server


def check_port(listen: str) -> None:
    """Check the form of an address, since the resolver truncates ports of more than 16 bits.

    Raises:
        ConfigError: there is no port, or it is too large.
    """
    if not is_address(listen):
        raise ConfigError(f"cannot listen on {listen!r}: it must be {ADDRESS.text}")


def listening_sockets(listen: str) -> list[socket.socket]:
    """Return sockets that listen on an address; several if it is a name with several addresses.

    Raises:
        ConfigError: the address cannot be used.
    """
    check_port(listen)
    with ExitStack() as opened:
        try:
            sockets = [
                opened.enter_context(
                    socket.create_server(address[:2], family=family, backlog=_BACKLOG)
                )
                for family, _, _, address in Adjustments(listen=listen).listen
            ]
        except (OSError, ValueError) as error:
            raise ConfigError(f"cannot listen on {listen!r}: {error}") from error
        opened.pop_all()
        return sockets


def check_free(listen: str) -> None:
    """Check that the server can listen on an address, before doing anything that takes longer.

    Raises:
        ConfigError: the port is in use, or the address does not exist.
    """
    for each in listening_sockets(listen):
        each.close()


def serve(
    app: WSGIApplication,
    http: HttpConfig,
    on_bound: Callable[[str], None] = lambda _: None,
    *,
    sockets: Sequence[socket.socket] = (),
    place: Place | None = None,
    keep_running: Callable[[], bool] = lambda: True,
    signals: Sequence[Signals] = STOPPING,
) -> None:
    """Serve an application until a signal arrives; received requests are still answered.

    Args:
        app: the application.
        http: the settings of the server.
        on_bound: called with the URL, such as ``http://127.0.0.1:8080``, once the server listens.
        sockets: listening sockets to use instead of ``http.listen``; processes may share them.
        place: the place of this process among those that share the sockets.
        keep_running: called several times per second; the server stops if it returns false.
        signals: the signals that stop the server, by default SIGINT and SIGTERM.

    Raises:
        ConfigError: the address cannot be used.
    """
    share_heap()
    keep_heap()
    allow_files(http)
    server = create_server(app, http, sockets)
    listeners = listeners_of(sockets_of(server))
    connections = Connections(server, http, on_count=place.set if place else None)
    if place is not None:
        for listener in listeners:
            let_others_accept_first(listener, place)
    on_bound(address_of(listeners[0].socket))
    run_until_stopped(server, connections, http.shutdown_grace, keep_running, signals)


_ANY = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104 - used in URLs, not to listen on


def address_of(listening: socket.socket) -> str:
    """Return the URL of a listening socket for use on this machine."""
    host, port = listening.getsockname()[:2]
    host = _ANY.get(host, host)
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


# glibc gives each thread its own heap (up to eight per core). Memory that one thread allocates and
# another frees leaves holes in the heaps, so that a server's memory use grows for hours, while
# Python's objects take no more space. Since Python runs one thread at a time, sharing one heap
# costs no time (https://man7.org/linux/man-pages/man3/mallopt.3.html).

_ARENA_MAX = -8
_THRESHOLDS = (10_000, 10, 10)
"""Thresholds of the garbage collector's generations, see ``gc.set_threshold``."""
_SETTING = "MALLOC_ARENA_MAX"
"""The environment variable for the same setting of glibc, which has priority."""


def share_heap() -> None:
    """Make all threads that are started later use one heap, if the C library supports it."""
    if sys.platform == "linux" and _SETTING not in os.environ:
        with suppress(AttributeError, OSError):  # other C libraries always use one heap
            ctypes.CDLL(None).mallopt(_ARENA_MAX, 1)


def keep_heap() -> None:
    """Exclude the objects created at start-up, which are never freed, from garbage collection.

    Otherwise they would be checked every few requests, which takes some tens of milliseconds.
    Garbage collection is also made less frequent, since most objects of a request are already freed
    when its answer is sent.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(*_THRESHOLDS)
