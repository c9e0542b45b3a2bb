"""Each row of the threat table that the project was built against has tests named after it."""

from __future__ import annotations

import re

from tests.meta.test_packaging import ROOT

ROWS = frozenset({*range(1, 65), 77, 79, 80, 81, 83, 85})
_NAMED = re.compile(r"^def test_row_([0-9]+)_\w+\(", re.MULTILINE)


def test_every_row_has_a_test() -> None:
    named = {
        int(number)
        for file in (ROOT / "tests").rglob("test_*.py")
        for number in _NAMED.findall(file.read_text(encoding="utf-8"))
    }
    assert sorted(ROWS - named) == []
    assert sorted(named - ROWS) == []
