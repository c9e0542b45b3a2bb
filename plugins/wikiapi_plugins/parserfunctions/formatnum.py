"""``{{formatnum:number|R}}``: a number in the wiki's own notation, or back from it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wikiapi.wikitext.declarations import ParserFunction
from wikiapi.wikitext.numbers import NUMBERS, group_digits, separators

if TYPE_CHECKING:
    from wikiapi.wikitext.expand.call import FunctionCall


def formatnum(call: FunctionCall) -> str:
    """The number with the separators of the content language.

    ``R`` reads such a number back, ``NOSEP`` leaves out the grouping.
    """
    text, option, language = call.first, call.arg(1).upper(), call.site.language
    group, decimal = separators(language)
    if option in ("R", "RAW"):
        return text.replace(group, "").replace("\u2212", "-").replace(decimal, ".")
    if option in ("NOSEP", "NOCOMMAFYSUFFIX"):
        return NUMBERS.sub(lambda match: match[0].replace(".", decimal), text)
    return group_digits(text, language)


DECLARATIONS = (ParserFunction("formatnum", formatnum),)
