"""Parameters of routes, and fields of the JSON objects that are sent to them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Literal

from wikiapi.rest.errors import RestError, invalid_parameter


@dataclass(frozen=True, slots=True)
class RestParam:
    """A parameter in the path or in the query string.

    Attributes:
        name: the name, as in the path.
        is_integer: whether the value is an integer.
        values: the allowed values; empty for any.
        bounds: the least and the greatest allowed integer.
        default: the value if the request has none.
        is_required: whether the request must have a value.
        help: what the parameter means, for the description of the API.
    """

    name: str
    is_integer: bool = False
    values: tuple[str, ...] = ()
    bounds: tuple[int, int] | None = None
    default: str | int | None = None
    is_required: bool = False
    help: str = ""

    def problems(self) -> Iterator[str]:
        """Yield what is wrong with the declaration, as the end of a sentence about it."""
        if self.is_required and self.default is not None:
            yield "is required and has a default"
        if self.bounds and not self.is_integer:
            yield "has bounds and is no integer"
        if isinstance(self.values, str) or not all(isinstance(text, str) for text in self.values):
            yield f"has the values {self.values!r}, which are not a tuple of texts"
        elif self.values and self.default is not None and self.default not in self.values:
            yield f"has the default {self.default!r}, which is not among its values"
        if self.is_integer and self.default is not None and type(self.default) is not int:
            yield f"is an integer and has the default {self.default!r}"

    def read(self, text: str | None) -> str | int | None:
        """Return the value of the parameter.

        Raises:
            RestError: the value is missing or not allowed.
        """
        if text is None or (self.is_required and text == ""):
            if self.is_required:
                raise invalid_parameter(self.name, text, "missingparam")
            return self.default
        if self.values and text not in self.values:
            raise invalid_parameter(self.name, text, "badvalue", data=[])
        if not self.is_integer:
            return text
        digits = text.removeprefix("-")
        if not (digits.isascii() and digits.isdigit() and len(digits) < 19):
            raise invalid_parameter(self.name, text, "badinteger")
        number = int(text)
        if self.bounds and not self.bounds[0] <= number <= self.bounds[1]:
            least, most = self.bounds
            data = {"min": least, "curmax": most, "max": most, "highmax": most}
            raise invalid_parameter(self.name, text, "outofrange", str(least), str(most), data=data)
        return number


@dataclass(frozen=True, slots=True)
class RestField:
    """A field of the JSON object that is the body of a request.

    Attributes:
        name: the name.
        type: the name of its type in JSON.
        is_required: whether the object must have it. ``null`` counts as missing.
        help: what the field means, for the description of the API.
    """

    name: str
    type: Literal["string", "object", "boolean"] = "string"
    is_required: bool = False
    help: str = ""

    def problems(self) -> Iterator[str]:
        """Yield what is wrong with the declaration, as the end of a sentence about it."""
        if self.type not in _JSON_TYPES:
            yield f"has the type {self.type!r}, which is none of {', '.join(_JSON_TYPES)}"

    def read(self, body: Mapping[str, Any]) -> Any:
        """Return the value of the field in the body of a request; ``None`` if it has none.

        Raises:
            RestError: the value is missing or has another type.
        """
        value = body.get(self.name)
        if value is None:
            if self.is_required:
                raise self.invalid("missingparam")
        elif not isinstance(value, _JSON_TYPES[self.type]):
            raise self.invalid("badvalue")
        return value

    def invalid(self, code: str) -> RestError:
        """Return the error for a value that cannot be used."""
        error = invalid_parameter(self.name, None, code)
        error.data["errorKey"] = "rest-body-validation-error"
        return error


_JSON_TYPES: Mapping[str, type] = MappingProxyType({"string": str, "object": dict, "boolean": bool})
