"""Connections that send an answer as soon as it is there, and stay open after it.

waitress leaves small answers in a buffer and wakes its main loop, which looks at all connections
twice before it sends them. The thread that made the answer can as well send it itself; what the
socket does not take at once is left to the loop, as ever. The same thread then waits a moment for
the client's next request, see :mod:`wikiapi.http.lingering`.
"""

from __future__ import annotations

import threading
import time
from contextlib import suppress
from functools import lru_cache, partial
from typing import Any

from waitress.channel import ClientDisconnected, HTTPChannel
from waitress.task import WSGITask
from waitress.utilities import build_http_date

from wikiapi.http.heads import HeadParser, LastHead
from wikiapi.http.lingering import ChannelServer

SEND_BYTES = 16_384
"""How much of an answer is sent before its end: head and body of a small one leave together."""
_LEFT_TO_WAITRESS = frozenset({"connection", "date", "server"})
_PATIENCE = 20.0
"""Seconds that a thread waits for a client which takes nothing of a long answer."""


class PromptTask(WSGITask):  # type: ignore[misc]
    """One request, whose answer is sent when it is complete."""

    wrote_header: bool

    def get_environment(self) -> dict[str, Any]:
        """The WSGI environment; what follows from address and fields is made once for all."""
        request = self.request
        known: dict[str, Any] | None = request.environ
        if not known or request.path.startswith("//"):
            made = dict(super().get_environment())
            if known is not None:
                known.update(made)
            return made
        return known | {
            "REQUEST_METHOD": request.command.upper(),
            "PATH_INFO": request.path,
            "REQUEST_URI": request.request_uri,
            "QUERY_STRING": request.query,
            "wsgi.input": request.get_body_stream(),
        }

    def write(self, data: bytes) -> None:
        """Send part of the body, after the head; an answer that is complete leaves in one piece."""
        is_whole = data and not self.wrote_header and self.content_length == len(data)
        if not is_whole or not self.complete or not self.has_body:
            super().write(data)
            return
        head = self.build_response_header()
        self.wrote_header = True
        self.content_bytes_written = len(data)
        self.channel.send_whole(head + data)

    def finish(self) -> None:
        """End the answer and send it."""
        super().finish()
        self.channel.send_now()

    def build_response_header(self) -> bytes:
        """Status line and headers.

        waitress spells and sorts the names anew for each answer, to find out the few that matter
        to it. Where all it has to add is itself and the date, that is added.
        """
        names = {name.lower() for name, _ in self.response_headers}
        asked = self.request.headers.get("CONNECTION", "keep-alive").lower()
        is_usual = self.version == "1.1" and asked == "keep-alive" and "content-length" in names
        if not is_usual or not self.has_body or not names.isdisjoint(_LEFT_TO_WAITRESS):
            return bytes(super().build_response_header())
        self.response_headers += [
            ("Date", _http_date(int(self.start_time))),
            ("Server", self.channel.server.adj.ident),
        ]
        lines = map(": ".join, self.response_headers)
        return "\r\n".join([f"HTTP/1.1 {self.status}", *lines, "", ""]).encode("latin-1")

    def set_close_on_finish(self) -> None:
        """Close the connection, unless for no reason but that the answer's length is not stated.

        The client knows where an answer ends that is sent in chunks, or that has no body (304).
        """
        asked = self.request.headers.get("CONNECTION", "").lower()
        has_end = self.chunked_response or not self.has_body
        if self.version != "1.1" or asked == "close" or not has_end:
            super().set_close_on_finish()


class PromptChannel(HTTPChannel):  # type: ignore[misc]
    """A connection whose worker threads send, and read as long as they hold it."""

    task_class = PromptTask
    held = False
    """Whether a thread has it: until it is given back, the main loop reads nothing from it."""

    def __init__(self, server: Any, *args: Any, **options: Any) -> None:
        """Begin as waitress does, but with a lock that does not wait for ever."""
        super().__init__(ChannelServer(server, self), *args, **options)
        self.outbuf_lock = _Patient()
        self.parser_class = partial(HeadParser, last=LastHead())

    def readable(self) -> bool:
        """Whether the main loop may read requests."""
        return not self.held and bool(super().readable())

    def writable(self) -> bool:
        """Whether the main loop has something to send; the beginning of an answer is not enough."""
        if self.will_close or self.close_when_flushed:
            return True
        least = self.adj.send_bytes if self.requests else 1
        return bool(self.total_outbufs_len >= least)

    def service(self) -> None:
        """Answer the first request, and those that the client sends right after."""
        self.held = True
        try:
            super().service()
            while self._has_next():
                super().service()
        finally:
            self._give_back()

    def _has_next(self) -> bool:
        """Whether there is a request that this thread may answer without making others wait."""
        dispatcher = self.server.task_dispatcher
        if self.requests:
            return not dispatcher.is_short
        if not self.connected or self.writable():
            return False
        connection = self.socket  # none any more once the main loop has closed it
        with suppress(OSError, ValueError):  # The client is gone; the main loop finds out as well.
            if (
                connection
                and dispatcher.has_more(connection)
                and (data := connection.recv(self.adj.recv_bytes))
            ):
                self.last_activity = time.time()
                self.received(data)
        return bool(self.requests)

    def _give_back(self) -> None:
        with self.requests_lock:
            self.held = False
            if self.connected and self.requests:
                self.server.add_task(self)
        self.server.pull_trigger()

    def send_whole(self, data: bytes) -> None:
        """Send an answer without a buffer between, but for what the socket does not take."""
        with self.outbuf_lock:
            is_free = self.connected and not self.total_outbufs_len
            sent = self.send(data, do_close=False) if is_free else 0
            self.write_soon(data[sent:])

    def send_now(self) -> None:
        """Send what the socket takes without waiting."""
        with self.outbuf_lock:
            if self.connected and self.total_outbufs_len:
                # Closing is the main loop's part, which owns the socket.
                self._flush_exception(self._flush_some, do_close=False)


@lru_cache(maxsize=1)
def _http_date(second: int) -> str:
    """The same for all answers of a second."""
    return str(build_http_date(second))


class _Patient(threading.Condition):
    """A condition that is not waited for without end."""

    def wait(self, timeout: float | None = None) -> bool:
        """Wait for the client to take something.

        Raises:
            ClientDisconnected: it does not, as if it were gone.
        """
        if not super().wait(timeout or _PATIENCE):
            raise ClientDisconnected
        return True
