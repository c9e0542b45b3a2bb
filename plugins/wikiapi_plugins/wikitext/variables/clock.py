"""Variables for the current time: ``CURRENT...`` in UTC, ``LOCAL...`` in the wiki's time zone."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from functools import partial
from zoneinfo import ZoneInfo

from wikiapi.languages import Unit, localize_digits, seconds_left
from wikiapi.languages.dates import format_moment
from wikiapi.wikitext import ParseState, Variable

_HOUR = 3600


Give = Callable[[datetime, ParseState], str]
"""A function that returns the value of a variable at a time."""


def _in_format(pattern: str) -> Give:
    return lambda now, state: format_moment(pattern, now, state.site.language, state.site.messages)


def _time(now: datetime, state: ParseState) -> str:
    return state.site.usual_time("time", now, state.site.language)


def _week(now: datetime, state: ParseState) -> str:
    return localize_digits(str(now.isocalendar().week), state.site.language)


# The name without CURRENT or LOCAL, its aliases, a function that returns the value, and the unit of
# time with which the value changes. None stands for minutes, whose pages are cached for an hour.
_WORDS: tuple[tuple[str, tuple[str, ...], Give, Unit | None], ...] = (
    ("MONTH", ("MONTH2",), _in_format("m"), Unit.MONTH),
    ("MONTH1", (), _in_format("n"), Unit.MONTH),
    ("MONTHNAME", (), _in_format("F"), Unit.MONTH),
    ("MONTHNAMEGEN", (), _in_format("xg"), Unit.MONTH),
    ("MONTHABBREV", (), _in_format("M"), Unit.MONTH),
    ("DAY", (), _in_format("j"), Unit.DAY),
    ("DAY2", (), _in_format("d"), Unit.DAY),
    ("DAYNAME", (), _in_format("l"), Unit.DAY),
    ("YEAR", (), _in_format("Y"), Unit.YEAR),
    ("TIME", (), _time, None),
    ("HOUR", (), _in_format("H"), Unit.HOUR),
    ("WEEK", (), _week, Unit.WEEK),
    ("DOW", (), _in_format("w"), Unit.DAY),
    ("TIMESTAMP", (), lambda now, state: f"{now:%Y%m%d%H%M%S}", None),
)


def _current(give: Give, unit: Unit | None, state: ParseState) -> str:
    return _give_now(give, unit, state, state.now)


def _local(give: Give, unit: Unit | None, state: ParseState) -> str:
    zone = ZoneInfo(state.site.config.site.timezone)
    return _give_now(give, unit, state, state.now.astimezone(zone))


def _give_now(give: Give, unit: Unit | None, state: ParseState, now: datetime) -> str:
    state.output.expire_after(_HOUR if unit is None else seconds_left(unit, now))
    return give(now, state)


def _family(prefix: str, read: Callable[..., str]) -> list[Variable]:
    return [
        Variable(
            f"{prefix}{word}",
            partial(read, give, unit),
            tuple(f"{prefix}{alias}" for alias in aliases),
        )
        for word, aliases, give, unit in _WORDS
    ]


DECLARATIONS = (*_family("CURRENT", _current), *_family("LOCAL", _local))
