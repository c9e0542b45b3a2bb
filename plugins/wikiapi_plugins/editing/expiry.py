"""Reading the expiry in a request: of a block, a protection, or the membership in a group."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import datetime, timedelta
from types import MappingProxyType

from wikiapi.api import compact
from wikiapi.errors import ApiError
from wikiapi.i18n import Message, Plain
from wikiapi.store.expiry import INFINITY
from wikiapi_plugins.query.changes.expiries import is_forever, moment_after

_DAY = re.compile(
    r"([0-9]{4})-([0-9]{1,2})-([0-9]{1,2})(?:[ T]([0-9]{1,2}):([0-9]{2}))?\Z", re.ASCII
)
_WORDS: Mapping[str, int] = MappingProxyType(
    {"yesterday": -1, "today": 0, "midnight": 0, "tomorrow": 1}
)
"""Words that stand for the start of a day, with its distance from today in days."""
_NEXT = re.compile(r"(?:next|\+)\s*+", re.IGNORECASE)
_AGO = " ago"


def expiry_moment(text: str, now: datetime) -> datetime | None:
    """Return the end of a duration from now, or the moment that a date names.

    Texts are read as by PHP's ``strtotime``. Returns ``None`` for those that are not understood.
    """
    text = text.strip()
    word = text.lower()
    if word == "now":
        return now
    if word in _WORDS:
        midnight = now.replace(hour=0, minute=0, second=0, microsecond=0)
        return midnight + timedelta(days=_WORDS[word])
    if match := _DAY.match(text):
        return moment_after(
            f"{match[1]}-{int(match[2]):02}-{int(match[3]):02}"
            f"T{int(match[4] or 0):02}:{match[5] or '00'}:00Z",
            now,
        )
    if word.endswith(_AGO):
        after = moment_after(text[: -len(_AGO)], now)
        return None if after is None else now - (after - now)
    if match := _NEXT.match(text):
        rest = text[match.end() :]
        return moment_after(rest if rest[:1].isdigit() else f"1 {rest}", now)
    return moment_after(text, now)


def future_expiry(text: str, now: datetime) -> str:
    """Return ``infinity``, or an expiry in the future as 14 digits.

    Raises:
        ApiError: ``invalidexpiry``, or ``pastexpiry`` for a moment before ``now``.
    """
    if is_forever(text):
        return INFINITY
    moment = expiry_moment(text, now)
    if moment is None:
        raise ApiError(Message("apierror-invalidexpiry", (Plain(text),)), "invalidexpiry")
    if moment < now:
        raise ApiError(Message("apierror-pastexpiry", (Plain(text),)), "pastexpiry")
    return compact(moment)
