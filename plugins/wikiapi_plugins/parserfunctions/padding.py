"""``{{padleft:text|length|pad}}`` and ``padright``."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from wikiapi.wikitext.declarations import ParserFunction
from wikiapi.wikitext.expand.strip import StripState

if TYPE_CHECKING:
    from wikiapi.wikitext.expand.call import FunctionCall

MAX_LENGTH = 500
_INTEGER = re.compile(r"\s*[+-]?[0-9]{1,9}", re.ASCII)


def _padding(call: FunctionCall) -> str:
    """What is missing to the wanted length, which is at most 500."""
    match = _INTEGER.match(call.arg(1))
    length = min(int(match[0]) if match else 0, MAX_LENGTH) - len(call.first)
    pad = StripState.kill(call.arg(2, "0"))
    if not pad or length <= 0:
        return ""
    return (pad * (length // len(pad) + 1))[:length]


def padleft(call: FunctionCall) -> str:
    """The text with padding before it."""
    return _padding(call) + call.first


def padright(call: FunctionCall) -> str:
    """The text with padding behind it."""
    return call.first + _padding(call)


DECLARATIONS = (ParserFunction("padleft", padleft), ParserFunction("padright", padright))
