from __future__ import annotations

from typing import Any

import pytest

from wikiapi.api.result import IdMap
from wikiapi.api.tally import size_of


def pages(*items: tuple[int, Any]) -> IdMap:
    made = IdMap()
    made.update(items)
    return made


@pytest.mark.parametrize(
    ("value", "size"),
    [("", 0), ("abc", 3), ("é", 2), ("😀", 4), (0, 1), (-12, 3), (1.5, 3), (None, 0), (True, 1),
     (False, 0), ({"a long key": "ab"}, 2), (["ab", ["c"]], 3), (pages((1, {"title": "xyz"})), 3)],
)  # fmt: skip
def test_size(value: Any, size: int) -> None:
    assert size_of(value) == size
