"""Other calendars, against days that are known and against each other."""

from __future__ import annotations

from datetime import date, timedelta

import pytest

from wikiapi.languages.dates.calendars import hebrew, hijri, iranian

FIRST = date(1900, 1, 1)
DAYS = 50_000


@pytest.mark.parametrize(
    ("calendar", "day", "expected"),
    [
        (iranian, date(1925, 3, 21), (1304, 1, 1)),
        (iranian, date(1979, 2, 11), (1357, 11, 22)),
        (iranian, date(2021, 3, 20), (1399, 12, 30)),
        (iranian, date(2024, 3, 20), (1403, 1, 1)),
        (iranian, date(2025, 3, 20), (1403, 12, 30)),
        (hijri, date(622, 7, 19), (1, 1, 1)),
        (hijri, date(1979, 11, 21), (1400, 1, 1)),
        (hijri, date(2024, 3, 11), (1445, 9, 1)),
        (hebrew, date(1948, 5, 14), (5708, 8, 5)),
        (hebrew, date(1999, 9, 11), (5760, 1, 1)),
        (hebrew, date(2024, 2, 10), (5784, 13, 1)),
        (hebrew, date(2024, 3, 24), (5784, 14, 14)),
        (hebrew, date(2025, 3, 14), (5785, 6, 14)),
        (hebrew, date(2024, 10, 3), (5785, 1, 1)),
    ],
)
def test_known_day(calendar, day, expected):
    converted = calendar(day)
    assert (converted.year, converted.month, converted.day) == expected


@pytest.mark.parametrize("calendar", [iranian, hijri, hebrew])
def test_days_follow_each_other(calendar):
    before = calendar(FIRST)
    for number in range(1, DAYS):
        after = calendar(FIRST + timedelta(number))
        if after.day == 1:
            assert before.day == before.length
            assert after.month != before.month
        else:
            assert (after.year, after.month) == (before.year, before.month)
            assert after.day == before.day + 1
        assert after.elapsed == (0 if after.year > before.year else before.elapsed + 1)
        before = after


@pytest.mark.parametrize("calendar", [iranian, hijri, hebrew])
@pytest.mark.parametrize("day", [date.min, date.max])
def test_ends_of_time(calendar, day):
    assert 1 <= calendar(day).month <= 14
