"""Every exception that wikiapi raises on purpose.

Clients see ``ApiError``; the others are for those who run or extend the server.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from wikiapi.languages.message import Message, MessageParam

__all__ = [
    "ApiError",
    "ApiErrors",
    "BudgetExceeded",
    "CollationUnavailable",
    "ConfigError",
    "DeadlineExceeded",
    "DumpError",
    "InvalidTitle",
    "PluginError",
    "RequestFailed",
    "SearchRefused",
    "StoreBusy",
    "StoreConflict",
    "StoreError",
    "StoreTimeout",
    "StoreUnavailable",
    "WikiapiError",
]


class WikiapiError(Exception):
    """Base class of all exceptions of wikiapi."""


class ConfigError(WikiapiError):
    """A setting is missing, unknown or has a value that cannot be used."""


class InvalidSetting(ConfigError):
    """A setting has a value of the right type that cannot be used. The text names the setting."""


class CollationUnavailable(ConfigError):
    """Sort keys cannot be made, because the package that the wiki's collation needs is missing."""

    package = "wikiapi-server[icu]"
    """What `pip install` installs it by."""

    def __init__(self, collation: str) -> None:
        """Take the name of the collation."""
        super().__init__(
            f"site.category_collation is {collation!r}: sort keys need PyICU, which"
            f" `pip install '{self.package}'` installs"
        )
        self.collation = collation


class PluginError(WikiapiError):
    """A plugin could not be loaded, or two plugins register the same name."""


class StoreError(WikiapiError):
    """The database could not be opened, read or written."""


class StoreUnavailable(StoreError):
    """The database cannot be used: file or driver missing, connection refused, locked or closed."""


class StoreBusy(StoreUnavailable):
    """Others have been writing for too long. The same request may succeed later."""


class StoreConflict(StoreBusy):
    """A transaction was undone, because others were changing the same. It may succeed at once."""


class StoreTimeout(StoreError):
    """A statement ran past the deadline of its request and was interrupted."""


class StoreReadOnly(StoreError):
    """Something tried to write to a database that was opened for reading only."""


class StoreValueError(StoreError):
    """A value cannot be stored or compared: an integer beyond 64 bits, a lone surrogate."""


class StoreVersionError(StoreError):
    """The store's layout is newer than this code supports, or is not known to it."""


class StoreCorrupt(StoreError):
    """The database contradicts itself, or holds content in a form that is not supported."""


class StoreFull(StoreError):
    """The disk is full or cannot be written. What was committed before remains."""

    def __init__(self, text: str) -> None:
        """Take the driver's message."""
        super().__init__(f"the disk is full or cannot be written: {text}")


class DumpError(WikiapiError):
    """A dump is malformed or malicious. ``line`` is the line number, from 1, if it is known."""

    def __init__(self, text: str, line: int | None = None) -> None:
        """Take the reason and the line number."""
        super().__init__(f"line {line}: {text}" if line is not None else text)
        self.line = line


class InvalidTitle(WikiapiError):
    """A text is not a valid page title. ``message`` is the API's message for the reason."""

    def __init__(self, message: Message) -> None:
        """Take the message that gives the reason."""
        super().__init__(message.key)
        self.message = message


class SearchRefused(WikiapiError):
    """A search cannot be answered; the text gives the reason."""


class BudgetExceeded(WikiapiError):
    """A request needs more of a resource than it may use.

    ``resource`` is ``seconds``, ``steps`` or ``bytes``; ``limit`` is the amount it may use.
    """

    def __init__(self, resource: str, limit: float) -> None:
        """Take the resource that is used up and its limit."""
        super().__init__(f"the {limit:g} {resource} for this request are used up")
        self.resource = resource
        self.limit = limit

    @classmethod
    def of(cls, resource: str, limit: float) -> BudgetExceeded:
        """Return the exception for a resource, of the class that belongs to it."""
        return DeadlineExceeded(limit) if resource == "seconds" else BudgetExceeded(resource, limit)


class DeadlineExceeded(BudgetExceeded):
    """A request took longer than it may."""

    def __init__(self, seconds: float) -> None:
        """Take the number of seconds that a request may take."""
        super().__init__("seconds", seconds)


class ApiError(WikiapiError):
    """The request cannot be answered; reported as an API error, by default with HTTP status 200.

    ``code`` is MediaWiki's error code, by which clients tell errors apart; ``data`` is merged into
    the error object; ``status`` is the HTTP status, which few errors set.
    """

    def __init__(
        self,
        code: str | None,
        message: Message | str,
        *params: MessageParam,
        data: Mapping[str, object] | None = None,
        status: int = 200,
    ) -> None:
        """Take the message, or its key and parameters; the code is by default that of the key."""
        self.message = Message(message, params) if isinstance(message, str) else message
        self.code = code or code_of_key(self.message.key)
        super().__init__(code or self.message.key)
        self.data: Mapping[str, object] = data or {}
        self.status = status


class RequestFailed(WikiapiError):
    """A wiki answered a request with an error.

    ``code`` is the code of the first error, ``info`` its text, ``answer`` the whole answer.
    """

    def __init__(self, code: str, info: str, answer: dict[str, Any]) -> None:
        """Store the error and the answer."""
        super().__init__(f"{code}: {info}")
        self.code = code
        self.info = info
        self.answer = answer


class ApiErrors(WikiapiError):
    """Several errors at once, like a MediaWiki status with more than one fatal message."""

    def __init__(self, errors: list[ApiError]) -> None:
        """Take the errors in the order in which they are shown."""
        super().__init__(", ".join(error.code for error in errors))
        self.errors = errors


def code_of_key(key: str) -> str:
    """Return the API code of a message key: the key without ``apierror-`` or ``apiwarn-``."""
    for prefix in ("apierror-", "apiwarn-"):
        if key.startswith(prefix):
            return key.removeprefix(prefix)
    return key
