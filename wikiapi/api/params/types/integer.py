"""Integers, and limits, which are integers or ``max``."""

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
_MAX_INTEGER = 2**63 - 1
LARGEST = "max"
"""The text that requests the highest limit that is allowed for the user."""
OUT_OF_RANGE = "outofrange"


@dataclass(frozen=True)
class IntegerType(ParamType):
    """An integer of 64 bits.

    A number outside of ``minimum`` and ``maximum`` is changed to the bound with a warning, or
    refused if ``enforce`` is set. ``announce`` says whether ``paraminfo`` tells that; MediaWiki
    only does so for the older form of its declarations.
    """

    minimum: int | None = None
    maximum: int | None = None
    enforce: bool = False
    announce: bool = True
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
            | ({"enforcerange": True} if self.enforce and self.announce else {})
        )


@dataclass(frozen=True)
class LimitType(ParamType):
    """The maximum number of items to return, or ``max`` for the highest number allowed.

    ``highest`` applies to users with the right ``apihighlimits``, ``largest`` to all others.
    """

    largest: int = 500
    highest: int = 5000
    minimum: int = 1
    type_name = "limit"
    is_constant = True

    def ceiling(self, *, high_limits: bool) -> int:
        """Return the highest number allowed, which is the value of ``max``."""
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
    """A limit whose maximum depends on other parameters of the module.

    ``max`` is not converted: the module determines its value, and adds it to the answer in place of
    the usual maximum.
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
        if -_MAX_INTEGER - 1 <= number <= _MAX_INTEGER:
            return number
    raise bad_value("badinteger", "paramvalidator-badinteger", name, raw)


def clamp(number: int, minimum: int | None, maximum: int | None) -> int:
    """Return the number, or the nearest bound if it is out of range."""
    if minimum is not None and number < minimum:
        return minimum
    return maximum if maximum is not None and number > maximum else number


def range_data(
    minimum: int | None, current: int | None, maximum: int | None, highest: int | None
) -> dict[str, int | None]:
    """Return the data of the code ``outofrange``; ``current`` is the maximum for this user."""
    return {"min": minimum, "curmax": current, "max": maximum, "highmax": highest}


def range_message(name: str, raw: str, minimum: int | None, maximum: int | None) -> Message:
    """Return the message for a number that is out of range."""
    shown = (Plain(name), Plain(raw))
    if maximum is None:
        return Message("paramvalidator-outofrange-min", (*shown, Num(minimum or 0)))
    if minimum is None:
        return Message("paramvalidator-outofrange-max", (*shown, Num(0), Num(maximum)))
    return Message("paramvalidator-outofrange-minmax", (*shown, Num(minimum), Num(maximum)))
