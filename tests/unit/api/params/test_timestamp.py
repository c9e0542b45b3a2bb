from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.cases import cases
from wikiapi.api.params.types.base import Validation
from wikiapi.api.params.types.timestamp import (
    TimestampType,
    compact,
    iso,
    iso_all,
    moment_of,
    parse_moment,
)
from wikiapi.errors import ApiError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from wikiapi.i18n.message import Message
    from wikiapi.site import Site


@pytest.mark.parametrize("case", cases("api/timestamps.json"))
def test_timestamp(empty_site: Site, case: dict[str, Any]) -> None:
    raw = case["raw"] if "raw" in case else "".join(case["repeat"][:1]) * case["repeat"][1]
    warned: list[str] = []

    def warn(message: Message, code: str, data: Mapping[str, Any] | None = None) -> None:
        warned.append(code)

    def deprecate(message: Message, feature: str) -> None:
        raise AssertionError(feature)

    validation = Validation(empty_site, False, warn, deprecate)
    if case.get("error"):
        with pytest.raises(ApiError) as caught:
            TimestampType().read("start", raw, validation)
        assert caught.value.code == "badtimestamp"
        return
    assert TimestampType().read("start", raw, validation) == case["value"]
    assert warned == case.get("warned", [])


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
def test_many_are_told_as_each_is(digits: list[str]) -> None:
    assert iso_all(digits) == [iso(moment) for moment in digits]
