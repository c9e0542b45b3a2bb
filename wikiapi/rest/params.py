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
        is_boolean: whether the value is ``True`` or ``False``; ``yes`` and ``no`` in a request.
        values: the allowed values; empty for any.
        bounds: the least and the greatest allowed integer.
        default: the value if the request has none.
        is_required: whether the request must have a value.
        help: what the parameter means, for the description of the API.
    """

    name: str
    is_integer: bool = False
    is_boolean: bool = False
    values: tuple[str, ...] = ()
    bounds: tuple[int, int] | None = None
    default: str | int | bool | None = None
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
        if self.is_boolean and (self.is_integer or self.values):
            yield "is a boolean and something else"
        if self.is_boolean and not isinstance(self.default, bool | None):
            yield f"is a boolean and has the default {self.default!r}"

    def read(self, text: str | None) -> str | int | bool | None:
        """Return the value of the parameter.

        Raises:
            RestError: the value is missing or not allowed.
        """
        is_text = not (self.values or self.is_integer or self.is_boolean)
        if text is None or (self.is_required and is_text and text == ""):
            if self.is_required:
                raise invalid_parameter(self.name, text, "missingparam")
            return self.default
        if self.values and text not in self.values:
            raise invalid_parameter(self.name, text, "badvalue", data=[])
        if self.is_boolean:
            if (truth := _BOOLEANS.get(text.lower())) is None:
                raise invalid_parameter(self.name, text, "badbool")
            return truth
        return self._number(text) if self.is_integer else text

    def _number(self, text: str) -> int:
        digits = text[1:] if text[:1] in ("+", "-") else text
        is_number = digits.isascii() and digits.isdigit() and len(digits) <= _MAX_DIGITS
        number = int(text) if is_number else _BEYOND
        if not -_BEYOND <= number < _BEYOND:
            raise invalid_parameter(self.name, text, "badinteger")
        if self.bounds and not self.bounds[0] <= number <= self.bounds[1]:
            least, most = self.bounds
            data = {"min": least, "curmax": most, "max": most, "highmax": most}
            raise invalid_parameter(self.name, text, "outofrange", str(least), str(most), data=data)
        return number


_MAX_DIGITS = 19
_BEYOND = 2**63
"""Integers have 64 bits."""
_BOOLEANS: Mapping[str, bool] = MappingProxyType(
    dict.fromkeys(("true", "t", "yes", "y", "on", "1"), True)
    | dict.fromkeys(("false", "f", "no", "n", "off", "0", ""), False)
)


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
