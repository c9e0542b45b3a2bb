"""Functions that reformat a text: ``lc``, ``uc``, ``padleft``, ``urlencode`` and ``anchorencode``.

Changes of case do not affect strip markers.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from urllib.parse import quote, quote_plus

from wikiapi.title import decode_references
from wikiapi.title.percent import quote_title
from wikiapi.wikitext import FunctionCall, ParserFunction, encode_attribute
from wikiapi.wikitext.expand.strip import StripState, outside_markers
from wikiapi.wikitext.html.ids import escape_id_for_link, section_name
from wikiapi.wikitext.syntax import trim


def _all(change: Callable[[str], str], call: FunctionCall) -> str:
    return outside_markers(lambda text: _simple(change, text), call.first)


def _first(change: Callable[[str], str], call: FunctionCall) -> str:
    return _simple(change, call.first[:1]) + call.first[1:]


def _simple(change: Callable[[str], str], text: str) -> str:
    """Return the text in another case, except for letters that would become several letters."""
    changed = change(text)
    if len(changed) == len(text):
        return changed
    return "".join(other if len(other := change(letter)) == 1 else letter for letter in text)


_LINK = re.compile(r"\[\[:?([^\[|\]]+)(?:\|([^\[\]]*))?\]\]")
_TAGS = re.compile(r"<[^<>]*>")


def anchorencode(call: FunctionCall) -> str:
    """Return the id that a heading with this text has."""
    text = StripState.kill(call.first)
    text = _LINK.sub(lambda match: match[2] or match[1], text).replace("''", "")
    text = trim(section_name(decode_references(_TAGS.sub("", text))))
    return encode_attribute(escape_id_for_link(text))


MAX_LENGTH = 500
_INTEGER = re.compile(r"\s*[+-]?[0-9]{1,9}", re.ASCII)


def _padding(call: FunctionCall) -> str:
    """Return the padding to the requested length, which is limited to 500."""
    match = _INTEGER.match(call.arg(1))
    length = min(int(match[0]) if match else 0, MAX_LENGTH) - len(call.first)
    pad = StripState.kill(call.arg(2, "0"))
    if not pad or length <= 0:
        return ""
    return (pad * (length // len(pad) + 1))[:length]


def padleft(call: FunctionCall) -> str:
    """Return the text with padding before it."""
    return _padding(call) + call.first


def padright(call: FunctionCall) -> str:
    """Return the text with padding after it."""
    return call.first + _padding(call)


def urlencode(call: FunctionCall) -> str:
    """Return the text percent-encoded.

    Spaces become ``+`` by default, ``%20`` with the option ``PATH``, and ``_`` with ``WIKI``.
    """
    text, style = StripState.kill(call.first), call.arg(1).upper()
    if style == "PATH":
        return quote(text, safe="-_.~")
    if style == "WIKI":
        return quote_title(text.replace(" ", "_"))
    return quote_plus(text, safe="-_.").replace("~", "%7E")


DECLARATIONS = (
    ParserFunction("lc", partial(_all, str.lower)),
    ParserFunction("uc", partial(_all, str.upper)),
    ParserFunction("lcfirst", partial(_first, str.lower)),
    ParserFunction("ucfirst", partial(_first, str.upper)),
    ParserFunction("anchorencode", anchorencode),
    ParserFunction("padleft", padleft),
    ParserFunction("padright", padright),
    ParserFunction("urlencode", urlencode),
)
