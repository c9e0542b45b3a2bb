"""``{{#time:format|moment|language|local}}``, ``#timel``, ``#timef`` and ``#timefl``."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import datetime
from functools import partial
from zoneinfo import ZoneInfo

from wikiapi.languages import (
    ENGLISH,
    Kind,
    Unit,
    finest_unit,
    is_existing_language,
    seconds_left,
)
from wikiapi.languages.dates import format_moment
from wikiapi.timetexts import time_of
from wikiapi.wikitext import FunctionCall, ParserFunction, PluginState

_MAX_CHARACTERS = 6000
"""The limit for the total length of all formats in one rendering."""
_CODE = re.compile(r"[a-z0-9-]{2,}")
_KINDS: Mapping[str, Kind] = {
    "timef-both": "both",
    "timef-date": "date",
    "timef-time": "time",
    "timef-pretty": "pretty",
}
"""The usual formats by the magic words that name them."""


def _error(call: FunctionCall, key: str) -> str:
    return f'<strong class="error">{call.state.messages.text(key)}</strong>'


def _language(call: FunctionCall, code: str) -> str:
    """Return the requested language, or the page's if the text cannot be a code.

    A code of no language stands for one without words and rules of its own, for which English
    stands in.
    """
    if not _CODE.fullmatch(code):
        return call.state.page_language
    return code if is_existing_language(code) else ENGLISH


def _parse_in_zone(call: FunctionCall, text: str, unit: Unit | None, *, local: bool) -> datetime:
    """Return the time that a text stands for.

    An empty text stands for the current time, and the rendering is then cached until the unit
    changes. As in MediaWiki, any other text, even ``now``, does not limit how long it is cached.
    """
    zone = ZoneInfo(call.site.config.site.timezone if local else "UTC")
    moment = time_of(text, call.state.now).astimezone(zone)
    if unit is not None and not text:
        call.state.output.expire_after(seconds_left(unit, moment))
    return moment


def _is_true(text: str) -> bool:
    return text not in ("", "0")


class _Patterns:
    """The total length of the patterns in one rendering."""

    def __init__(self) -> None:
        self.length = 0


_PATTERNS = PluginState(lambda state: _Patterns())


def time(call: FunctionCall, *, local: bool = False) -> str:
    """Return a time, by default the current one, in a format."""
    pattern = call.first
    patterns = call.state.plugin(_PATTERNS)
    patterns.length += len(pattern)
    if patterns.length > _MAX_CHARACTERS:
        return _error(call, "pfunc_time_too_long")
    local = local or _is_true(call.arg(3))
    try:
        moment = _parse_in_zone(call, call.arg(1), finest_unit(pattern), local=local)
        return format_moment(
            pattern, moment, _language(call, call.arg(2)), call.state.site.messages
        )
    except (ValueError, OverflowError):
        return _error(call, "pfunc_time_error")


def usual_time(call: FunctionCall, *, local: bool = False) -> str:
    """Return a time in a language's default format ``both``, ``date``, ``time`` or ``pretty``."""
    local = local or _is_true(call.arg(3))
    language = _language(call, call.arg(2))
    try:
        moment = _parse_in_zone(call, call.first, Unit.MINUTE, local=local)
        style = call.site.magic_words.which(_KINDS, call.arg(1) or "both")
        if style is None:
            return _error(call, "pfunc_time_error")
        return call.site.usual_time(_KINDS[style], moment, language)
    except (ValueError, OverflowError):
        return _error(call, "pfunc_time_error")


DECLARATIONS = (
    ParserFunction("#time", time),
    ParserFunction("#timel", partial(time, local=True)),
    ParserFunction("#timef", usual_time),
    ParserFunction("#timefl", partial(usual_time, local=True)),
)
