"""How long blocks last."""

from __future__ import annotations

import pytest

from wikiapi_plugins.query.users.blocks import duration


@pytest.mark.parametrize(
    ("start", "end", "words"),
    [
        ("20240131000000", "infinity", "infinite"),
        ("20240131000000", "20240131000000", "0 seconds"),
        ("20240131000000", "20240203000000", "3 days"),
        ("20240131000000", "20240229010000", "29 days and 1 hour"),
        ("20210131000000", "20210301000000", "29 days"),
        ("20210130000000", "20210302000000", "1 month"),
        ("20240131120000", "20250131110000", "11 months, 30 days and 23 hours"),
    ],
)
def test_duration(start: str, end: str, words: str) -> None:
    assert duration(start, end, "en") == words


def test_duration_in_another_language() -> None:
    assert duration("20240131000000", "20240203000000", "de") == "3 Tage"
