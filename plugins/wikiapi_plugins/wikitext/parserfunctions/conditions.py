"""The conditional functions ``#if``, ``#ifeq``, ``#iferror``, ``#ifexist`` and ``#switch``."""

from __future__ import annotations

import re

from wikiapi.title import FILE, MEDIA, SPECIAL, Title, decode_references
from wikiapi.wikitext import FunctionCall, ParserFunction, nodes, trim
from wikiapi_plugins.wikitext.parserfunctions.pagefacts import may_look_up

_ERROR = re.compile(r"<(?:strong|span|p|div)\s[^<>]*?class=\"([^\"<>]*)\"")


def if_(call: FunctionCall) -> str:
    """Return the second text if the first is not blank, else the third."""
    return call.expand(1 if call.first else 2)


def ifeq(call: FunctionCall) -> str:
    """Return the third text if the first two are equal as texts or numbers, else the fourth."""
    left = trim(decode_references(call.first))
    right = trim(decode_references(call.expand(1)))
    return call.expand(2 if is_equal(left, right) else 3)


def iferror(call: FunctionCall) -> str:
    """Return the second text if the first contains an error, else the third, if given, or first."""
    failed = any("error" in match[1].split() for match in _ERROR.finditer(call.first))
    if failed:
        return call.expand(1)
    return call.expand(2) if len(call) > 2 else call.first


def ifexist(call: FunctionCall) -> str:
    """Return the second text if the page exists, else the third.

    The output records that it depends on the existence of the page.
    """
    title = call.site.titles.try_parse(call.first) if call.first else None
    exists = title is not None and not title.interwiki and _exists(title, call)
    return call.expand(1 if exists else 2)


def _exists(title: Title, call: FunctionCall) -> bool:
    state = call.state
    if title.ns == SPECIAL:
        return title.text in call.site.special_pages
    if title.ns == MEDIA:
        if not call.state.expensive():
            return False
        file = call.state.files.file(call.site.titles.make(FILE, title.dbkey))
        call.state.output.images.setdefault(file.name if file else title.dbkey)
        return file is not None
    if not may_look_up(title, state):
        return False
    state.output.add_existence_link(title.without_fragment())
    return state.lookups.page(title) is not None


_NUMERIC = re.compile(
    r"[ \t\n\r\v\f]*[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?[ \t\n\r\v\f]*\Z"
)
_MAX_DIGITS = 100
"""Longer numbers are compared as text, since a double cannot hold that many digits."""


def is_equal(left: str, right: str) -> bool:
    """Return whether the texts are equal, or are the same number."""
    if left == right:
        return True
    if len(left) > _MAX_DIGITS or len(right) > _MAX_DIGITS:
        return False
    return bool(_NUMERIC.match(left) and _NUMERIC.match(right)) and float(left) == float(right)


_DEFAULT = "default"


def switch(call: FunctionCall) -> str:
    """Return the value of the first equal case; cases without ``=`` share the next value."""
    value = trim(decode_references(call.first))
    words = call.site.magic_words
    matched = default_next = False
    default: nodes.Content | None = None
    last = None
    for part in call.parts:
        if part.name is None:
            last = _expanded(part.value, call)
            case = trim(decode_references(last))
            matched = matched or is_equal(case, value)
            default_next = default_next or words.matches(_DEFAULT, case)
            continue
        last = None
        case = trim(decode_references(_expanded(part.name, call)))
        if matched or is_equal(case, value):
            return _expanded(part.value, call)
        if default_next or words.matches(_DEFAULT, case):
            default, default_next = part.value, False
    if last is not None:
        return last
    return _expanded(default, call) if default else ""


def _expanded(content: nodes.Content, call: FunctionCall) -> str:
    return trim(call.state.expander.expand(content, call.frame))


DECLARATIONS = (
    ParserFunction("#if", if_, raw=True),
    ParserFunction("#ifeq", ifeq, raw=True),
    ParserFunction("#iferror", iferror, raw=True),
    ParserFunction("#ifexist", ifexist, raw=True),
    ParserFunction("#switch", switch, raw=True),
)
