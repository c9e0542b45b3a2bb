"""Seconds until the next hour, day, month and the like."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from wikiapi.languages.dates.timeformat import Unit, seconds_left

NOW = datetime(2026, 11, 21, 13, 48, 51, 700_000, tzinfo=UTC)  # a Saturday
BERLIN = ZoneInfo("Europe/Berlin")


@pytest.mark.parametrize(
    ("unit", "seconds"),
    [
        (Unit.SECOND, 1),
        (Unit.MINUTE, 9),
        (Unit.HOUR, 669),
        (Unit.DAY, 36_669),
        (Unit.WEEK, 123_069),
        (Unit.MONTH, 814_269),
        (Unit.YEAR, 3_492_669),
    ],
)
def test_figures_are_those_that_mediawiki_gives_for_this_moment(unit: Unit, seconds: int) -> None:
    assert seconds_left(unit, NOW) == seconds


@pytest.mark.parametrize("unit", Unit)
@pytest.mark.parametrize("moment", [datetime(2026, 12, 31, 23, 59, 59, tzinfo=UTC), NOW])
def test_a_unit_has_at_least_a_second_left(unit: Unit, moment: datetime) -> None:
    assert seconds_left(unit, moment) >= 1


def test_a_day_ends_where_the_clock_is() -> None:
    assert seconds_left(Unit.DAY, datetime(2026, 7, 1, 23, 30, tzinfo=BERLIN)) == 1800


@pytest.mark.parametrize(
    ("day", "hours"), [(datetime(2026, 3, 29), 23), (datetime(2026, 10, 25), 25)]
)
def test_days_on_which_clocks_are_set_are_of_another_length(day: datetime, hours: int) -> None:
    assert seconds_left(Unit.DAY, day.replace(tzinfo=BERLIN)) == hours * 3600


def test_the_hour_before_clocks_are_set_is_an_hour() -> None:
    begun = datetime(2026, 3, 29, 0, 59, 59, tzinfo=UTC).astimezone(BERLIN)
    assert seconds_left(Unit.HOUR, begun) == 1
    assert seconds_left(Unit.HOUR, begun + timedelta(minutes=-59)) == 3541


@pytest.mark.parametrize("month", range(1, 13))
def test_a_month_ends_with_its_last_day(month: int) -> None:
    last = datetime(2024, month, 28, tzinfo=UTC)
    assert (last + timedelta(seconds=seconds_left(Unit.MONTH, last))).day == 1
    assert seconds_left(Unit.MONTH, last) <= 4 * 86_400
