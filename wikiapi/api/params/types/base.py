"""What every parameter type can do: turn one raw text into a value, or say why it cannot."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, NamedTuple, Protocol

from wikiapi.errors import ApiError
from wikiapi.i18n.message import Message, Plain
from wikiapi.site import Site


class Warn(Protocol):
    """Adds a warning to the answer; ``data`` goes with the code outside the bc error format."""

    def __call__(self, message: Message, code: str, data: Mapping[str, Any] | None = None) -> None:
        """Add it."""


class Deprecate(Protocol):
    """Adds a warning about something deprecated; ``feature`` is how the request spelled it."""

    def __call__(self, message: Message, feature: str) -> None:
        """Add it."""


class Validation(NamedTuple):
    """What a type may need to know while it reads a value, and where its warnings go."""

    site: Site
    high_limits: bool
    warn: Warn
    deprecate: Deprecate


class ParamType:
    """Base of the parameter types. Instances are immutable and shared by all requests."""

    type_name: ClassVar[str] = "string"
    is_constant: ClassVar[bool] = False
    """Whether a text always has the same value, on one wiki and for users with the same limits."""

    def read(self, name: str, raw: str, validation: Validation) -> Any:
        """Return the value of a raw text.

        Args:
            name: the parameter's full name, for messages.
            raw: the text of the request, already normalised.
            validation: the wiki and where warnings go.

        Raises:
            ApiError: the text has no value of this type.
        """
        return raw

    def choices(self, site: Site) -> tuple[str, ...] | None:
        """Return the values that a request may name, for types that have a fixed set."""
        return None

    def describe(self, site: Site) -> Mapping[str, Any]:
        """Return the type's part of the answer of ``action=paraminfo``, ``type`` first."""
        return {"type": self.type_name}


def bad_value(code: str, key: str, name: str, raw: str) -> ApiError:
    """Return the error of a value that a type refuses."""
    return ApiError(Message(key, (Plain(name), Plain(raw))), code)


class StringType(ParamType):
    """Any text."""


class TextType(ParamType):
    """A long text of several lines."""

    type_name = "text"


class PasswordType(ParamType):
    """A text that is never echoed."""

    type_name = "password"


class BooleanType(ParamType):
    """True when the parameter is there at all, whatever its value; false when it is not."""

    type_name: ClassVar[str] = "boolean"

    def read(self, name: str, raw: str, validation: Validation) -> bool:
        """Return true: the presence of the parameter is its value."""
        return True
