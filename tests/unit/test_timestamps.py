from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wikiapi.timestamps import (
    before,
    compact,
    in_zone,
    is_real,
    iso,
    iso_all,
    moment_of,
    parse_moment,
)

MOMENTS = st.datetimes(
    datetime(1, 1, 2), datetime(9999, 12, 30), timezones=st.just(UTC)
).map(lambda moment: moment.replace(microsecond=0))  # fmt: skip


@given(MOMENTS)
def test_compact_and_iso_are_read_back(moment: datetime) -> None:
    assert parse_moment(compact(moment)) == moment
    assert parse_moment(iso(compact(moment))) == moment
    assert moment_of(compact(moment)) == moment


@given(st.text())
def test_any_text_is_a_moment_or_none(text: str) -> None:
    moment = parse_moment(text)
    assert moment is None or len(compact(moment)) == 14


def test_compact_is_in_utc() -> None:
    moment = datetime(2024, 1, 1, 0, 30, tzinfo=timezone(timedelta(hours=1)))
    assert compact(moment) == "20231231233000"
    assert iso("20231231233000") == "2023-12-31T23:30:00Z"


@pytest.mark.parametrize(
    "digits",
    [
        [],
        ["20231231233001"],
        [f"202312312330{second}" for second in range(10, 60)],
        [f"202312312330{second}" for second in range(10, 60)] + ["2023"],
    ],
    ids=["none", "one", "many", "cut short"],
)
def test_many_are_shown_like_each_alone(digits: list[str]) -> None:
    assert iso_all(digits) == [iso(moment) for moment in digits]


@given(st.from_regex(r"[0-9]{14}", fullmatch=True))
def test_any_digits_are_a_moment(digits: str) -> None:
    moment = moment_of(digits)
    assert is_real(digits) == (compact(moment) == digits and digits >= "1000")
    for zone in ("UTC", "Pacific/Kiritimati", "Pacific/Niue"):
        assert abs(in_zone(moment, zone) - moment) == timedelta()
    assert len(before(digits, timedelta(400_000))) == 14


@given(st.text())
def test_any_stored_text_is_a_moment(text: str) -> None:
    assert moment_of(text) == datetime(1970, 1, 1, tzinfo=UTC) or len(text) == 14


@pytest.mark.parametrize(
    ("digits", "read"),
    [
        ("20260230000000", "20260302000000"),
        ("20269901000000", "20340301000000"),
        ("20260000000000", "20251130000000"),
        ("20260101256161", "20260102020201"),
        ("00000000000000", "00010101000000"),
        ("99999999999999", "99991231235959"),
        ("infinity", "19700101000000"),
        ("", "19700101000000"),
        ("20260101000000\n", "19700101000000"),
    ],
)
def test_times_that_no_clock_shows_are_read(digits: str, read: str) -> None:
    assert compact(moment_of(digits)) == read
    assert not is_real(digits)


def test_before_ends_with_the_calendar() -> None:
    assert before("20260301000000", timedelta(1)) == "20260228000000"
    assert before("00000000000000", timedelta(1)) == "00010101000000"


def test_zone_that_has_no_such_moment() -> None:
    last = moment_of("99991231235959")
    assert in_zone(last, "Pacific/Kiritimati") == last
    assert in_zone(moment_of("20260101000000"), "Asia/Tokyo").hour == 9
