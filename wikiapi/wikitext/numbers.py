"""Numbers in a language's notation, from the text of a number."""

from __future__ import annotations

import re
from functools import lru_cache

from babel import Locale, UnknownLocaleError

NUMBERS = re.compile(r"[0-9]+(?:\.[0-9]+)?", re.ASCII)
_GROUP = 3


@lru_cache(maxsize=64)
def separators(language: str) -> tuple[str, str]:
    """What parts the thousands and what the fraction, by CLDR."""
    try:
        symbols = Locale.parse(language.replace("-", "_")).number_symbols
    except (UnknownLocaleError, ValueError):
        return ",", "."
    latin = symbols.get("latn", symbols)
    return latin.get("group", ","), latin.get("decimal", ".")


def group_digits(text: str, language: str) -> str:
    """Every number in a text with the separators of a language."""
    group, decimal = separators(language)
    return NUMBERS.sub(lambda match: _grouped(match[0], group, decimal), text)


def _grouped(number: str, group: str, decimal: str) -> str:
    whole, point, fraction = number.partition(".")
    head = len(whole) % _GROUP
    parts = [whole[:head]] if head else []
    parts += [whole[start : start + _GROUP] for start in range(head, len(whole), _GROUP)]
    return group.join(parts) + (decimal + fraction if point else "")
