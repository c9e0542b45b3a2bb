"""Texts and switches."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from wikiapi.api.params.types.base import ParamType

if TYPE_CHECKING:
    from wikiapi.api.params.types.base import Validation


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
        """Presence is truth."""
        return True
