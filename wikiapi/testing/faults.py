"""The application of a wiki under test, which records writes and injects faults."""

from __future__ import annotations

import secrets
import socket
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import Any, Literal
from wsgiref.types import StartResponse, WSGIEnvironment

from wikiapi.api.context import RequestContext
from wikiapi.api.module import Action
from wikiapi.api.permissions import read_only
from wikiapi.api.registries import registries
from wikiapi.api.result import to_version2
from wikiapi.api.tokens import LOGIN
from wikiapi.errors import ApiError, ApiErrors
from wikiapi.http.app import WikiApp
from wikiapi.http.reply import Page
from wikiapi.languages.message import Message, Num, Plain
from wikiapi.site import Site

Kind = Literal[
    "assertuserfailed",
    "cut",
    "editconflict",
    "lost",
    "maxlag",
    "ratelimited",
    "readonly",
    "slow",
    "unavailable",
]
"""The kinds of faults, which :meth:`wikiapi.testing.wiki.Wiki.trouble` explains."""
KINDS: tuple[Kind, ...] = (
    "assertuserfailed", "cut", "editconflict", "lost", "maxlag", "ratelimited", "readonly", "slow",
    "unavailable",
)  # fmt: skip
_OF_WRITES = frozenset({"editconflict", "ratelimited", "readonly"})
"""The kinds that affect only actions that write."""
_LAG = 7
_READ_ONLY = "The database is locked for maintenance."
_SECRET = frozenset({"token"})
_SERVED = "waitress.client_disconnected"
"""The key in the WSGI environment whose value is a method of waitress's connection to a client."""


@dataclass(frozen=True, slots=True)
class Write:
    """An attempt of a client to write, and its result.

    ``params`` are the parameters of the action, without tokens and passwords. ``result`` is the
    answer of the action, or empty after an error. ``error`` is the error code (several are joined
    by ``", "``), or ``interrupted`` if the test cut the connection.
    """

    action: str
    user: str
    params: Mapping[str, str]
    result: Mapping[str, Any] = field(default_factory=dict)
    error: str = ""

    @property
    def is_done(self) -> bool:
        """Whether the write succeeded."""
        return not self.error


@dataclass(slots=True)
class Trouble:
    """A fault that affects a number of requests; as a context manager, until the block is left.

    ``happened`` is the number of requests affected so far.
    """

    kind: Kind
    times: int | None
    actions: frozenset[str]
    retry_after: int
    seconds: float
    happened: int = 0
    is_over: bool = False

    def __enter__(self) -> Trouble:
        """Return this object."""
        return self

    def __exit__(self, *_: object) -> None:
        """End the fault."""
        self.end()

    def end(self) -> None:
        """End the fault, so that requests succeed again."""
        self.is_over = True

    def strikes(self, context: RequestContext) -> bool:
        """Return whether a request is affected, and count it if so."""
        name = context.request.params.get("action", "help")
        action = registries(context.site).actions.get(name)
        if self.is_over or not self._concerns(name, action, context):
            return False
        self.happened += 1
        self.is_over = self.happened == self.times
        return True

    def _concerns(self, name: str, action: type[Action] | None, context: RequestContext) -> bool:
        if self.actions:
            return name in self.actions
        if self.kind == "editconflict":
            return name == "edit"
        if self.kind == "maxlag":
            return "maxlag" in context.request.params
        return self.kind not in _OF_WRITES or _writes(action)


class Interrupted(BaseException):
    """Raised to send ``page`` instead of an API answer, or to cut the connection if it is None.

    It is not an ``Exception``, since the API turns exceptions into answers.
    """

    def __init__(self, page: Page | None, retry_after: int = 0) -> None:
        """Store the page, and the seconds for the header ``Retry-After``."""
        super().__init__("the test interrupts this request")
        self.page = page
        self.retry_after = retry_after


