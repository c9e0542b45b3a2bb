"""Formats numbers within a text in the notation of a language.

``numberformats.json`` has what MediaWiki declares for languages: separators, written as one text,
that of groups before the decimal one; the size of ``grouping``, 3 if not declared; from which
number of digits on they are grouped, less three (``minimum``); and ten ``digits``. In a few
languages grouped numbers have other digits than ungrouped ones and dates, or other separators than
those that are read back. CLDR has the facts of languages that MediaWiki does not have.
"""

from __future__ import annotations

import math
import re
import string
from collections.abc import Callable
from decimal import ROUND_HALF_EVEN, Decimal
from types import MappingProxyType
from typing import NamedTuple

from wikiapi.languages.codes import cldr_locale
from wikiapi.languages.declared import declared
from wikiapi.memoize import memoize

NUMBERS = re.compile(r"(?:-(?=[0-9.]))?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[Ee][-+]?[0-9]+)?")
"""Matches a number within a text."""
NUMERIC = re.compile(
    r"[ \t\n\r\v\f]*[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[Ee][+-]?[0-9]+)?[ \t\n\r\v\f]*"
)
"""Matches a text that is a number as a whole, for which it may have a plus sign."""
NOT_A_NUMBER = "NAN"
INFINITIES = ("INF", "-INF")
MINUS = "\u2212"
_INFINITE = "\u221e"
_LAST_GROUP = 3
"""The number of digits in the last group of a whole number, in every language."""
_EXACT_DIGITS = 15
"""The number of decimal digits that a floating-point number keeps exactly."""
_MAX_PLACES = 300
_PLAIN = re.compile(r"-?[0-9]*(?:\.[0-9]*)?")
"""Matches a number that keeps its decimal places, since it has neither plus sign nor exponent."""
_OTHER_PLACES = Decimal("0.001")
"""The decimal places to which other numbers are rounded."""

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
_FACTS = "numberformats.json"
_NO_GROUPS = "none"


class Notation(NamedTuple):
    """How a language writes numbers, apart from its digits."""

    group: str
    """The separator of groups of digits."""
    decimal: str
    """The decimal separator."""
    group_size: int
    """The number of digits in groups other than the last one, which has three; 0 for a language
    that does not group digits, and keeps the decimal point."""
    shortest: int
    """The fewest digits of a whole number that is formatted. In shorter ones only the decimal
    separator and the minus sign change."""


@memoize(64)
def notation_of(language: str) -> Notation:
    """Return how a language writes numbers, by MediaWiki, or by CLDR where MediaWiki leaves it."""
    separators = declared(_FACTS, "separators", language)
    group, decimal = (
        _separators_of_cldr(language) if separators is None else (separators[:-1], separators[-1])
    )
    grouping = declared(_FACTS, "grouping", language) or str(_LAST_GROUP)
    minimum = int(declared(_FACTS, "minimum", language) or 1)
    return Notation(
        group,
        decimal,
        0 if grouping == _NO_GROUPS else int(grouping),
        _LAST_GROUP + minimum if minimum > 1 else 0,
    )


def _separators_of_cldr(language: str) -> tuple[str, str]:
    locale = cldr_locale(language)
    if locale is None:
        return ",", "."
    symbols = locale.number_symbols.get(locale.default_numbering_system) or {}
    return symbols.get("group", ","), symbols.get("decimal", ".")


@memoize(64)
def _digits(language: str) -> str:
    """Return the ten digits of a language, or "" for ASCII digits."""
    if declared(_FACTS, "separators", language) is not None:
        return declared(_FACTS, "digits", language) or ""
    locale = cldr_locale(language)
    zero = _ZEROS.get(locale.default_numbering_system) if locale else None
    return "" if zero is None else "".join(chr(zero + value) for value in range(10))


@memoize(64)
def _digits_of_numbers(language: str) -> str:
    """Return the ten digits of a language in grouped numbers, or "" for ASCII digits."""
    return declared(_FACTS, "digits of numbers", language) or _digits(language)


@memoize(64)
def declared_separators(language: str) -> str:
    """Return the separators that MediaWiki declares: that of groups, then the decimal one.

    Formatted numbers are read with them, but need not be written with them: the decimal separator
    is a point in Faroese, Kyrgyz and Lao, where CLDR has a comma.
    """
    own = notation_of(language)
    return declared(_FACTS, "separators that are read", language) or own.group + own.decimal


