"""The time: in UTC, and in the wiki's own time zone."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

from wikiapi.i18n.dates import format_by
from wikiapi.wikitext.declarations import Variable
from wikiapi.wikitext.numbers import localize_digits

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from wikiapi.wikitext.state import ParseState

_HOUR = 3600
_DAY = 86400


def _by(pattern: str) -> Callable[[datetime, str], str]:
    return lambda now, language: format_by(pattern, now, language)


# Word without its CURRENT or LOCAL, what it gives, how many seconds that holds.
_WORDS: tuple[tuple[str, tuple[str, ...], Callable[[datetime, str], str], int], ...] = (
    ("MONTH", ("MONTH2",), lambda now, language: f"{now.month:02d}", _DAY),
    ("MONTH1", (), lambda now, language: str(now.month), _DAY),
    ("MONTHNAME", (), _by("LLLL"), _DAY),
    ("MONTHNAMEGEN", (), _by("MMMM"), _DAY),
    ("MONTHABBREV", (), _by("LLL"), _DAY),
    ("DAY", (), lambda now, language: str(now.day), _HOUR),
    ("DAY2", (), lambda now, language: f"{now.day:02d}", _HOUR),
    ("DAYNAME", (), _by("EEEE"), _HOUR),
    ("YEAR", (), lambda now, language: str(now.year), _DAY),
    ("TIME", (), lambda now, language: f"{now:%H:%M}", _HOUR),
    ("HOUR", (), lambda now, language: f"{now:%H}", _HOUR),
    ("WEEK", (), lambda now, language: str(now.isocalendar().week), _DAY),
    ("DOW", (), lambda now, language: str(now.isoweekday() % 7), _HOUR),
    ("TIMESTAMP", (), lambda now, language: f"{now:%Y%m%d%H%M%S}", _HOUR),
)


_PLAIN = "TIMESTAMP"
"""Written with ASCII's digits in every language."""


def _current(give: Callable[[datetime, str], str], state: ParseState) -> str:
    return give(state.now, state.site.language)


def _local(give: Callable[[datetime, str], str], state: ParseState) -> str:
    zone = ZoneInfo(state.site.config.site.timezone)
    return give(state.now.astimezone(zone), state.site.language)


def _with_own_digits(give: Callable[[datetime, str], str]) -> Callable[[datetime, str], str]:
    return lambda now, language: localize_digits(give(now, language), language)


def _family(prefix: str, read: Callable[..., str]) -> list[Variable]:
    return [
        Variable(
            f"{prefix}{word}",
            partial(read, give if word == _PLAIN else _with_own_digits(give)),
            tuple(f"{prefix}{alias}" for alias in aliases),
            cache_seconds=seconds,
        )
        for word, aliases, give, seconds in _WORDS
    ]


DECLARATIONS = (*_family("CURRENT", _current), *_family("LOCAL", _local))