class RecordingApp(WikiApp):
    """The application of a wiki, with faults, that records writes."""

    def __init__(self, site: Site, troubles: list[Trouble], writes: list[Write]) -> None:
        """Append to ``writes``; both lists may be changed at any time."""
        super().__init__(site)
        self._troubles = troubles
        self._writes = writes
        self._choosing = threading.Lock()

    def perform(self, context: RequestContext) -> None:
        """Run the action of a request with any fault that affects it, and record writes."""
        with self._choosing:
            trouble = next((one for one in self._troubles if one.strikes(context)), None)
        with self._recorded(context):
            if trouble:
                _begin(trouble, context)
            super().perform(context)
        if trouble and trouble.kind == "lost":
            raise Interrupted(None)

    @contextmanager
    def _recorded(self, context: RequestContext) -> Iterator[None]:
        name = context.request.params.get("action", "help")
        action = registries(self.site).actions.get(name)
        if action is None or not _writes(action):
            yield
            return
        result: Mapping[str, Any] = {}
        error = "interrupted"
        try:
            yield
            result, error = to_version2(context.result.root).get(name, {}), ""
        except ApiError as failed:
            error = failed.code
            raise
        except ApiErrors as failed:
            error = ", ".join(dict.fromkeys(one.code for one in failed.errors))
            raise
        except Exception as failed:
            error = type(failed).__name__
            raise
        finally:
            # Undeclared parameters can be passwords, such as the fields of the form for a new
            # account.
            names = {action.prefix + param.name for param in action.params if not param.sensitive}
            params = {
                name: value
                for name, value in context.request.params.items()
                if name in names - _SECRET
            }
            self._writes.append(Write(name, context.user.name, params, result, error))


def interrupted(
    error: Interrupted, environ: WSGIEnvironment, start_response: StartResponse
) -> list[bytes]:
    """Answer an interrupted request.

    Raises:
        ConnectionResetError: the connection of a client in this process is to be cut.
        ClientDisconnected: waitress's connection to a client has been cut.
    """
    if error.page is not None:
        reply = error.page.reply()
        headers = [*reply.headers, ("Content-Length", str(len(reply.body)))]
        start_response(reply.status_line, [*headers, ("Retry-After", str(error.retry_after))])
        return [reply.body]
    if _SERVED not in environ:
        raise ConnectionResetError("the test cuts this connection")
    from waitress.channel import ClientDisconnected

    with suppress(OSError):  # the client has gone
        environ[_SERVED].__self__.socket.shutdown(socket.SHUT_RDWR)
    # waitress closes the connection, and neither answers nor logs an error.
    raise ClientDisconnected


def _begin(trouble: Trouble, context: RequestContext) -> None:
    """Apply a fault to a request before its action runs."""
    match trouble.kind:
        case "assertuserfailed":
            context.session.log_out(secrets.token_hex(16))
        case "cut":
            raise Interrupted(None)
        case "editconflict":
            raise ApiError("editconflict", "edit-conflict")
        case "maxlag":
            _retry_later(trouble, context)
            context.headers.append(("X-Database-Lag", str(_LAG)))
            host = "db1"
            message = Message("apierror-maxlag", (Num(_LAG), Plain(host)))
            raise ApiError("maxlag", message, data={"host": host, "lag": _LAG, "type": "db"})
        case "ratelimited":
            _retry_later(trouble, context)
            raise ApiError("ratelimited", "apierror-ratelimited")
        case "readonly":
            raise read_only(_READ_ONLY)
        case "slow":
            time.sleep(trouble.seconds)
        case "unavailable":
            page = Page(503, "The server cannot answer at the moment.")
            raise Interrupted(page, trouble.retry_after)


def _retry_later(trouble: Trouble, context: RequestContext) -> None:
    context.headers.append(("Retry-After", str(trouble.retry_after)))


def _writes(action: type[Action] | None) -> bool:
    """Return whether an action changes the wiki; logging in does not."""
    return action is not None and action.is_write and action.needs_token not in ("", LOGIN)
