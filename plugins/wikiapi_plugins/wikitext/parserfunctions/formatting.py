"""Functions that reformat a text: ``lc``, ``uc``, ``padleft``, ``urlencode`` and ``anchorencode``.

Changes of case do not affect strip markers.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from urllib.parse import quote, quote_plus

from wikiapi.languages import lower, lower_first, upper_first
from wikiapi.title import decode_references, quote_title
from wikiapi.wikitext import (
    FunctionCall,
    ParserFunction,
    StripState,
    encode_attribute,
    outside_markers,
    section_name,
    trim,
)


def _all(change: Callable[[str], str], call: FunctionCall) -> str:
    return outside_markers(change, call.first)


def _first(change: Callable[[str, str], str], call: FunctionCall) -> str:
    return change(call.first, call.state.page_language)


_LINK = re.compile(r"\[\[:?([^\[|\]]+)(?:\|([^\[\]]*))?\]\]")
_TAGS = re.compile(r"<[^<>]*>")


def anchorencode(call: FunctionCall) -> str:
    """Return the id that a heading with this text has."""
    text = StripState.kill(call.first)
    text = _LINK.sub(lambda match: match[2] or match[1], text).replace("''", "")
    text = trim(section_name(decode_references(_TAGS.sub("", text))))
    return encode_attribute(call.state.fragments.link(text)).replace("'", "&#39;")


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


_URL_STYLES = (_PATH, _WIKI) = ("url_path", "url_wiki")


def urlencode(call: FunctionCall) -> str:
    """Return the text percent-encoded.

    Spaces become ``+`` by default, ``%20`` with the option ``PATH``, and ``_`` with ``WIKI``.
    """
    text = StripState.kill(call.first)
    style = call.site.magic_words.which(_URL_STYLES, call.arg(1))
    if style == _PATH:
        return quote(text, safe="-_.~")
    if style == _WIKI:
        return quote_title(text.replace(" ", "_"))
    return quote_plus(text, safe="-_.").replace("~", "%7E")


DECLARATIONS = (
    ParserFunction("lc", partial(_all, lower)),
    ParserFunction("uc", partial(_all, str.upper)),
    ParserFunction("lcfirst", partial(_first, lower_first)),
    ParserFunction("ucfirst", partial(_first, upper_first)),
    ParserFunction("anchorencode", anchorencode),
    ParserFunction("padleft", padleft),
    ParserFunction("padright", padright),
    ParserFunction("urlencode", urlencode),
)
