"""Errors of HTTP requests that are refused before the API handles them, and of exceptions."""

from __future__ import annotations

from typing import NamedTuple

from wikiapi.errors import (
    ApiError,
    BudgetExceeded,
    DeadlineExceeded,
    StoreError,
    StoreReadOnly,
    StoreTimeout,
    StoreUnavailable,
    WikiapiError,
)
from wikiapi.languages.message import Message, Num, Plain


class Refused(WikiapiError):
    """The request is answered with an HTTP error status and a short plain text."""

    def __init__(self, status: int, text: str, headers: tuple[tuple[str, str], ...] = ()) -> None:
        """Take the status, a text without any part of the request, and additional headers."""
        super().__init__(text)
        self.status = status
        self.text = text
        self.headers = headers


class UnreadRequest(Refused):
    """The parameters or the body of a request cannot be read.

    The API reports this as an API error; other applications treat it as any ``Refused``.
    """

    def __init__(self, status: int, code: str, text: str) -> None:
        """Take the status, the code of the API error, and a text."""
        super().__init__(status, text)
        self.code = code

    def api_error(self) -> ApiError:
        """Return the API error for this."""
        message = Message("apierror-unread-request", (Plain(self.text),))
        return ApiError(self.code, message, status=self.status)


BODY, FIELDS = "a larger body", "more fields"


def too_large(what: str) -> UnreadRequest:
    """Return an error with status 413 for a request with too large a body or too many fields."""
    text = f"The request has {what} than this server accepts."
    return UnreadRequest(413, "requesttoolarge", text)


def unreadable(text: str) -> UnreadRequest:
    """Return an error with status 400 for a request whose body is malformed or incomplete."""
    return UnreadRequest(400, "unreadablebody", text)


# The error code contains the name of the exception that MediaWiki raises in the same situation,
# because clients depend on it: some repeat a request after
# ``internal_api_error_DBQueryTimeoutError``, but not after other errors.

_RDBMS = "Wikimedia\\Rdbms\\"


class _Kind(NamedTuple):
    exception: type[Exception]
    name: str
    """The name of MediaWiki's class; the code does not contain the namespace ``_RDBMS``."""
    key: str


_KINDS = (
    _Kind(StoreTimeout, f"{_RDBMS}DBQueryTimeoutError", "apierror-internal-database-slow"),
    _Kind(StoreUnavailable, f"{_RDBMS}DBConnectionError", "apierror-internal-database-gone"),
    _Kind(StoreReadOnly, f"{_RDBMS}DBReadOnlyError", "apierror-internal-database"),
    _Kind(StoreError, f"{_RDBMS}DBQueryError", "apierror-internal-database"),
    _Kind(
        DeadlineExceeded,
        "Wikimedia\\RequestTimeout\\RequestTimeoutException",
        "apierror-internal-timeout",
    ),
    _Kind(BudgetExceeded, "BudgetExceeded", "apierror-internal-budget"),
)


BUSY = "Other changes keep the wiki busy. Try again in a few seconds."
"""The reason of the error ``readonly``, after which clients repeat a request, of a busy store."""
RETRY_LATER = ("Retry-After", "5")
"""A header that says in how many seconds a busy or missing store may be tried again."""


def api_error(error: Exception, error_id: str) -> ApiError:
    """Return the API error for an exception that was logged with an id."""
    kind = next((kind for kind in _KINDS if isinstance(error, kind.exception)), None)
    name = kind.name if kind else type(error).__name__
    limits = (Num(error.limit),) if isinstance(error, BudgetExceeded) else ()
    message = Message(kind.key if kind else "apierror-internal", (error_id, *limits))
    code = f"internal_api_error_{name.removeprefix(_RDBMS)}"
    return ApiError(code, message, data={"errorclass": name})
