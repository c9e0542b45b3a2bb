"""Variables for the current time: ``CURRENT...`` in UTC, ``LOCAL...`` in the wiki's time zone."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from functools import partial
from zoneinfo import ZoneInfo

from wikiapi.i18n.dates import format_by
from wikiapi.i18n.numbers import localize_digits
from wikiapi.wikitext import ParseState, Variable
from wikiapi_plugins.wikitext.parserfunctions.dates.timeformat import Unit, seconds_left

_HOUR = 3600


def _by(pattern: str) -> Callable[[datetime, str], str]:
    return lambda now, language: format_by(pattern, now, language)


# The name without CURRENT or LOCAL, its aliases, a function that returns the value, and the unit of
# time with which the value changes. None stands for minutes, whose pages are cached for an hour.
_WORDS: tuple[tuple[str, tuple[str, ...], Callable[[datetime, str], str], Unit | None], ...] = (
    ("MONTH", ("MONTH2",), lambda now, language: f"{now.month:02d}", Unit.MONTH),
    ("MONTH1", (), lambda now, language: str(now.month), Unit.MONTH),
    ("MONTHNAME", (), _by("LLLL"), Unit.MONTH),
    ("MONTHNAMEGEN", (), _by("MMMM"), Unit.MONTH),
    ("MONTHABBREV", (), _by("LLL"), Unit.MONTH),
    ("DAY", (), lambda now, language: str(now.day), Unit.DAY),
    ("DAY2", (), lambda now, language: f"{now.day:02d}", Unit.DAY),
    ("DAYNAME", (), _by("EEEE"), Unit.DAY),
    ("YEAR", (), lambda now, language: str(now.year), Unit.YEAR),
    ("TIME", (), lambda now, language: f"{now:%H:%M}", None),
    ("HOUR", (), lambda now, language: f"{now:%H}", Unit.HOUR),
    ("WEEK", (), lambda now, language: str(now.isocalendar().week), Unit.WEEK),
    ("DOW", (), lambda now, language: str(now.isoweekday() % 7), Unit.DAY),
    ("TIMESTAMP", (), lambda now, language: f"{now:%Y%m%d%H%M%S}", None),
)


_PLAIN = "TIMESTAMP"
"""The variable that has ASCII digits in every language."""


def _current(give: Callable[[datetime, str], str], unit: Unit | None, state: ParseState) -> str:
    return _give_now(give, unit, state, state.now)


def _local(give: Callable[[datetime, str], str], unit: Unit | None, state: ParseState) -> str:
    zone = ZoneInfo(state.site.config.site.timezone)
    return _give_now(give, unit, state, state.now.astimezone(zone))


def _give_now(
    give: Callable[[datetime, str], str], unit: Unit | None, state: ParseState, now: datetime
) -> str:
    state.output.expire_after(_HOUR if unit is None else seconds_left(unit, now))
    return give(now, state.site.language)


def _with_own_digits(give: Callable[[datetime, str], str]) -> Callable[[datetime, str], str]:
    return lambda now, language: localize_digits(give(now, language), language)


def _family(prefix: str, read: Callable[..., str]) -> list[Variable]:
    return [
        Variable(
            f"{prefix}{word}",
            partial(read, give if word == _PLAIN else _with_own_digits(give), unit),
            tuple(f"{prefix}{alias}" for alias in aliases),
        )
        for word, aliases, give, unit in _WORDS
    ]


DECLARATIONS = (*_family("CURRENT", _current), *_family("LOCAL", _local))
