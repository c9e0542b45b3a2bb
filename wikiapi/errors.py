"""Every exception that wikiapi raises on purpose.

``ApiError`` is what a client gets to see; the others are for whoever runs or extends the server.
"""

from __future__ import annotations

from collections.abc import Mapping

from wikiapi.i18n.message import Message, MessageParam


class WikiapiError(Exception):
    """Base of all our exceptions."""


class ConfigError(WikiapiError):
    """A setting is missing, unknown or has a value that cannot be used."""


class InvalidSetting(ConfigError):
    """A setting has a value of the right type that cannot be used. The text names the setting."""


class PluginError(WikiapiError):
    """A plugin could not be loaded, or two plugins register the same name."""


class StoreError(WikiapiError):
    """The database could not be opened, read or written."""


class StoreUnavailable(StoreError):
    """The database cannot be reached: no such file, no driver, refused, locked or closed."""


class StoreTimeout(StoreError):
    """A statement ran past the deadline of its request and was interrupted."""


class StoreReadOnly(StoreError):
    """Something tried to write to a database that was opened for reading only."""


class StoreValueError(StoreError):
    """A value cannot be stored or compared: an integer beyond 64 bits, a lone surrogate."""


class StoreVersionError(StoreError):
    """The store's layout is newer than this code, or is none of ours."""


class StoreCorrupt(StoreError):
    """The database contradicts itself, or holds content in a form that is not supported."""


class StoreFull(StoreError):
    """Nothing more can be written: what was committed stays."""

    def __init__(self, text: str) -> None:
        """Take the driver's own words."""
        super().__init__(f"the disk is full or cannot be written: {text}")


class DumpError(WikiapiError):
    """A dump is malformed or hostile. ``line`` is where, counted from 1, when known."""

    def __init__(self, text: str, line: int | None = None) -> None:
        """Keep the line beside the text."""
        super().__init__(f"line {line}: {text}" if line is not None else text)
        self.line = line


class InvalidTitle(WikiapiError):
    """A text is no page title. ``message`` is the reason as the API words it."""

    def __init__(self, message: Message) -> None:
        """Keep the reason as a message."""
        super().__init__(message.key)
        self.message = message


class BudgetExceeded(WikiapiError):
    """A request needs more of something than it may use.

    ``resource`` says of what (``seconds``, ``steps`` or ``bytes``), ``limit`` how much it may use.
    """

    def __init__(self, resource: str, limit: float) -> None:
        """Name what has been used up."""
        super().__init__(f"the {limit:g} {resource} for this request are used up")
        self.resource = resource
        self.limit = limit


class DeadlineExceeded(BudgetExceeded):
    """A request took longer than it may."""

    def __init__(self, seconds: float) -> None:
        """Name the time that a request may take."""
        super().__init__("seconds", seconds)


class ApiError(WikiapiError):
    """The request cannot be answered; rendered in the API's own shape, by default with HTTP 200.

    ``code`` is what clients switch on (MediaWiki's error codes); ``data`` is merged into the error
    object; ``status`` is an HTTP status other than 200 for the few cases that have one.
    """

    def __init__(
        self,
        message: Message,
        code: str | None = None,
        data: Mapping[str, object] | None = None,
        status: int = 200,
    ) -> None:
        """Derive the code from the message key when none is given."""
        super().__init__(code or message.key)
        self.message = message
        self.code = code or code_of_key(message.key)
        self.data: Mapping[str, object] = data or {}
        self.status = status

    @classmethod
    def of(cls, code: str, key: str, *params: MessageParam, **data: object) -> ApiError:
        """Return an error with code, message key and parameters."""
        return cls(Message(key, params), code, data)


class ApiErrors(WikiapiError):
    """Several errors at once: a status with more than one fatal message."""

    def __init__(self, errors: list[ApiError]) -> None:
        """Take the errors in the order they are shown."""
        super().__init__(", ".join(error.code for error in errors))
        self.errors = errors


def code_of_key(key: str) -> str:
    """Return the API code of a message key: the key without its ``apierror-`` prefix."""
    for prefix in ("apierror-", "apiwarn-"):
        if key.startswith(prefix):
            return key.removeprefix(prefix)
    return key
