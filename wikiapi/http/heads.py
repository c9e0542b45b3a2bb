"""Reading the heads of requests, of which one client's are nearly all alike.

On a connection that stays open only the first line changes from request to request: the fields
below it are read once.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from waitress.parser import HTTPRequestParser, crack_first_line, split_uri

_LONGEST = 4096
"""Bytes of fields that are kept for each connection."""


@dataclass(slots=True)
class LastHead:
    """The fields of a connection's last request without a body, and what waitress made of them."""

    fields: bytes = b""
    headers: dict[str, str] = field(default_factory=dict)
    closes: bool = False
    environ: dict[str, Any] = field(default_factory=dict)
    """What applications are told of a request with them; made anew for other fields."""


class HeadParser(HTTPRequestParser):  # type: ignore[misc]
    """One request of a connection."""

    completed: bool
    headers_finished: bool

    def __init__(self, adj: Any, last: LastHead) -> None:
        """Begin; ``last`` is the connection's, and is kept up to date."""
        super().__init__(adj)
        self._last = last
        self.environ: dict[str, Any] | None = None
        """Where the fields are those of an earlier request: what applications are told of them.

        It is filled when the first such request is answered. By then the connection's last head may
        be another one, since requests are read ahead.
        """

    def received(self, data: bytes) -> int:
        """Take what has come; returns how much of it belongs to this request."""
        if self.header_plus or self.headers_finished or self.completed:
            return int(super().received(data))
        line, _, fields = data.partition(b"\r\n")
        is_short = len(data) < self.adj.max_request_header_size
        if not is_short or not self._repeats(line, fields):
            return int(super().received(data))
        self.header_bytes_received = len(data)
        self.completed = self.headers_finished = True
        return len(data)

    def parse_header(self, header_plus: bytes) -> None:
        """Read first line and fields.

        Raises:
            ParsingError: they are malformed.
            TransferEncodingNotImplemented: the body is in an encoding that is not known.
        """
        line, _, fields = header_plus.partition(b"\r\n")
        if not self._repeats(line, fields):
            super().parse_header(header_plus)
            self._remember(fields)

    def _repeats(self, line: bytes, fields: bytes) -> bool:
        """Take the known fields, if it is these and the first line is of the usual form."""
        if not fields or fields != self._last.fields:
            return False
        if not line.endswith(b" HTTP/1.1") or b"\r" in line or b"\n" in line:
            return False
        command, uri, _ = crack_first_line(line)
        if not command:
            return False
        self.first_line = line
        self.command, self.version = command.decode("latin-1"), "1.1"
        self.request_uri = uri.decode("latin-1")
        parts = split_uri(uri)
        self.proxy_scheme, self.proxy_netloc, self.path, self.query, self.fragment = parts
        self.url_scheme = self.adj.url_scheme
        self.headers = self._last.headers.copy()
        self.connection_close = self._last.closes
        self.environ = self._last.environ
        return True

    def _remember(self, fields: bytes) -> None:
        has_body = self.body_rcv is not None or self.expect_continue
        if self.version == "1.1" and not has_body and len(fields) <= _LONGEST:
            self._last.fields = fields
            self._last.headers = self.headers.copy()
            self._last.closes = self.connection_close
            self._last.environ = {}