def _with_digits(text: str, digits: str) -> str:
    return text.translate(str.maketrans(string.digits, digits)) if digits else text


def localize_digits(text: str, language: str) -> str:
    """Return the text with the digits of a language."""
    return _with_digits(text, _digits(language))


def ascii_digits(text: str, language: str) -> str:
    """Return the text with ASCII digits in place of those of a language."""
    digits = _digits(language)
    return text.translate(str.maketrans(digits, string.digits)) if digits else text


def format_number(text: str, language: str) -> str:
    """Return a text with every number in the notation of a language.

    Numbers are rounded to the precision of floating-point numbers. The number of digits before the
    point and of decimal places does not decrease. Numbers with an exponent or a plus sign are
    written out with at most three decimal places, except where they are too short for the language
    to group their digits.
    """
    own = notation_of(language)
    formatted = _each_number(text, lambda number: _formatted(number, own))
    return _with_digits(formatted, _digits_of_numbers(language))


def format_without_groups(text: str, language: str) -> str:
    """Return a text with a language's digits and the minus sign in every number."""
    return localize_digits(_each_number(text, _signed), language)


def _each_number(text: str, write: Callable[[str], str]) -> str:
    if text in INFINITIES:
        return text.replace("-", MINUS).replace("INF", _INFINITE)
    if NUMERIC.fullmatch(text):
        return write(text.strip())
    return NUMBERS.sub(lambda match: write(match[0]), text)


def format_exactly(text: str, language: str) -> str:
    """Return the same as :func:`format_number`, but with numbers unchanged that it would round."""
    own, digits = notation_of(language), _digits_of_numbers(language)
    return NUMBERS.sub(
        lambda match: (
            _with_digits(_formatted(match[0], own), digits) if _is_exact(match[0]) else match[0]
        ),
        text,
    )


def parse_formatted(text: str, language: str) -> str:
    """Return a number formatted by :func:`format_number` in ASCII notation.

    Commas are removed in any language that does not have them for the decimal separator.
    """
    if text in (_INFINITE, MINUS + _INFINITE):
        return INFINITIES[text != _INFINITE]
    separators, digits = declared_separators(language), _digits(language)
    signs: dict[str, str | int | None] = dict.fromkeys(f",{separators[:-1]}", "")
    signs |= {separators[-1]: ".", MINUS: "-"}
    signs.update(zip(digits, string.digits, strict=False))
    return text.translate(str.maketrans(signs))


def _is_exact(number: str) -> bool:
    value = float(number)
    return math.isfinite(value) and Decimal(number) == Decimal(repr(value))


def _formatted(number: str, own: Notation) -> str:
    if not own.group_size:
        return _signed(number)
    digits = number.lstrip("-")
    if len(digits) - len(digits.lstrip(string.digits)) < own.shortest:
        return _signed(number.replace(".", own.decimal))
    if len(digits) > _EXACT_DIGITS or not digits.isdigit():
        value = abs(float(number))
        if not math.isfinite(value):
            return _signed(("-" if number[0] == "-" else "") + _INFINITE)
        digits = _places(value, digits) if _PLAIN.fullmatch(number) else _rounded(value)
    sign = "-" if number[0] == "-" else ""
    return _signed(sign + _grouped(digits, own))


def _places(value: float, digits: str) -> str:
    """Return a number with as many digits before and after the point as it is written with."""
    whole, point, fraction = digits.partition(".")
    exact = f"{Decimal(repr(value)):.{min(len(fraction), _MAX_PLACES)}f}".partition(".")
    return exact[0].lstrip("0").zfill(min(len(whole), _MAX_PLACES)) + point + exact[2]


def _rounded(value: float) -> str:
    exact = Decimal(repr(value))
    if not value.is_integer():
        exact = exact.quantize(_OTHER_PLACES, ROUND_HALF_EVEN)
    text = f"{exact:f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def _signed(number: str) -> str:
    return number.replace("-", MINUS)


def _grouped(number: str, own: Notation) -> str:
    whole, point, fraction = number.partition(".")
    head, last = whole[:-_LAST_GROUP], whole[-_LAST_GROUP:]
    size = own.group_size
    first = len(head) % size
    groups = [head[:first]] if first else []
    groups += [head[start : start + size] for start in range(first, len(head), size)]
    return own.group.join([*groups, last]) + (own.decimal + fraction if point else "")
