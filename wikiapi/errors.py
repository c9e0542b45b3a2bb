"""Every exception that wikiapi raises on purpose.

Clients see ``ApiError``; the others are for those who run or extend the server.
"""

from __future__ import annotations

from collections.abc import Mapping

from wikiapi.i18n.message import Message, MessageParam


class WikiapiError(Exception):
    """Base class of all exceptions of wikiapi."""


class ConfigError(WikiapiError):
    """A setting is missing, unknown or has a value that cannot be used."""


class InvalidSetting(ConfigError):
    """A setting has a value of the right type that cannot be used. The text names the setting."""


class PluginError(WikiapiError):
    """A plugin could not be loaded, or two plugins register the same name."""


class StoreError(WikiapiError):
    """The database could not be opened, read or written."""


class StoreUnavailable(StoreError):
    """The database cannot be used: file or driver missing, connection refused, locked or closed."""


class StoreBusy(StoreUnavailable):
    """Others have been writing for too long. The same request may succeed later."""


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
        message: Message,
        code: str | None = None,
        data: Mapping[str, object] | None = None,
        status: int = 200,
    ) -> None:
        """Take the message; without a code, it is derived from the message key."""
        super().__init__(code or message.key)
        self.message = message
        self.code = code or code_of_key(message.key)
        self.data: Mapping[str, object] = data or {}
        self.status = status

    @classmethod
    def of(cls, code: str, key: str, *params: MessageParam, **data: object) -> ApiError:
        """Return an error with this code, message key, message parameters and data."""
        return cls(Message(key, params), code, data)


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
