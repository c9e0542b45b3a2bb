"""``{{formatnum:number|R}}``: a number in the wiki's own notation, or back from it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wikiapi.wikitext.declarations import ParserFunction
from wikiapi.wikitext.expand.strip import outside_markers
from wikiapi.wikitext.numbers import (
    format_exactly,
    format_number,
    format_without_groups,
    parse_formatted,
)

if TYPE_CHECKING:
    from wikiapi.wikitext.expand.call import FunctionCall


def formatnum(call: FunctionCall) -> str:
    """The number with the separators of the page's language.

    ``R`` reads such a number back, ``NOSEP`` leaves out the grouping, ``LOSSLESS`` leaves alone
    what would be rounded.
    """
    language, options = call.state.page_language, (call.arg(1), call.arg(2))
    words = {option.upper() for option in options}
    write = format_number
    if "R" in options:
        write = parse_formatted
    elif "NOSEP" in words:
        write = format_without_groups
    elif "LOSSLESS" in words:
        write = format_exactly
    return outside_markers(lambda text: write(text, language), call.first)


DECLARATIONS = (ParserFunction("formatnum", formatnum),)
