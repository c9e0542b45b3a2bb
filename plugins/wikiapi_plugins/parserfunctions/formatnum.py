"""``{{formatnum:number|R}}``: a number in the wiki's own notation, or back from it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from babel import Locale

from wikiapi.wikitext.declarations import ParserFunction

if TYPE_CHECKING:
    from wikiapi.wikitext.expand.call import FunctionCall

_NUMBER = re.compile(r"-?[0-9]+(?:\.[0-9]*)?")
_NUMBERS = re.compile(r"[0-9]+(?:\.[0-9]+)?")
_GROUP = 3


def formatnum(call: FunctionCall) -> str:
    """The number with the separators of the content language.

    ``R`` reads such a number back, ``NOSEP`` leaves out the grouping.
    """
    text, option = call.first, call.arg(1).upper()
    symbols = _symbols(call.site.language)
    if option in ("R", "RAW"):
        return _raw(text, *symbols)
    if option in ("NOSEP", "NOCOMMAFYSUFFIX"):
        return _NUMBERS.sub(lambda match: match[0].replace(".", symbols[1]), text)
    return _NUMBERS.sub(lambda match: _grouped(match[0], *symbols), text)


def _symbols(language: str) -> tuple[str, str]:
    symbols = Locale.parse(language.replace("-", "_")).number_symbols
    latin = symbols.get("latn", symbols)
    return latin.get("group", ","), latin.get("decimal", ".")


def _raw(text: str, group: str, decimal: str) -> str:
    text = text.replace(group, "").replace("\u2212", "-")
    return text if decimal == "." else text.replace(decimal, ".")


def _grouped(number: str, group: str, decimal: str) -> str:
    whole, point, fraction = number.partition(".")
    head = len(whole) % _GROUP
    parts = [whole[:head]] if head else []
    parts += [whole[start : start + _GROUP] for start in range(head, len(whole), _GROUP)]
    return group.join(parts) + (decimal + fraction if point else "")


DECLARATIONS = (ParserFunction("formatnum", formatnum),)
