"""The base class of parameter types, which convert texts to values, and simple types."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, NamedTuple, Protocol

from wikiapi.errors import ApiError
from wikiapi.i18n.message import Message, Plain
from wikiapi.site import Site


class Warn(Protocol):
    """Adds a warning to the answer; error formats other than ``bc`` show its code and data."""

    def __call__(self, message: Message, code: str, data: Mapping[str, Any] | None = None) -> None:
        """Add the warning."""


class Deprecate(Protocol):
    """Adds a warning about a deprecated feature; ``feature`` is the part of the request."""

    def __call__(self, message: Message, feature: str) -> None:
        """Add the warning."""


class Validation(NamedTuple):
    """The context in which types read values, and functions to add warnings."""

    site: Site
    high_limits: bool
    warn: Warn
    deprecate: Deprecate


class ParamType:
    """Base of the parameter types. Instances are immutable and shared by all requests."""

    type_name: ClassVar[str] = "string"
    is_constant: ClassVar[bool] = False
    """Whether the value depends only on the text, the wiki and ``high_limits``, not on time."""

    def read(self, name: str, raw: str, validation: Validation) -> Any:
        """Return the value of a text.

        Args:
            name: the parameter's full name, for messages.
            raw: the text in the request, already normalised.
            validation: the context.

        Raises:
            ApiError: the text is not valid for this type.
        """
        return raw

    def choices(self, site: Site) -> tuple[str, ...] | None:
        """Return all valid texts, or None if the type does not have a fixed set."""
        return None

    def describe(self, site: Site) -> Mapping[str, Any]:
        """Return the description of the type in ``action=paraminfo``, with ``type`` first."""
        return {"type": self.type_name}


def bad_value(code: str, key: str, name: str, raw: str) -> ApiError:
    """Return the error for a text that is not valid for a type."""
    return ApiError(Message(key, (Plain(name), Plain(raw))), code)


class StringType(ParamType):
    """Any text."""


class TextType(ParamType):
    """A long text of several lines."""

    type_name = "text"


class PasswordType(ParamType):
    """A text that is never included in an answer."""

    type_name = "password"


class BooleanType(ParamType):
    """True if the parameter is present, whatever its text, and false otherwise."""

    type_name: ClassVar[str] = "boolean"

    def read(self, name: str, raw: str, validation: Validation) -> bool:
        """Return True, since the parameter is present."""
        return True
