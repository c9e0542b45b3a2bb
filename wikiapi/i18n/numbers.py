"""Numbers in a language's notation, from the text of a number."""

from __future__ import annotations

import math
import re
from decimal import Decimal
from types import MappingProxyType

from wikiapi.i18n.languages import cldr_locale
from wikiapi.memoize import memoize

NUMBERS = re.compile(r"(?:-(?=[0-9.]))?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[Ee][-+]?[0-9]+)?")
"""What is taken for a number within a text."""
MINUS = "\u2212"
_INFINITE = "\u221e"
_GROUP = 3
_EXACT_DIGITS = 15
"""So many digits survive being a floating-point number."""
_MOST_PLACES = 300


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
"""Code points of the digit zero, by CLDR's name of the numbering systems that languages use."""


@memoize(64)
def separators(language: str) -> tuple[str, str]:
    """Return the separators of thousands and of the fraction, by CLDR."""
    locale = cldr_locale(language)
    if locale is None:
        return ",", "."
    symbols = locale.number_symbols.get(locale.default_numbering_system) or {}
    return symbols.get("group", ","), symbols.get("decimal", ".")


@memoize(64)
def _digits(language: str) -> tuple[dict[int, int], dict[int, int]]:
    """Return a language's digits for ASCII digits, and the reverse; empty if it has none."""
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
    """Return a text with every number in it as a language writes it.

    Numbers are read as floating-point numbers: what exceeds them is rounded, and an exponent
    disappears. Digits behind the point stay as many as they were.
    """
    group, decimal = separators(language)
    shown = NUMBERS.sub(lambda match: _formatted(match[0], group, decimal), text)
    return localize_digits(shown, language)


def format_without_groups(text: str, language: str) -> str:
    """Return a text with a language's decimal point and minus sign in every number."""
    _, decimal = separators(language)
    shown = NUMBERS.sub(lambda match: _signed(match[0].replace(".", decimal)), text)
    return localize_digits(shown, language)


def format_exactly(text: str, language: str) -> str:
    """Format like :func:`format_number`, but leave numbers that would be rounded unchanged."""
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
    """Return a result of :func:`format_number` as plain digits."""
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
    return min(len(mantissa.partition(".")[2]), _MOST_PLACES)


def _signed(number: str) -> str:
    return MINUS + number[1:] if number.startswith("-") else number


def _grouped(number: str, group: str, decimal: str) -> str:
    whole, point, fraction = number.partition(".")
    whole = whole.lstrip("0") or "0"
    head = len(whole) % _GROUP
    parts = [whole[:head]] if head else []
    parts += [whole[start : start + _GROUP] for start in range(head, len(whole), _GROUP)]
    return group.join(parts) + (decimal + fraction if point else "")
