"""Whole numbers, and limits: numbers that may be ``max``."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from wikiapi.api.params.types.base import ParamType, Validation, bad_value
from wikiapi.errors import ApiError
from wikiapi.i18n.message import Message, Num, Plain
from wikiapi.site import Site

_DIGITS = re.compile(r"[+-]?[0-9]{1,19}\Z", re.ASCII)
_LARGEST = 2**63 - 1
LARGEST = "max"
"""The highest limit that the user may request."""
OUT_OF_RANGE = "outofrange"


@dataclass(frozen=True)
class IntegerType(ParamType):
    """A whole number of 64 bits.

    A number beyond ``minimum`` or ``maximum`` is moved to the bound with a warning, or refused
    where ``enforce`` is set.
    """

    minimum: int | None = None
    maximum: int | None = None
    enforce: bool = False
    type_name = "integer"
    is_constant = True

    def read(self, name: str, raw: str, validation: Validation) -> int:
        number = read_integer(name, raw)
        bounded = clamp(number, self.minimum, self.maximum)
        if bounded != number:
            self._out_of_range(name, raw, validation)
        return bounded

    def _out_of_range(self, name: str, raw: str, validation: Validation) -> None:
        message = range_message(name, raw, self.minimum, self.maximum)
        data = range_data(self.minimum, self.maximum, self.maximum, self.maximum)
        if self.enforce:
            raise ApiError(message, OUT_OF_RANGE, data)
        validation.warn(message, OUT_OF_RANGE, data)

    def describe(self, site: Site) -> Mapping[str, Any]:
        bounds = {"min": self.minimum, "max": self.maximum}
        return (
            {"type": "integer"}
            | {k: v for k, v in bounds.items() if v is not None}
            | ({"enforcerange": True} if self.enforce else {})
        )


@dataclass(frozen=True)
class LimitType(ParamType):
    """How many items to return: a number, or ``max`` for the most a user may request.

    ``highest`` holds for users with the right ``apihighlimits``.
    """

    largest: int = 500
    highest: int = 5000
    minimum: int = 1
    type_name = "limit"
    is_constant = True

    def ceiling(self, *, high_limits: bool) -> int:
        """Return the most that a user may ask for, which is what ``max`` stands for."""
        return self.highest if high_limits else self.largest

    def read(self, name: str, raw: str, validation: Validation) -> int:
        ceiling = self.ceiling(high_limits=validation.high_limits)
        if raw == LARGEST:
            return ceiling
        number = read_integer(name, raw)
        bounded = clamp(number, self.minimum, ceiling)
        if bounded != number:
            message = range_message(name, raw, self.minimum, ceiling)
            data = range_data(self.minimum, ceiling, self.largest, self.highest)
            validation.warn(message, OUT_OF_RANGE, data)
        return bounded

    def describe(self, site: Site) -> Mapping[str, Any]:
        described = {"type": "limit", "min": self.minimum, "max": self.largest}
        if self.highest > self.largest:
            described["highmax"] = self.highest
        return described


@dataclass(frozen=True)
class DeferredLimitType(LimitType):
    """A limit that the module may lower when it has seen its other parameters.

    ``max`` stays a text: the module decides what it stands for, and puts that into the answer in
    place of the usual maximum.
    """

    def read(self, name: str, raw: str, validation: Validation) -> Any:
        return raw if raw == LARGEST else super().read(name, raw, validation)


def read_integer(name: str, raw: str) -> int:
    """Return a decimal number as MediaWiki reads it: ASCII digits with an optional sign, 64 bits.

    Raises:
        ApiError: ``badinteger``.
    """
    if _DIGITS.match(raw):
        number = int(raw)
        if -_LARGEST - 1 <= number <= _LARGEST:
            return number
    raise bad_value("badinteger", "paramvalidator-badinteger", name, raw)


def clamp(number: int, minimum: int | None, maximum: int | None) -> int:
    """Return the nearest number within the bounds."""
    if minimum is not None and number < minimum:
        return minimum
    return maximum if maximum is not None and number > maximum else number


def range_data(
    minimum: int | None, current: int | None, maximum: int | None, highest: int | None
) -> dict[str, int | None]:
    """Return the data of the code ``outofrange``; ``current`` is the bound for the user."""
    return {"min": minimum, "curmax": current, "max": maximum, "highmax": highest}


def range_message(name: str, raw: str, minimum: int | None, maximum: int | None) -> Message:
    """Return the text for a number beyond its bounds."""
    shown = (Plain(name), Plain(raw))
    if maximum is None:
        return Message("paramvalidator-outofrange-min", (*shown, Num(minimum or 0)))
    if minimum is None:
        return Message("paramvalidator-outofrange-max", (*shown, Num(0), Num(maximum)))
    return Message("paramvalidator-outofrange-minmax", (*shown, Num(minimum), Num(maximum)))
