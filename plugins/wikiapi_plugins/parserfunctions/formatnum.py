"""``{{formatnum:number|R}}``: a number in the wiki's own notation, or back from it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from wikiapi.wikitext.declarations import ParserFunction
from wikiapi.wikitext.expand.strip import MARKER, outside_markers
from wikiapi.wikitext.numbers import (
    format_exactly,
    format_number,
    format_without_groups,
    parse_formatted,
)

if TYPE_CHECKING:
    from wikiapi.wikitext.expand.call import FunctionCall

_CATEGORY = "nonnumeric-formatnum"
_NUMERIC = re.compile(
    r"[ \t\n\r\v\f]*[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[Ee][+-]?[0-9]+)?[ \t\n\r\v\f]*"
)
_WORDS = frozenset({"NAN", "INF", "-INF"})


def formatnum(call: FunctionCall) -> str:
    """The number with the separators of the page's language.

    ``R`` reads such a number back, ``NOSEP`` leaves out the grouping, ``LOSSLESS`` leaves alone
    what would be rounded.
    """
    language, options = call.state.page_language, (call.arg(1), call.arg(2))
    if "R" in options:
        return outside_markers(lambda text: parse_formatted(text, language), call.first)
    words = {option.upper() for option in options}
    write = format_number
    if "NOSEP" in words:
        write = format_without_groups
    elif "LOSSLESS" in words:
        write = format_exactly
    _track(call)
    return outside_markers(lambda text: write(text, language), call.first)


def _track(call: FunctionCall) -> None:
    """Track the page where more than numbers are to be written."""
    texts = MARKER.split(call.first)[::2] if call.first else []
    if texts and not texts[-1]:
        texts.pop()
    if any(text not in _WORDS and not _NUMERIC.fullmatch(text) for text in texts):
        call.state.add_tracking_category(_CATEGORY)


DECLARATIONS = (ParserFunction("formatnum", formatnum),)
