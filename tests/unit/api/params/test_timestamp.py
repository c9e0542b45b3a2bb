from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from tests.cases import cases
from wikiapi.api.params.types import TimestampType, Validation
from wikiapi.errors import ApiError
from wikiapi.languages.message import Message
from wikiapi.site import Site


@pytest.mark.parametrize("case", cases("api/timestamps.json"))
def test_timestamp(empty_site: Site, case: dict[str, Any]) -> None:
    raw = case["raw"] if "raw" in case else "".join(case["repeat"][:1]) * case["repeat"][1]
    warned: list[str] = []

    def warn(message: Message, code: str, data: Mapping[str, Any] | None = None) -> None:
        warned.append(code)

    def deprecate(message: Message, feature: str) -> None:
        raise AssertionError(feature)

    validation = Validation(empty_site, False, True, warn, deprecate)
    if case.get("error"):
        with pytest.raises(ApiError) as caught:
            TimestampType().read("start", raw, validation)
        assert caught.value.code == "badtimestamp"
        return
    assert TimestampType().read("start", raw, validation) == case["value"]
    assert warned == case.get("warned", [])
