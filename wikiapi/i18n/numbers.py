"""Formats numbers within a text in the notation of a language.

``numberformats.json`` has what MediaWiki declares for languages: the pattern by which digits are
grouped, from how many digits on, and by which separators. Each value stands with the codes of its
languages, also of those that inherit it from a fallback language. Separators are written as one
text, that of groups before the decimal one. CLDR has those of other languages, and the digits.
"""

from __future__ import annotations

import json
import math
import re
import string
from collections.abc import Mapping
from decimal import Decimal
from functools import cache
from importlib import resources
from types import MappingProxyType
from typing import NamedTuple

from wikiapi.i18n.languages import cldr_locale
from wikiapi.memoize import memoize

NUMBERS = re.compile(r"(?:-(?=[0-9.]))?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[Ee][-+]?[0-9]+)?")
"""Matches a number within a text."""
MINUS = "\u2212"
_INFINITE = "\u221e"
_LAST_GROUP = 3
"""The number of digits in the last group of a whole number, in every language."""
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


class Notation(NamedTuple):
    """How a language writes numbers, apart from its digits."""

    group: str
    """The separator of groups of digits."""
    decimal: str
    """The decimal separator."""
    group_size: int
    """The number of digits in groups other than the last one, which has three."""
    shortest: int
    """The fewest digits of a whole number that is formatted. In shorter ones only the decimal
    separator and the minus sign change."""


@memoize(64)
def notation_of(language: str) -> Notation:
    """Return how a language writes numbers, by MediaWiki, or by CLDR where MediaWiki leaves it."""
    separators = _declared("separatorTransformTable", language)
    group, decimal = (
        (separators[:-1], separators[-1]) if separators else _separators_of_cldr(language)
    )
    pattern = _declared("digitGroupingPattern", language) or "#,##0.###"
    group_size = len(pattern.split(",")[1]) if pattern.count(",") > 1 else _LAST_GROUP
    minimum = int(_declared("minimumGroupingDigits", language) or 1)
    return Notation(group, decimal, group_size, _LAST_GROUP + minimum if minimum > 1 else 0)


def _declared(name: str, language: str) -> str | None:
    """Return what MediaWiki declares for a language."""
    return _declarations()[name].get(language)


@cache
def _declarations() -> Mapping[str, Mapping[str, str]]:
    source = resources.files(__package__).joinpath("numberformats.json").read_text("utf-8")
    declarations: dict[str, dict[str, str]] = json.loads(source)
    return {
        name: {code: value for value, codes in values.items() for code in codes.split()}
        for name, values in declarations.items()
    }


def _separators_of_cldr(language: str) -> tuple[str, str]:
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

    Numbers are rounded to the precision of floating-point numbers, and exponents are written out,
    except in numbers that are too short for the language to group their digits. The number of
    decimal places does not change.
    """
    own = notation_of(language)
    shown = NUMBERS.sub(lambda match: _formatted(match[0], own), text)
    return localize_digits(shown, language)


def format_without_groups(text: str, language: str) -> str:
    """Return a text with a language's digits, decimal separator and minus sign in every number."""
    own = notation_of(language)
    shown = NUMBERS.sub(lambda match: _ungrouped(match[0], own), text)
    return localize_digits(shown, language)


def format_exactly(text: str, language: str) -> str:
    """Return the same as :func:`format_number`, but with numbers unchanged that it would round."""
    own = notation_of(language)
    return NUMBERS.sub(
        lambda match: (
            localize_digits(_formatted(match[0], own), language)
            if _is_exact(match[0])
            else match[0]
        ),
        text,
    )


def parse_formatted(text: str, language: str) -> str:
    """Return a number formatted by :func:`format_number` in ASCII notation."""
    own = notation_of(language)
    # Khmer has a comma for both, which is read as the decimal one.
    plain = text.replace(own.group, "") if own.group not in ("", own.decimal) else text
    plain = plain.replace(own.decimal, ".").replace(MINUS, "-")
    return plain.translate(_digits(language)[1])


def _is_exact(number: str) -> bool:
    value = float(number)
    return math.isfinite(value) and Decimal(number) == Decimal(repr(value))


def _formatted(number: str, own: Notation) -> str:
    digits = number.lstrip("-")
    if len(digits) - len(digits.lstrip(string.digits)) < own.shortest:
        return _ungrouped(number, own)
    if len(digits) > _EXACT_DIGITS or not digits.isdigit():
        value = abs(float(number))
        if not math.isfinite(value):
            return _signed(("-" if number[0] == "-" else "") + _INFINITE)
        digits = f"{Decimal(repr(value)):.{_places(number)}f}"
    sign = "-" if number[0] == "-" else ""
    return _signed(sign + _grouped(digits, own))


def _ungrouped(number: str, own: Notation) -> str:
    return _signed(number.replace(".", own.decimal))


def _places(number: str) -> int:
    mantissa = re.split("[Ee]", number)[0]
    return min(len(mantissa.partition(".")[2]), _MAX_PLACES)


def _signed(number: str) -> str:
    return MINUS + number[1:] if number.startswith("-") else number


def _grouped(number: str, own: Notation) -> str:
    whole, point, fraction = number.partition(".")
    whole = whole.lstrip("0") or "0"
    head, last = whole[:-_LAST_GROUP], whole[-_LAST_GROUP:]
    size = own.group_size
    first = len(head) % size
    groups = [head[:first]] if first else []
    groups += [head[start : start + size] for start in range(first, len(head), size)]
    return own.group.join([*groups, last]) + (own.decimal + fraction if point else "")
