from __future__ import annotations

from typing import Any

import pytest

from wikiapi.dump.live.answers import dumps
from wikiapi.store import phpvalues


@pytest.mark.parametrize(
    "value",
    [None, True, 0, -7, 1.5, "", 'ü"; s:1:', [1, ["x"]], {"4::target": "Ä", "n": {"a": False}}],
)
def test_what_is_written_is_read(value: Any) -> None:
    assert phpvalues.loads(dumps(value)) == value
