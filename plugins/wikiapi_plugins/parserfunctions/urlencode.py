"""``{{urlencode:text|QUERY or PATH or WIKI}}``: text for use in an address."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import quote, quote_plus

from wikiapi.title.percent import quote_title
from wikiapi.wikitext.declarations import ParserFunction
from wikiapi.wikitext.expand.strip import StripState

if TYPE_CHECKING:
    from wikiapi.wikitext.expand.call import FunctionCall


def urlencode(call: FunctionCall) -> str:
    """The text, percent-encoded: with ``+`` for spaces unless PATH or WIKI says otherwise."""
    text, style = StripState.kill(call.first), call.arg(1).upper()
    if style == "PATH":
        return quote(text, safe="-_.~")
    if style == "WIKI":
        return quote_title(text.replace(" ", "_"))
    return quote_plus(text, safe="-_.").replace("~", "%7E")


DECLARATIONS = (ParserFunction("urlencode", urlencode),)
