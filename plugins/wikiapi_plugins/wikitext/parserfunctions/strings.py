"""String functions: ``#len``, ``#sub``, ``#replace``, ``#titleparts`` and so on.

Lengths and positions are in characters. Strip markers are removed first.
"""

from __future__ import annotations

import re
from urllib.parse import unquote_plus

from wikiapi.wikitext import FunctionCall, ParserFunction, StripState, escape_attribute

_MAX_CHARACTERS = 1000
"""Longer texts result in an error."""


def _texts(call: FunctionCall, count: int) -> list[str]:
    return [StripState.kill(call.arg(index)) for index in range(count)]


def _too_long(call: FunctionCall, *texts: str) -> str:
    """Return an error message if one of the texts is too long, else ""."""
    if all(len(text) < _MAX_CHARACTERS for text in texts):
        return ""
    text = call.state.messages.text("pfunc_string_too_long", _MAX_CHARACTERS)
    return f'<strong class="error">{text}</strong>'


def length(call: FunctionCall) -> str:
    """Return the number of characters."""
    return str(len(StripState.kill(call.first)))


def position(call: FunctionCall) -> str:
    """Return the first position of the second text in the first, from 0; empty if not found."""
    text, part = _texts(call, 2)
    start = integer(call.arg(2))
    if error := _too_long(call, text, part):
        return error
    if not -len(text) <= start <= len(text):
        return ""
    index = text.find(part or " ", start + len(text) if start < 0 else start)
    return str(index) if index >= 0 else ""


def last_position(call: FunctionCall) -> str:
    """Return the last position of the second text in the first; -1 if not found."""
    text, part = _texts(call, 2)
    return _too_long(call, text, part) or str(text.rfind(part or " "))


def substring(call: FunctionCall) -> str:
    """Return a part of the text from a position; negative numbers count from the end."""
    text = StripState.kill(call.first)
    if error := _too_long(call, text):
        return error
    start, size = integer(call.arg(1)), integer(call.arg(2))
    rest = text[start:] if -len(text) <= start else text
    return rest[:size] if size else rest


def count(call: FunctionCall) -> str:
    """Return how often the second text occurs in the first."""
    text, part = _texts(call, 2)
    return _too_long(call, text, part) or str(text.count(part or " "))


def replace(call: FunctionCall) -> str:
    """Return the first text with the second replaced by the third, up to a number of times."""
    text, part, other = _texts(call, 3)
    if error := _too_long(call, text, part, other):
        return error
    most = integer(call.arg(3)) if call.arg(3) else -1
    return text.replace(part or " ", other, most if most > 0 else -1)


def explode(call: FunctionCall) -> str:
    """Return one of the parts of a text between delimiters.

    The fourth argument is the highest number of parts into which the text is split.
    """
    text, delimiter = _texts(call, 2)
    if error := _too_long(call, text, delimiter):
        return error
    most = integer(call.arg(3))
    parts = text.split(delimiter or " ", most - 1 if most > 0 else -1)
    index = integer(call.arg(2))
    if call.arg(2).startswith("-"):
        # With a minus sign, parts count from the end, even if the number is 0 or invalid.
        index += len(parts)
    return parts[index] if 0 <= index < len(parts) else ""


def urldecode(call: FunctionCall) -> str:
    """Return the text with percent-encoding decoded and plus signs replaced by spaces."""
    text = StripState.kill(call.first)
    return _too_long(call, text) or unquote_plus(text)


_WHOLE_NUMBER = re.compile(r"\s*([+-]?[0-9]{1,9})", re.ASCII)
_MAX_PARTS = 25
_RELATIVE = re.compile(r"(?:/|\.\.?(?:/|\Z))")


def integer(text: str) -> int:
    """Return the integer at the start of a text, or 0."""
    match = _WHOLE_NUMBER.match(text)
    return int(match[1]) if match else 0


def titleparts(call: FunctionCall) -> str:
    """Return a number of parts of a page's name, counted from a first part.

    Negative numbers count from the end.
    """
    title = call.site.titles.try_parse(call.first)
    if title is None:
        return call.first
    parts = title.prefixed_text.split("/", _MAX_PARTS - 1)
    count, first = integer(call.arg(1)), integer(call.arg(2))
    parts = parts[first - 1 if first > 0 else first :] if first else parts
    return "/".join(parts[:count] if count else parts)


def rel2abs(call: FunctionCall) -> str:
    """Return a relative path resolved against a page, by default the current one."""
    path, base = call.first.rstrip(" /"), call.arg(1) or call.title.prefixed_text
    if not path or path == ".":
        return base
    whole = f"{base}/{path}" if _RELATIVE.match(path) else f"/{path}"
    parts: list[str] = []
    for part in whole.split("/"):
        if part == "..":
            if not parts:
                text = call.state.messages.text(
                    "pfunc_rel2abs_invalid_depth", escape_attribute(whole)
                )
                return f'<strong class="error">{text}</strong>'
            parts.pop()
        elif part not in ("", "."):
            parts.append(part)
    return "/".join(parts)


DECLARATIONS = (
    ParserFunction("#len", length),
    ParserFunction("#pos", position),
    ParserFunction("#rpos", last_position),
    ParserFunction("#sub", substring),
    ParserFunction("#count", count),
    ParserFunction("#replace", replace),
    ParserFunction("#explode", explode),
    ParserFunction("#urldecode", urldecode),
)
PARTS_OF_TITLES = (
    ParserFunction("#titleparts", titleparts),
    ParserFunction("#rel2abs", rel2abs),
)
