from __future__ import annotations

from typing import Any

import pytest

from wikiapi.filerepo.metadata import decode_metadata, pairs, seconds


@pytest.mark.parametrize(
    ("stored", "values", "addresses"),
    [
        (b'{"data":{"a":1}}', {"a": 1}, {}),
        ('{"data":{"a":1},"blobs":{"text":"tt:7"}}', {"a": 1}, {"text": "tt:7"}),
        ("", {}, {}),
        (None, {}, {}),
        ("0", {"_error": "0"}, {}),
        ("-1", {"_error": "-1"}, {}),
        ("{broken", {"_error": "{broken"}, {}),
        ("{" * 100_000, {"_error": "{" * 100_000}, {}),
        ('a:1:{s:4:"Make";s:1:"x";}', {"Make": "x"}, {}),
        ('O:8:"stdClass":0:{}', {"_error": 'O:8:"stdClass":0:{}'}, {}),
        ('{"data":[]}', {}, {}),
    ],
)
def test_decode(stored: Any, values: dict[str, Any], addresses: dict[str, str]) -> None:
    assert decode_metadata(stored) == (values, addresses)


@pytest.mark.parametrize(
    ("value", "expected"),
    [({"a": 1}, [("a", 1)]), (["x", "y"], [(0, "x"), (1, "y")]), ("text", []), (None, [])],
)
def test_pairs(value: Any, expected: list[Any]) -> None:
    assert pairs(value) == expected


@pytest.mark.parametrize(
    ("duration", "expected"),
    [
        *((0.4, 0.4), (3, 3.0), (True, 0), ("9", 0)),
        *((10**400, 0), (float("inf"), 0), (float("nan"), 0)),
    ],
)
def test_seconds(duration: Any, expected: float) -> None:
    assert seconds({"duration": duration}) == expected
