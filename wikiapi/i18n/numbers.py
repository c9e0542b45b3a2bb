"""Formats numbers within a text in the notation of a language."""

from __future__ import annotations

import math
import re
from decimal import Decimal
from types import MappingProxyType

from wikiapi.i18n.languages import cldr_locale
from wikiapi.memoize import memoize

NUMBERS = re.compile(r"(?:-(?=[0-9.]))?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[Ee][-+]?[0-9]+)?")
"""Matches a number within a text."""
MINUS = "\u2212"
_INFINITE = "\u221e"
_GROUP = 3
_EXACT_DIGITS = 15
"""The number of decimal digits that a floating-point number keeps exactly."""
_MAX_PLACES = 300


_ZEROS = MappingProxyType(
    {
        "arab": 0x660,
        "arabext": 0x6F0,
        "beng": 0x9E6,
        "cakm": 0x11136,
        "deva": 0x966,
        "mtei": 0xABF0,
        "mymr": 0x1040,
        "nkoo": 0x7C0,
        "olck": 0x1C50,
        "tibt": 0xF20,
    }
)
"""The code points of the digit zero, by CLDR's name of the numbering system."""


@memoize(64)
def separators(language: str) -> tuple[str, str]:
    """Return the thousands separator and the decimal separator of a language, by CLDR."""
    locale = cldr_locale(language)
    if locale is None:
        return ",", "."
    symbols = locale.number_symbols.get(locale.default_numbering_system) or {}
    return symbols.get("group", ","), symbols.get("decimal", ".")


@memoize(64)
def _digits(language: str) -> tuple[dict[int, int], dict[int, int]]:
    """Return translation tables from ASCII digits to a language's own and back, or empty ones."""
    locale = cldr_locale(language)
    zero = _ZEROS.get(locale.default_numbering_system) if locale else None
    if zero is None:
        return {}, {}
    own = {ord("0") + value: zero + value for value in range(10)}
    return own, {digit: ascii_digit for ascii_digit, digit in own.items()}


def localize_digits(text: str, language: str) -> str:
    """Return the text with the digits of a language."""
    own, _ = _digits(language)
    return text.translate(own) if own else text


def format_number(text: str, language: str) -> str:
    """Return a text with every number in the notation of a language.

    Numbers are rounded to the precision of floating-point numbers, and exponents are written out.
    The number of decimal places does not change.
    """
    group, decimal = separators(language)
    shown = NUMBERS.sub(lambda match: _formatted(match[0], group, decimal), text)
    return localize_digits(shown, language)


def format_without_groups(text: str, language: str) -> str:
    """Return a text with a language's digits, decimal separator and minus sign in every number."""
    _, decimal = separators(language)
    shown = NUMBERS.sub(lambda match: _signed(match[0].replace(".", decimal)), text)
    return localize_digits(shown, language)


def format_exactly(text: str, language: str) -> str:
    """Return the same as :func:`format_number`, but with numbers unchanged that it would round."""
    group, decimal = separators(language)
    return NUMBERS.sub(
        lambda match: (
            localize_digits(_formatted(match[0], group, decimal), language)
            if _is_exact(match[0])
            else match[0]
        ),
        text,
    )


def parse_formatted(text: str, language: str) -> str:
    """Return a number formatted by :func:`format_number` in ASCII notation."""
    group, decimal = separators(language)
    plain = text.replace(group, "") if group else text
    plain = plain.replace(decimal, ".").replace(MINUS, "-")
    return plain.translate(_digits(language)[1])


def _is_exact(number: str) -> bool:
    value = float(number)
    return math.isfinite(value) and Decimal(number) == Decimal(repr(value))


def _formatted(number: str, group: str, decimal: str) -> str:
    places = _places(number)
    digits = number.lstrip("-")
    if len(digits) > _EXACT_DIGITS or not digits.isdigit():
        value = abs(float(number))
        if not math.isfinite(value):
            return _signed(("-" if number[0] == "-" else "") + _INFINITE)
        digits = f"{Decimal(repr(value)):.{places}f}"
    sign = "-" if number[0] == "-" else ""
    return _signed(sign + _grouped(digits, group, decimal))


def _places(number: str) -> int:
    mantissa = re.split("[Ee]", number)[0]
    return min(len(mantissa.partition(".")[2]), _MAX_PLACES)


def _signed(number: str) -> str:
    return MINUS + number[1:] if number.startswith("-") else number


def _grouped(number: str, group: str, decimal: str) -> str:
    whole, point, fraction = number.partition(".")
    whole = whole.lstrip("0") or "0"
    head = len(whole) % _GROUP
    parts = [whole[:head]] if head else []
    parts += [whole[start : start + _GROUP] for start in range(head, len(whole), _GROUP)]
    return group.join(parts) + (decimal + fraction if point else "")
